"""The dependencies: bounds in pyproject.toml, and lock files with digests that `make` installs from."""

import os
import re
import subprocess
import sys
import tomllib
from itertools import groupby
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = {path.name: path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("requirements*.lock"))}
EXTRAS = DECLARED["project"]["optional-dependencies"]
RUNTIME = [*DECLARED["build-system"]["requires"], *DECLARED["project"]["dependencies"]]
DEVELOPMENT = [*DECLARED["project"]["dependencies"], *(text for extra in EXTRAS.values() for text in extra)]
TOOLS = DECLARED["dependency-groups"]["tools"]
NEEDED = {"requirements.lock": RUNTIME, "requirements-dev.lock": DEVELOPMENT, "requirements-tools.lock": TOOLS}


def others(texts: list[str]) -> list[Requirement]:
    """Return the requirements without the project itself, by which one extra includes another."""
    requirements = map(Requirement, texts)
    return [requirement for requirement in requirements if requirement.name != DECLARED["project"]["name"]]


def entries(lock: str) -> list[tuple[Requirement, list[str]]]:
    """Return each pinned requirement of a lock file with its options. A backslash continues a line."""
    lines = [line for line in LOCKS[lock].splitlines() if not line.lstrip().startswith("#")]
    whole = "\n".join(lines).replace("\\\n", " ").splitlines()
    split = [re.split(r"\s+(?=--)", line.strip()) for line in whole if line.strip()]
    return [(Requirement(requirement), options) for requirement, *options in split]


def pins(lock: str) -> dict[str, set[str]]:
    """Return each package's versions, which may differ between Pythons or systems."""
    pinned = sorted((canonicalize_name(entry.name), str(entry.specifier)[2:]) for entry, _ in entries(lock))
    return {name: {version for _, version in group} for name, group in groupby(pinned, key=lambda pin: pin[0])}


def test_there_are_lock_files_for_playing_for_development_and_for_the_tools() -> None:
    assert set(LOCKS) == set(NEEDED)


@pytest.mark.parametrize("requirement", others([*RUNTIME, *DEVELOPMENT, *TOOLS]), ids=str)
def test_a_dependency_has_a_lower_and_an_upper_bound(requirement: Requirement) -> None:
    assert {specifier.operator for specifier in requirement.specifier} == {">=", "<"}


@pytest.mark.parametrize("lock", NEEDED)
def test_a_lock_file_has_an_allowed_version_of_each_dependency(lock: str) -> None:
    locked = pins(lock)
    for requirement in others(NEEDED[lock]):
        versions = locked.get(canonicalize_name(requirement.name))
        assert versions, f"{requirement.name} is missing: make lock"
        assert all(version in requirement.specifier for version in versions), f"{requirement} is not: make lock"


@pytest.mark.parametrize("lock", NEEDED)
def test_a_lock_file_gives_one_version_and_its_digests_for_every_entry(lock: str) -> None:
    for requirement, options in entries(lock):
        assert [specifier.operator for specifier in requirement.specifier] == ["=="], requirement
        assert requirement.url is None
        assert options, requirement
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", option) for option in options), requirement


@pytest.mark.parametrize("lock", NEEDED)
def test_a_lock_file_names_no_place_to_install_from(lock: str) -> None:
    assert not re.search(r"://|index-url|find-links|trusted-host|\bpypi\b", LOCKS[lock])


def test_the_development_lock_adds_packages_and_changes_no_version() -> None:
    played, developed = pins("requirements.lock"), pins("requirements-dev.lock")
    differing = {name for name in set(played) & set(developed) if played[name] != developed[name]}
    assert differing == set()


def test_make_installs_nothing_that_is_not_locked() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "LOCKED := $(INSTALL) --require-hashes --only-binary :all: --requirement\n" in makefile
    assert makefile.count("pip install") == 1
    installs = re.findall(r"\t.*\$\((?:INSTALL|LOCKED)\) (.*)", makefile)
    assert sorted(each.removesuffix(" --no-compile") for each in installs) == sorted(
        [*NEEDED, "--no-deps --no-build-isolation --editable ."]
    )


def test_a_release_has_a_wheel_for_every_python_of_the_classifiers() -> None:
    named = [text.rsplit(" ", 1)[1] for text in DECLARED["project"]["classifiers"] if re.search(r"Python :: 3\.", text)]
    assert DECLARED["tool"]["cibuildwheel"]["build"] == [f"cp{version.replace('.', '')}-*" for version in named]


@pytest.mark.parametrize(
    ("declared", "is_allowed"),
    [
        ("License-Expression: Apache-2.0 AND BSD-2-Clause", True),
        ("License-Expression: LGPL-3.0-only", False),
        ("License-Expression: MIT AND MPL-2.0", False),
        (
            "Classifier: License :: OSI Approved :: MIT License\n"
            "Classifier: License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)",
            False,
        ),
        ("Summary: No licence", False),
    ],
)
def test_a_required_package_has_a_permissive_licence(tmp_path: Path, declared: str, is_allowed: bool) -> None:
    metadata = tmp_path / "alpha-1.0.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text(f"Metadata-Version: 2.4\nName: alpha\nVersion: 1.0\n{declared}\n")
    command = [sys.executable, "-m", "piplicenses", "--packages", "alpha"]
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is is_allowed, done.stderr
    assert "alpha" in done.stdout + done.stderr
