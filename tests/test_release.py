"""What a release needs: its files follow the formats of others, and `make release` makes what it says."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TOOLS = Path(sys.prefix, "tools", "bin")
REGISTRIES = ("pypi" + ".org", "python" + "hosted", "registry.npm" + "js")


def test_the_citation_names_the_version_of_the_package() -> None:
    cited = re.findall("^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited == [DECLARED["version"]]


def test_every_action_of_a_workflow_is_pinned_to_a_commit_and_says_its_version() -> None:
    uses = [line for path in WORKFLOWS for line in re.findall("uses: (.*)", path.read_text(encoding="utf-8"))]
    assert uses
    assert [line for line in uses if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)] == []


def test_a_release_is_started_by_a_person_and_published_without_a_password() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert re.findall(r"^on:\n((?:  .*\n)*)", text, re.MULTILINE)[0].startswith("  workflow_dispatch:\n")
    assert (text.count("environment: publish"), text.count("attestations: true"), "secrets." in text) == (1, 1, False)


def test_no_file_names_the_host_of_a_package_registry() -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    if not tracked:
        pytest.skip("this is no checkout")
    paths = [ROOT / name for name in tracked.split("\0") if name]
    texts = {path: path.read_text(encoding="utf-8", errors="ignore") for path in paths if path.is_file()}
    assert [path for path, text in texts.items() if any(host in text for host in REGISTRIES)] == []


def tool(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a tool of `make test-all`'s environment. Skip the test where it was not set up, but never in CI."""
    program = shutil.which(name, path=str(TOOLS))
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("make test-all installs the tools")
        pytest.skip(f"there is no {name} here; make test-all installs it")
    return subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "paths"),
    [
        ("github-workflows", [str(path) for path in WORKFLOWS]),
        ("citation-file-format", ["CITATION.cff"]),
        ("compose-spec", ["deploy/compose.yaml"]),
    ],
)
def test_a_file_follows_the_schema_of_its_format(schema: str, paths: list[str]) -> None:
    done = tool("check-jsonschema", "--builtin-schema", f"vendor.{schema}", *paths)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_no_weakness_is_known_in_a_workflow() -> None:
    done = tool("zizmor", "--offline", "--no-progress", ".github/workflows")
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_no_mistake_is_known_in_the_containerfile() -> None:
    done = tool("hadolint", "deploy/Containerfile")
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.slow
def test_make_release_makes_packages_their_bill_of_materials_notes_and_digests(tmp_path: Path) -> None:
    tool("cyclonedx-py", "--version")
    if shutil.which("make") is None or shutil.which("cc") is None:
        pytest.skip("there is no make or no C compiler here")
    command = ["make", "release", f"DIST={tmp_path}"]
    subprocess.run(command, cwd=ROOT, env=os.environ | {"CFLAGS": "-O0"}, capture_output=True, check=True)
    names = {path.name for path in tmp_path.iterdir()}
    version = DECLARED["version"]
    assert {f"noughts-{version}.tar.gz", "noughts.cdx.json", "NOTES.md", "SHA256SUMS"} <= names
    assert len([name for name in names if name.endswith(".whl")]) == 1
    assert (tmp_path / "NOTES.md").read_text(encoding="utf-8").startswith(f"## {version}")
    for line in (tmp_path / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
        digest, name = line.split()
        assert sha256((tmp_path / name).read_bytes()).hexdigest() == digest
    bill = json.loads((tmp_path / "noughts.cdx.json").read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "noughts")
    assert {"flask", "msgspec", "platformdirs"} <= {component["name"] for component in bill["components"]}
