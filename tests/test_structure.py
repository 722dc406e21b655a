"""The house rules that hold for the whole project: what imports what, and what is kept where."""

import ast
import hashlib
import re
import subprocess
import sys
import tomllib
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOLVER = sorted((ROOT / "solver").rglob("*.py"))
WEBAPP = sorted((ROOT / "webapp").rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """The top-level packages that a module imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]


@pytest.mark.parametrize("path", SOLVER, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_solver_knows_nothing_of_the_web(path: Path) -> None:
    assert not {"webapp", "flask", "jinja2", "uvicorn"} & set(imported(path))


@pytest.mark.parametrize("path", sorted((ROOT / "templates").rglob("*.html")), ids=lambda path: path.name)
def test_no_line_of_a_template_is_long(path: Path) -> None:
    assert max(map(len, path.read_text(encoding="utf-8").splitlines())) <= 160


def test_no_two_classes_share_a_name() -> None:
    names = Counter(
        node.name
        for path in (*SOLVER, *WEBAPP)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, number in names.items() if number > 1] == []


def test_one_module_names_the_headers_of_htmx() -> None:
    naming = [path.name for path in WEBAPP if "HX-" in path.read_text(encoding="utf-8")]
    assert naming == ["htmx.py"]


def test_the_vendored_htmx_is_the_version_its_name_says() -> None:
    (vendored,) = (ROOT / "static" / "vendor").glob("htmx-*.min.js")
    version = re.search(r'version="([\d.]+)"', vendored.read_text(encoding="utf-8"))
    assert version is not None
    assert vendored.name == f"htmx-{version[1]}.min.js"
    assert vendored.name in (ROOT / "templates" / "_scripts.html").read_text(encoding="utf-8")


def test_the_vendored_htmx_is_the_published_file_to_the_byte() -> None:
    vendor = ROOT / "static" / "vendor"
    source = tomllib.loads((vendor / "htmx.toml").read_text(encoding="utf-8"))
    script = vendor / source["files"]["dist/htmx.min.js"]
    assert script.name == f"htmx-{source['version']}.min.js"
    digest = b64encode(hashlib.sha384(script.read_bytes()).digest()).decode()
    # That of the file in npm's package; `make audit` compares the two again, and the package with its integrity.
    published = "sha384-Qp9rdC8H7EqOoX+nR0P3RPG2Noji+qdwJlGpfzwQJsfOpp3sGwIdSP9xO3+UlEhn"
    assert f"sha384-{digest}" == source["script"] == published


def test_everything_vendored_says_which_package_it_is_from() -> None:
    vendor = ROOT / "static" / "vendor"
    source = tomllib.loads((vendor / "htmx.toml").read_text(encoding="utf-8"))
    assert {path.name for path in vendor.glob("[!.]*")} == {"htmx.toml", *source["files"].values()}


@pytest.mark.parametrize(
    "module",
    [
        "webapp",
        "flask",
        "sqlite3",
        "solver.search.engine",
        "solver.pictures",
        "solver.strategies",
        "solver.cli.playing",
        "pathlib",
        "urllib.parse",
    ],
)
def test_a_small_board_at_the_command_line_loads_no_server_no_store_no_kernel_and_no_opponent(module: str) -> None:
    loads = "import sys; before = {*sys.modules}; from solver.cli import main; main(['predict'])"
    code = f"{loads}; sys.exit({module!r} in {{*sys.modules}} - before)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False).returncode == 0
