"""The package: what it holds, what it requires, and that it runs where it is installed."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import time
import tomllib
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.server import FORM, connected, running_server, wait_until_it_answers

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
        [
            "--no-deps --no-build-isolation --editable .",
            "--only-binary :all: --constraint tests/peers/constraints.txt $$peer || true; done",
            *NEEDED,
        ]
    )


def test_what_make_peers_installs_is_pinned() -> None:
    lines = (ROOT / "tests" / "peers" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [Requirement(line) for line in lines if not line.startswith("#")]
    assert {"open-spiel", "sb3-contrib"} <= {canonicalize_name(requirement.name) for requirement in pinned}
    assert [r for r in pinned if [each.operator for each in r.specifier] != ["=="] or r.url] == []


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


pytestmark = pytest.mark.slow


def fetch(url: str) -> tuple[int, str]:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.status, answer.read().decode(errors="replace")


def can_compile() -> bool:
    """Return whether a C compiler and this interpreter's headers are here."""
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return bool(shutil.which(compiler.split()[0])) and Path(sysconfig.get_path("include"), "Python.h").exists()


@pytest.fixture(scope="module", params=["compiled", pytest.param("interpreted", marks=pytest.mark.exhaustive)])
def kernel(request: pytest.FixtureRequest) -> str:
    """Return the kernel of a wheel: compiled if a compiler is here, or interpreted."""
    if request.param == "compiled" and not can_compile():
        pytest.skip("there is no C compiler here")
    return str(request.param)


@pytest.fixture(scope="module")
def wheel(kernel: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source distribution, and the wheel from it."""
    place = tmp_path_factory.mktemp("built")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(place), str(ROOT)]
    compiler = {"CFLAGS": "-O0"} if kernel == "compiled" else {"CC": "false"}  # sooner ready
    subprocess.run(build, check=True, capture_output=True, cwd=place, env=os.environ | compiler)
    (wheel,) = place.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def environment(wheel: Path) -> Path:
    """Return the `bin` folder of a fresh environment with the wheel and its dependencies."""
    place = wheel.parent
    venv.create(place / "venv", with_pip=True)
    python = place / "venv" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
    locked = ["--require-hashes", "--only-binary", ":all:", "--requirement", str(ROOT / "requirements.lock")]
    for what in (locked, ["--no-deps", str(wheel)]):
        subprocess.run([*install, *what], check=True, capture_output=True, cwd=place)
    return place / "venv" / "bin"


@pytest.fixture
def installed(environment: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the environment, without variables that point to the checkout or choose a kernel."""
    monkeypatch.chdir(environment)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.delenv("NOUGHTS_KERNEL", raising=False)
    return environment


def test_the_wheel_serves_the_page_with_its_templates_and_static_files(installed: Path) -> None:
    with running_server(command=(str(installed / "noughts"),)) as address:
        status, page = fetch(f"{address}/play/3x3x3?moves=b2")
        assert status == 200
        assert "Hard to move (O)" in page
        for part in page.split('"'):
            if part.startswith("/static/"):
                assert fetch(address + part)[0] == 200


def test_the_wheels_command_line_works_away_from_the_checkout(installed: Path) -> None:
    command = [str(installed / "noughts"), "predict", "X.O/.X./..O", "--json"]
    assert json.loads(subprocess.check_output(command))["best"] == ["c2"]


def test_the_wheels_kernel_is_compiled_if_a_compiler_is_there(installed: Path, kernel: str) -> None:
    command = [str(installed / "noughts"), "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.endswith(f" ({kernel} kernel)\n")
    assert done.stderr == ""


@pytest.mark.parametrize("kernel", ["compiled"], indirect=True)
def test_a_wheel_has_three_million_bytes_at_most(wheel: Path) -> None:
    assert wheel.stat().st_size <= 3_000_000


@pytest.fixture(scope="module")
def light(wheel: Path) -> Path:
    """Return the `bin` folder of a fresh environment with the wheel and platformdirs, and nothing else."""
    place = wheel.parent
    venv.create(place / "light", with_pip=True)
    (pinned,) = (entry for entry, _ in entries("requirements.lock") if entry.name == "platformdirs")
    install = [str(place / "light" / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-deps"]
    subprocess.run([*install, str(wheel), str(pinned)], check=True, capture_output=True, cwd=place)
    return place / "light" / "bin"


def run_in(environment: Path, folder: Path, words: str) -> subprocess.CompletedProcess[str]:
    command = [str(environment / "noughts"), *words.split()]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


@pytest.mark.parametrize("kernel", ["compiled"], indirect=True)
@pytest.mark.parametrize(
    "words",
    [
        "help",
        "man",
        "predict X.O/.X./..O --json",
        "why X.O/.X./..O c2 --json",
        "solve 4x3x3",
        "review b2a1b3c3 --json",
        "drills --count 1 --json",
        "atlas 3x3x3 --json",
        "verify win,block --json",
        "match easy hard --games 2",
        "claims",
        "tree X.O/XXO/O..",
    ],
)
def test_the_solver_alone_answers_what_needs_no_page_and_no_picture(light: Path, tmp_path: Path, words: str) -> None:
    done = subprocess.run(
        [str(light / "noughts"), *words.split()], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert (done.returncode in {0, 1}, done.stderr) == (True, "")
    assert done.stdout


@pytest.mark.parametrize("kernel", ["compiled"], indirect=True)
@pytest.mark.parametrize(
    ("words", "package", "what"),
    [
        ("serve", "flask", "noughts"),
        ("completion bash", "argcomplete", "noughts"),
        ("mcp", "mcp", "'noughts[mcp]'"),
        ("solve 4x3x3 --dask tcp://127.0.0.1:1", "distributed", "'noughts[dask]'"),
        ("picture tree --format png --output tree.png", "resvg-py", "noughts"),
        ("picture tree --format pdf --output tree.pdf", "reportlab", "noughts"),
    ],
)
def test_what_is_missing_is_named_with_the_command_that_brings_it(
    light: Path, tmp_path: Path, words: str, package: str, what: str
) -> None:
    done = subprocess.run(
        [str(light / "noughts"), *words.split()], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    refusal = f"noughts: This needs {package}. Install it with: pip install {what}\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", refusal)


def test_a_build_that_demands_the_compiled_kernel_fails_without_a_compiler(tmp_path: Path) -> None:
    build = [sys.executable, "setup.py", "build_ext", "--build-lib", str(tmp_path), "--build-temp", str(tmp_path)]
    demand = {"CC": "false", "NOUGHTS_KERNEL": "compiled"}
    done = subprocess.run(build, check=False, capture_output=True, cwd=ROOT, env=os.environ | demand)
    assert done.returncode != 0
    assert b"'false'" in done.stderr


@pytest.mark.parametrize("kernel", ["compiled"], indirect=True)
def test_the_wheel_passes_what_each_wheel_of_a_release_has_to_pass(installed: Path, tmp_path: Path) -> None:
    wheels = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cibuildwheel"]
    own = {"PATH": f"{installed}{os.pathsep}{os.environ['PATH']}", "NOUGHTS_CACHE": "off"}
    for command in wheels["test-command"]:
        subprocess.run(command, shell=True, check=True, cwd=tmp_path, env=os.environ | own)  # noqa: S602


@pytest.mark.parametrize("kernel", ["compiled"], indirect=True)
def test_uvx_serves_the_page_from_the_wheel_alone(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uvx = shutil.which("uvx", path=f"{Path(sys.prefix, 'tools', 'bin')}{os.pathsep}{os.environ['PATH']}")
    if uvx is None:
        if os.environ.get("CI"):
            pytest.fail("make test-all installs uvx")
        pytest.skip("there is no uvx here; make test-all installs it")
    monkeypatch.chdir(tmp_path)
    for name in ("PYTHONPATH", "NOUGHTS_KERNEL", "VIRTUAL_ENV"):
        monkeypatch.delenv(name, raising=False)
    for name in ("UV_CACHE_DIR", "UV_TOOL_DIR", "NOUGHTS_CACHE"):
        monkeypatch.setenv(name, str(tmp_path / name))
    locked = ("--system-certs", "--no-build", "--constraints", str(ROOT / "requirements.lock"))
    command = (uvx, "--quiet", "--python", sys.executable, *locked, "--from", str(wheel), "noughts")
    with running_server(command=command) as address:
        assert fetch(f"{address}/play/3x3x3?moves=b2")[0] == 200


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve several tests with two workers, at a host name."""
    with running_server("--workers", "2", "--host", "localhost") as served:
        yield served


def test_several_workers_serve_one_port_of_a_host_name(address: str) -> None:
    assert address.startswith("http://localhost:")
    assert {fetch(f"{address}/play/3x3x3?moves=b2a{row}")[0] for row in (1, 2, 3)} == {200}


def test_a_taken_port_is_reported_in_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "solver", "serve", "--port", str(port)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"Cannot listen on 127.0.0.1:{port}" in done.stderr
    assert "--port" in done.stderr


def test_a_form_that_never_arrives_blocks_no_other_request(address: str) -> None:
    with connected(address) as slow:
        slow.sendall(f"POST /play/3x3x3 HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n{FORM}\r\ncell=".encode())
        assert [fetch(f"{address}/healthz")[0] for _ in range(4)] == [200] * 4


def test_the_server_refuses_only_addresses_far_longer_than_any_link(address: str) -> None:
    statuses = []
    for length in (60_000, 70_000):
        with pytest.raises(urllib.error.HTTPError) as raised:
            fetch(f"{address}/play/3x3x3?moves={'a' * length}")
        statuses.append(raised.value.code)
        raised.value.close()
    assert statuses == [400, 414]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_interrupting_the_server_ends_it_quietly(workers: str) -> None:
    command = [sys.executable, "-m", "solver", "serve", "--port", "0", "--workers", workers]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )
    assert process.stdout is not None
    announced = process.stdout.readline()
    assert announced.startswith("Noughts is at http://127.0.0.1:")
    wait_until_it_answers(announced.split()[3].rstrip("/"))
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert "Traceback" not in errors


@pytest.mark.parametrize("moment", [0.1, 0.15, 0.2])
def test_a_server_that_is_asked_to_stop_while_its_workers_start_stops(moment: float) -> None:
    with running_server("--workers", "2", wait=False):
        time.sleep(moment)


def test_a_proxy_is_believed_only_when_the_server_is_told_to(address: str) -> None:
    def shown(address: str) -> bool:
        request = urllib.request.Request(
            f"{address}/", headers={"X-Forwarded-Proto": "https", "X-Forwarded-Host": "a.example"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return "https://a.example/play/3x3x3" in answer.read().decode()

    with running_server("--proxies", "1") as behind:
        assert (shown(address), shown(behind)) == (False, True)
