"""Audit the dependencies: their known vulnerabilities or, with the argument `licences`, their licences.

`make audit` does both. Every version in the lock files, for any system or Python, is looked up by pip-audit, and htmx
is compared with the package that npm publishes. The licences are those that the installed packages declare, which takes
no network: `make licences` reads them alone.

The exit status is 0 if nothing was found, 1 if something was, 2 if the audit itself failed, and 3 if its data could not
be reached, so that silence is never mistaken for a clean bill.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from base64 import b64encode
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parent.parent
VENDOR = ROOT / "static" / "vendor"
CLEAN, FOUND, BROKEN, UNREACHED = range(4)
WORST_FIRST = (FOUND, BROKEN, UNREACHED, CLEAN)
PIN = re.compile(r"^([a-z0-9][a-z0-9-]*)==([^\s;\\]+)", re.MULTILINE)  # names are normalised in lock files
# A release that much has been known of for years. Who knows nothing of it has no such data: a mirror, for example,
# whose answer pip-audit takes for good news.
CANARY = ("django", "2.2")
CANNOT_REACH = re.compile(
    r"Connection|time-?out|timed out|Max retries|Proxy|SSL|HTTPError|JSONDecodeError|network|socket|"
    r"\bE(?:NOTFOUND|AI_AGAIN|CONN[A-Z]+|TIMEDOUT|HOSTUNREACH|NETUNREACH|403|407|5\d\d)\b",
    re.IGNORECASE,
)
PERMISSIVE = {
    "0BSD",
    "Apache Software License",
    "Apache-2.0",
    "BSD License",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "MIT License",
    "MIT-CMU",
    "PSF-2.0",
    "Zlib",
}
"""Licences that a required package may have, as SPDX or a classifier names them."""
# The MPL covers only its own files, but counts too: nobody who passes Noughts on should have to offer source code.
COPYLEFT = re.compile(r"GPL|MPL|EPL|CDDL|Public Licen[cs]e")
STATED = {
    "resvg-py": "MIT",  # declares none: this is the text of its LICENSE file
}
"""Licences of packages that declare none or are not installed on every system, each with the reason to believe it."""


def main(arguments: list[str]) -> int:
    """Run the audits that the arguments name, and return the worst status."""
    if arguments == ["licences"]:
        return audit_licences()
    return min((audit_locks(), audit_htmx()), key=WORST_FIRST.index)


def audit_licences() -> int:
    """List the licences of the required packages, which must all be permissive, and any copyleft among the others."""
    required = {name: licence_of(name) for name in pinned("requirements.lock")}
    optional = {name: licence_of(name) for name in pinned("requirements-dev.lock") if name not in required}
    for name, licence in required.items():
        print(f"{name}: {licence}")
    copyleft = [f"{name} ({licence})" for name, licence in optional.items() if COPYLEFT.search(licence)]
    if copyleft:
        print(f"Copyleft, but not required: {', '.join(copyleft)}.")
    bad = [f"{name} ({licence})" for name, licence in required.items() if not is_permissive(licence)]
    if bad:
        print(f"Required, but not known to be permissive: {', '.join(bad)}.")
        return FOUND
    print(f"All {len(required)} required packages are under permissive licences.")
    return CLEAN


def pinned(lock: str) -> list[str]:
    """Return the packages that a lock file names, each once and in order."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    return sorted({name for name, _ in PIN.findall(text)})


def licence_of(name: str) -> str:
    """Return the licence that an installed package declares, else the one in `STATED`, else why it is unknown."""
    try:
        declared = distribution(name).metadata.json
    except PackageNotFoundError:
        return STATED.get(name, "not installed here")
    classifiers = [each for each in declared.get("classifier", ()) if each.startswith("License :: ")]
    return (
        str(declared.get("license_expression", ""))
        or " AND ".join(each.rpartition(" :: ")[2] for each in classifiers)
        or str(declared.get("license", "")).strip().partition("\n")[0]
        or STATED.get(name, "none declared")
    )


def is_permissive(licence: str) -> bool:
    """Return whether every licence of an expression is known to be permissive, even where it offers a choice."""
    return {each.strip() for each in re.split(r" (?:AND|OR) |[()]", licence)} - {""} <= PERMISSIVE


def audit_locks() -> int:
    """Whether anything is known against a version in the lock files."""
    texts = [path.read_text(encoding="utf-8") for path in ROOT.glob("requirements*.lock")]
    pins = sorted({pin for text in texts for pin in PIN.findall(text)})
    rounds: list[dict[str, str]] = []  # pip-audit takes one version of a package at a time
    for name, version in pins:
        free = next((versions for versions in rounds if name not in versions), None)
        if free is None:
            rounds.append(free := {})
        free[name] = version
    answers: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for versions in rounds:
        answer, errors = ask_pip_audit([*versions.items(), CANARY])
        if answer is None:
            return failed("The locked versions are not audited", "pip-audit", errors)
        if not answer.get(CANARY):
            print("The locked versions are not audited: the registry that can be reached from here has no such data.")
            return UNREACHED
        answers |= answer
    found = [(pin, entry) for pin in pins for entry in answers.get(pin, [])]
    for (name, version), entry in found:
        names = ", ".join([entry["id"], *entry.get("aliases", [])])
        print(f"{name} {version}: {names}; mended in {', '.join(entry.get('fix_versions', [])) or 'no version yet'}")
    if found:
        print(f"Of the locked versions, {len(found)} vulnerabilities are known.")
        return FOUND
    unknown = ", ".join(f"{name} {version}" for name, version in pins if (name, version) not in answers)
    if unknown:
        print(f"There is no data about {unknown}; nothing is known against the other locked versions.")
        return UNREACHED
    print(f"No vulnerability is known of the {len(pins)} locked versions.")
    return CLEAN


def ask_pip_audit(pins: list[tuple[str, str]]) -> tuple[dict[tuple[str, str], list[dict[str, Any]]] | None, str]:
    """Look up what is known against these versions. Return nothing and the problem where the data cannot be reached."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "requirements.txt")  # without markers, or what other systems install would be left out
        path.write_text("".join(f"{name}=={version}\n" for name, version in pins), encoding="utf-8")
        options = ["--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off"]
        output, errors = run([sys.executable, "-m", "pip_audit", *options, "--requirement", str(path)], folder)
    try:
        entries = json.loads(output)["dependencies"]
    except (ValueError, KeyError):
        return None, errors
    return {(entry["name"], entry["version"]): entry["vulns"] for entry in entries if "vulns" in entry}, errors


def audit_htmx() -> int:
    """Whether the vendored htmx is what npm publishes under its version."""
    source = tomllib.loads((VENDOR / "htmx.toml").read_text(encoding="utf-8"))
    package = f"{source['package']}@{source['version']}"
    npm = shutil.which("npm")
    if npm is None:
        print(f"{package} is not compared with what npm publishes: there is no npm here.")
        return CLEAN
    with TemporaryDirectory() as folder:
        options = ["--prefer-online", "--ignore-scripts", "--fetch-retries=1", "--loglevel=error"]
        _, errors = run([npm, "pack", *options, package], folder)
        tarball = next(Path(folder).glob("*.tgz"), None)
        if tarball is None:
            return failed(f"{package} is not compared with what npm publishes", "npm", errors)
        digest = hashlib.sha512(tarball.read_bytes()).digest()
        differing = [] if source["tarball"] == f"sha512-{b64encode(digest).decode()}" else ["the package's digest"]
        with tarfile.open(tarball) as archive:
            members = {member.name: member for member in archive if member.isfile()}
            for published, vendored in source["files"].items():
                member = members.get(f"package/{published}")
                file = member and archive.extractfile(member)
                if not file or file.read() != (VENDOR / vendored).read_bytes():
                    differing.append(vendored)
    if differing:
        print(f"{package} is not what npm publishes: {', '.join(differing)}.")
        return FOUND
    print(f"{package} is what npm publishes.")
    return CLEAN


def run(command: list[str], folder: str) -> tuple[str, str]:
    """Return what a program prints, and its errors. Stop it after ten minutes; it ends long before."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)  # noqa: S603
    except subprocess.TimeoutExpired:
        return "", "timed out"
    return done.stdout, done.stderr


def failed(what: str, program: str, errors: str) -> int:
    """Says in one line why there is no answer, whatever a program wrote about it."""
    if CANNOT_REACH.search(errors):
        print(f"{what}: {program} cannot reach its data from here.")
        return UNREACHED
    lines = [line for line in errors.splitlines() if re.match(r"(?!\s|Traceback|WARNING)", line) and line.strip()]
    print(f"{what}: {program} failed: {(lines or ['it does not say why'])[0]}")
    return BROKEN


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
