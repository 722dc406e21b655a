"""The output and status of `make audit` and `make licences`, with stand-ins for pip-audit, npm and packages."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parent.parent / ".ci" / "audit.py"
CLEAN, FOUND, BROKEN, UNREACHED = range(4)
ENTRY = {"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": ["4.0"], "description": "bad"}
PIP_AUDIT = """
import json, pathlib, sys
known = json.loads(pathlib.Path(__file__).with_name("known.json").read_text())
pins = [line.split("==") for line in pathlib.Path(sys.argv[-1]).read_text().splitlines()]
assert len({name for name, _ in pins}) == len(pins), "ERROR: duplicate requirements"
looked_up = [
    {"name": name, "version": version, "vulns": known[f"{name} {version}"]}
    if f"{name} {version}" in known
    else {"name": name, "skip_reason": "Dependency not found and could not be audited"}
    for name, version in pins
]
print(json.dumps({"dependencies": looked_up, "fixes": []}))
sys.exit(any(entry.get("vulns") for entry in looked_up))
"""
NO_NETWORK = """
def get(): raise OSError("HTTPSConnectionPool(host='a.example', port=443): Max retries exceeded")
get()
"""
LOCK = """\
alpha==1.0 \\
    --hash=sha256:00
    # via beta
beta==2.4 ; python_full_version < '3.12' \\
    --hash=sha256:00
beta==2.5 ; python_full_version >= '3.12' \\
    --hash=sha256:00
"""
UNTOUCHED: dict[str, list[Any]] = {"alpha 1.0": [], "beta 2.4": [], "beta 2.5": [], "django 2.2": [ENTRY]}


class Project:
    """A checkout with three locked versions and a vendored htmx, and the programs that its audit runs."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in (".ci", "static/vendor", "bin", "modules/pip_audit", "npm"):
            (root / folder).mkdir(parents=True)
        shutil.copy(SCRIPT, root / ".ci")
        (root / "requirements.lock").write_text(LOCK)
        (root / "requirements-dev.lock").write_text(LOCK)
        self.pip_audit(PIP_AUDIT)
        self.known(UNTOUCHED)
        self.publish(b"htmx")
        digest = b64encode(hashlib.sha512((root / "npm" / "htmx.org-4.0.1.tgz").read_bytes()).digest()).decode()
        (root / "static" / "vendor" / "htmx.min.js").write_bytes(b"htmx")
        (root / "static" / "vendor" / "htmx.toml").write_text(
            f'package = "htmx.org"\nversion = "4.0.1"\ntarball = "sha512-{digest}"\n'
            '[files]\n"dist/htmx.min.js" = "htmx.min.js"\n'
        )

    def known(self, known: dict[str, list[Any]]) -> None:
        """Set the versions that pip-audit has data about, and that data."""
        (self.root / "modules" / "pip_audit" / "known.json").write_text(json.dumps(known))

    def pip_audit(self, program: str) -> None:
        (self.root / "modules" / "pip_audit" / "__main__.py").write_text(program)

    def npm(self, program: str) -> None:
        path = self.root / "bin" / "npm"
        path.write_text(f"#!{sys.executable}\n{program}")
        path.chmod(0o755)

    def publish(self, script: bytes) -> None:
        """Let npm deliver a package with this script."""
        (self.root / "htmx.min.js").write_bytes(script)
        tarball = self.root / "npm" / "htmx.org-4.0.1.tgz"
        with tarfile.open(tarball, "w:gz") as archive:
            archive.add(self.root / "htmx.min.js", "package/dist/htmx.min.js")
        self.npm(f"import shutil; shutil.copy({str(tarball)!r}, '.')")

    def install(self, name: str, *declared: str) -> None:
        """Install a package whose metadata has these fields."""
        folder = self.root / "modules" / f"{name}-1.0.dist-info"
        folder.mkdir()
        fields = ["Metadata-Version: 2.4", f"Name: {name}", "Version: 1.0", *declared]
        (folder / "METADATA").write_text("\n".join(fields) + "\n")

    def audit(self, *arguments: str) -> tuple[int, str]:
        environment = {"PATH": str(self.root / "bin"), "PYTHONPATH": str(self.root / "modules")}
        command = [sys.executable, str(self.root / ".ci" / "audit.py"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)
        assert done.stderr == ""
        assert "Traceback" not in done.stdout
        return done.returncode, done.stdout


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_the_audit_is_clean_where_no_vulnerability_of_any_systems_versions_is_known(project: Project) -> None:
    assert project.audit() == (
        CLEAN,
        "No vulnerability is known of the 3 locked versions.\nhtmx.org@4.0.1 is what npm publishes.\n",
    )


NO_DATA = {name: entries for name, entries in UNTOUCHED.items() if name != "beta 2.5"}


@pytest.mark.parametrize(
    ("known", "status", "begins"),
    [
        *(
            (UNTOUCHED | {bad: [ENTRY]}, FOUND, f"{bad}: PYSEC-1, CVE-1; mended in 4.0\n")
            for bad in ("alpha 1.0", "beta 2.4", "beta 2.5")
        ),
        ({}, UNREACHED, "The locked versions are not audited: "),
        (UNTOUCHED | {"django 2.2": []}, UNREACHED, "The locked versions are not audited: "),
        pytest.param(NO_DATA, UNREACHED, "There is no data about beta 2.5; ", marks=pytest.mark.slow),
        pytest.param({"alpha 1.0": [ENTRY], "django 2.2": [ENTRY]}, FOUND, "", marks=pytest.mark.slow),
    ],
    ids=["alpha", "old beta", "new beta", "no data", "no data on a bad release", "data missing", "bad and missing"],
)
def test_the_audit_finds_vulnerabilities_and_missing_data(
    project: Project, known: dict[str, list[Any]], status: int, begins: str
) -> None:
    project.known(known)
    ended, said = project.audit()
    assert ended == status
    assert said.startswith(begins)


@pytest.mark.parametrize(
    ("program", "status", "said"),
    [
        (NO_NETWORK, UNREACHED, "The locked versions are not audited: pip-audit cannot reach its data from here.\n"),
        ("import missing", BROKEN, "pip-audit failed: ModuleNotFoundError: No module named 'missing'\n"),
    ],
    ids=["no network", "error"],
)
def test_a_pip_audit_without_a_network_is_told_from_one_that_fails(
    project: Project, program: str, status: int, said: str
) -> None:
    project.pip_audit(program)
    ended, printed = project.audit()
    assert ended == status
    assert said in printed


@pytest.mark.slow
def test_without_npm_the_audit_says_that_htmx_was_not_compared(project: Project) -> None:
    (project.root / "bin" / "npm").unlink()
    status, said = project.audit()
    assert status == CLEAN
    assert said.endswith("htmx.org@4.0.1 is not compared with what npm publishes: there is no npm here.\n")


@pytest.mark.slow
@pytest.mark.parametrize("changed", ["htmx.min.js", "the package's digest, htmx.min.js"])
def test_another_htmx_than_the_published_one_is_found(project: Project, changed: str) -> None:
    if "digest" in changed:
        project.publish(b"another")
    else:
        (project.root / "static" / "vendor" / "htmx.min.js").write_bytes(b"another")
    status, said = project.audit()
    assert status == FOUND
    assert said.endswith(f"htmx.org@4.0.1 is not what npm publishes: {changed}.\n")


@pytest.mark.parametrize(
    ("code", "status", "reason"),
    [
        ("ECONNREFUSED", UNREACHED, "npm cannot reach its data"),
        ("ETARGET", BROKEN, "npm failed: npm error code ETARGET\n"),
    ],
)
def test_an_npm_without_a_network_is_told_from_one_that_fails(
    project: Project, code: str, status: int, reason: str
) -> None:
    project.npm(f"import sys; sys.exit('npm error code {code}\\nnpm error A complete log is in a file')")
    assert project.audit()[0] == status
    assert f"htmx.org@4.0.1 is not compared with what npm publishes: {reason}" in project.audit()[1]


def test_the_licences_of_all_required_packages_are_listed(project: Project) -> None:
    project.install("alpha", "License-Expression: MIT AND (Apache-2.0 OR BSD-2-Clause)")
    project.install("beta", "Classifier: License :: OSI Approved :: BSD License", "License: see LICENSE.txt")
    assert project.audit("licences") == (
        CLEAN,
        "alpha: MIT AND (Apache-2.0 OR BSD-2-Clause)\nbeta: BSD License\n"
        "All 2 required packages are under permissive licences.\n",
    )


@pytest.mark.parametrize(
    ("declared", "licence"),
    [
        ("", "not installed here"),
        ("License-Expression: GPL-3.0-or-later", "GPL-3.0-or-later"),
        ("License-Expression: MIT AND MPL-2.0", "MIT AND MPL-2.0"),
        (
            "Classifier: License :: OSI Approved :: GNU Affero General Public License v3",
            "GNU Affero General Public License v3",
        ),
        ("License: LGPL", "LGPL"),
        ("License: My own", "My own"),
        ("Summary: No licence", "none declared"),
    ],
)
def test_a_required_package_that_is_not_permissive_is_found(project: Project, declared: str, licence: str) -> None:
    if declared:
        project.install("alpha", declared)
    project.install("beta", "License: MIT")
    status, said = project.audit("licences")
    assert status == FOUND
    assert said.endswith(f"Required, but not known to be permissive: alpha ({licence}).\n")


def test_the_script_states_a_licence_that_the_metadata_leaves_out(project: Project) -> None:
    (project.root / "requirements.lock").write_text("resvg-py==1.0\n")
    project.install("resvg-py")
    assert project.audit("licences")[1].startswith("resvg-py: MIT\n")


def test_copyleft_that_is_not_required_is_listed_and_allowed(project: Project) -> None:
    (project.root / "requirements-dev.lock").write_text(f"{LOCK}gamma==1.0\n")
    project.install("alpha", "License: MIT")
    project.install("beta", "License: MIT")
    project.install("gamma", "License-Expression: LGPL-3.0-only")
    status, said = project.audit("licences")
    assert status == CLEAN
    assert "Copyleft, but not required: gamma (LGPL-3.0-only).\n" in said


def test_no_required_package_of_this_project_is_copyleft() -> None:
    command = [sys.executable, str(SCRIPT), "licences"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (CLEAN, ""), done.stdout
