"""The rules of the whole project: imports, names, vendored files, and what a command loads."""

import ast
import hashlib
import subprocess
import sys
import tomllib
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOLVER = sorted((ROOT / "solver").rglob("*.py"))
WEBAPP = sorted((ROOT / "webapp").rglob("*.py"))

PACKAGES = {
    "solver": {
        "errors": "",
        "board": "errors",
        "system": "",
        "structs": "",
        "kernel": "",
        "search": "kernel",
        "proofs": "kernel search system",
        "players": "kernel proofs search",
        "reasons": "kernel proofs search",
        "analysis": "players proofs reasons search",
        "articles": "analysis players proofs search",
        "catalogue": "analysis kernel players search",
        "pictures": "articles proofs search",
        "report": "analysis catalogue players proofs reasons structs",
        "oracle": "analysis players proofs reasons search",
        "library": "analysis pictures players proofs search",
        "__init__": "analysis catalogue library pictures players proofs reasons search",
        "rl": "players proofs",
        "cli": "analysis articles catalogue kernel library oracle pictures players proofs reasons report search",
        "__main__": "cli",
    },
    "webapp": {
        "__init__": "",
        "config": "",
        "serving": "config",
        "ui": "serving",
        "pages": "config serving ui",
        "api": "config serving ui",
        "health": "pages serving",
        "app": "api config health pages serving ui",
        "processes": "app config pages serving",
        "agents": "api",
        "serve": "config pages processes serving",
    },
    "webapp.serving": {
        "__init__": "",
        "counts": "",
        "fairness": "",
        "stream": "",
        "http": "",
        "pool": "counts fairness http",
        "bridge": "counts fairness http pool stream",
    },
    "webapp.pages": {
        "__init__": "",
        "practise": "",
        "play": "practise",
        "live": "play",
        "learn": "play",
        "classes": "learn live play practise",
        "games": "play",
        "install": "",
        "lab": "play",
        "prove": "",
    },
}
"""The parts of its own package that each folder or module imports, in an order without circles.

The web application may import any part of the solver but its command line.
"""

FREE = {"solver.board", "solver.errors"}
"""Parts that every other part of the solver may import."""


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> Iterator[str]:
    """Yield the modules that a module imports, also inside functions."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            within = node.module in PACKAGES
            yield from (f"{node.module}.{alias.name}" for alias in node.names) if within else (node.module,)


def name_of(node: ast.stmt) -> str:
    """Return the name of the class or type that a statement defines, or ""."""
    match node:
        case ast.ClassDef(name) | ast.AnnAssign(ast.Name(name), ast.Name("TypeAlias")):
            return name
    return ""


def part(module: str, package: str = "") -> str:
    """Return the part of a package, a folder or module, that holds a module."""
    return ".".join(module.split(".")[: package.count(".") + 2])


@pytest.mark.parametrize("package", PACKAGES)
def test_each_part_of_a_package_imports_exactly_the_parts_in_the_table(package: str) -> None:
    found: dict[str, set[str]] = {}
    for path in ROOT.joinpath(*package.split(".")).rglob("*.py"):
        name = part(".".join(path.relative_to(ROOT).with_suffix("").parts), package)
        below = {part(module, package) for module in imported(path) if module.startswith(f"{package}.")}
        found.setdefault(name, set()).update(below - {name} if name in FREE else below - {name} - FREE)
    told = {
        f"{package}.{name}": {f"{package}.{each}" for each in names.split()}
        for name, names in PACKAGES[package].items()
    }
    assert found == told


SHELVES = {
    "solver/board solver/kernel solver/search solver/proofs solver/oracle.py": 9_500,
    "solver/players solver/reasons solver/analysis": 6_695,
    "solver/catalogue": 1_600,
    "solver/pictures": 1_835,
    "solver/cli solver/__init__.py solver/__main__.py solver/errors.py solver/system.py solver/structs.py"
    " solver/library.py solver/report.py solver/rl": 5_200,
    "solver/articles webapp/pages/learn": 10_940,
    "webapp/serving webapp/processes": 3_215,
    "webapp/pages/play webapp/pages/live webapp/pages/practise webapp/pages/prove webapp/pages/games.py"
    " webapp/pages/lab.py webapp/pages/install.py webapp/api webapp/ui webapp/agents.py webapp/app.py webapp/config.py"
    " webapp/health.py webapp/serve.py": 10_700,
    "webapp/pages/classes": 1_650,
}
"""The most lines of source of each shelf. Tests may have 0.8 times as many.

Whoever raises a number does so in a commit of its own, which says what for and what was let go first.
"""


def lines_in(path: Path) -> int:
    files = path.rglob("*.py") if path.is_dir() else [path]
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


@pytest.mark.parametrize("shelf", SHELVES)
def test_no_shelf_holds_more_than_its_budget(shelf: str) -> None:
    paths = [ROOT / name for name in shelf.split()]
    folder = ROOT / "tests" / "solver"
    tests = [folder / (f"test_{path.name}" if path.suffix else path.name) for path in paths]
    assert sum(map(lines_in, paths)) <= SHELVES[shelf]
    assert sum(lines_in(path) for path in tests if path.exists()) <= 0.8 * SHELVES[shelf]


def test_every_module_stands_on_a_shelf_and_tests_hold_four_lines_for_five() -> None:
    paths = [ROOT / name for shelf in SHELVES for name in shelf.split()]
    assert [path for path in (*SOLVER, *WEBAPP) if not any(path.is_relative_to(each) for each in paths)] == [
        ROOT / "webapp" / "__init__.py",
        ROOT / "webapp" / "pages" / "__init__.py",
    ]
    assert lines_in(ROOT / "tests") <= 0.8 * sum(SHELVES.values())


@pytest.mark.parametrize("package", PACKAGES)
def test_no_parts_of_a_package_import_each_other_in_a_circle(package: str) -> None:
    before: set[str] = set()
    for name, names in PACKAGES[package].items():
        assert set(names.split()) <= before, name
        before.add(name)


def test_no_modules_import_each_other_in_a_circle_even_inside_functions() -> None:
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in (*SOLVER, *WEBAPP)}
    graph = {}
    for module, path in modules.items():
        froms = [node for node in ast.walk(parsed(path)) if isinstance(node, ast.ImportFrom)]
        names = {
            name for node in froms for alias in node.names for name in (f"{node.module}.{alias.name}", node.module)
        }
        packages = {f"{name}.__init__" for name in names}
        graph[module] = (names | packages) & modules.keys() - {module}
    TopologicalSorter(graph).prepare()  # raises CycleError


def test_the_solver_knows_nothing_of_the_web() -> None:
    for path in SOLVER:
        tops = {module.partition(".")[0] for module in imported(path)}
        assert not tops & {"webapp", "flask", "jinja2", "granian"}, path


def test_only_the_commands_of_the_web_application_import_the_command_line() -> None:
    naming = [path.name for path in WEBAPP if any(part(module) == "solver.cli" for module in imported(path))]
    assert naming == ["agents.py", "serve.py"]


def test_only_lessons_and_the_lab_import_articles() -> None:
    naming = [path for path in WEBAPP if any(part(module) == "solver.articles" for module in imported(path))]
    assert {path.relative_to(ROOT / "webapp" / "pages").parts[0] for path in naming} == {"learn", "lab.py"}


def test_no_line_of_a_template_is_long() -> None:
    for path in (ROOT / "templates").rglob("*.html"):
        assert max(map(len, path.read_text(encoding="utf-8").splitlines())) <= 160, path


def test_no_two_classes_or_type_aliases_share_a_name() -> None:
    names = Counter(named for path in (*SOLVER, *WEBAPP) for node in parsed(path).body if (named := name_of(node)))
    assert [name for name, number in names.items() if number > 1 and not name.startswith("_")] == []


def test_one_module_names_the_headers_of_htmx() -> None:
    naming = [path.name for path in WEBAPP if "HX-" in path.read_text(encoding="utf-8")]
    assert naming == ["answers.py"]


@pytest.mark.parametrize("path", sorted((ROOT / "static").glob("*.css")), ids=lambda path: path.name)
def test_each_user_select_has_its_prefixed_twin_for_safari(path: Path) -> None:
    style = path.read_text(encoding="utf-8")
    assert style.count(" user-select:") == style.count("-webkit-user-select:")


def test_the_vendored_htmx_is_the_published_file_of_its_version() -> None:
    vendor = ROOT / "static" / "vendor"
    source = tomllib.loads((vendor / "htmx.toml").read_text(encoding="utf-8"))
    script = vendor / source["files"]["dist/htmx.min.js"]
    assert script.name == f"htmx-{source['version']}.min.js"
    assert f'version="{source["version"]}"' in script.read_text(encoding="utf-8")
    assert script.name in (ROOT / "templates" / "_scripts.html").read_text(encoding="utf-8")
    digest = b64encode(hashlib.sha384(script.read_bytes()).digest()).decode()
    # The digest of the file in npm's package.
    published = "sha384-Qp9rdC8H7EqOoX+nR0P3RPG2Noji+qdwJlGpfzwQJsfOpp3sGwIdSP9xO3+UlEhn"
    assert f"sha384-{digest}" == source["script"] == published


def test_the_vendored_typeface_is_the_subset_that_is_named_beside_it() -> None:
    vendor = ROOT / "static" / "vendor"
    source = tomllib.loads((vendor / "baloo-2.toml").read_text(encoding="utf-8"))
    font = (vendor / f"baloo-2-{source['version']}.woff2").read_bytes()
    assert f"sha384-{b64encode(hashlib.sha384(font).digest()).decode()}" == source["font"]
    assert len(font) <= 14_000


def test_every_vendored_file_is_named_with_its_package() -> None:
    vendor = ROOT / "static" / "vendor"
    sources = [tomllib.loads(path.read_text(encoding="utf-8")) for path in vendor.glob("*.toml")]
    named = {name for source in sources for name in source["files"].values()}
    assert {path.name for path in vendor.glob("[!.]*") if path.suffix != ".toml"} == named


EXPENSIVE = ["webapp", "flask", "sqlite3", "pathlib", "urllib.parse"]
EXPENSIVE += [f"solver.{part}" for part in ("kernel.engine", "pictures", "players", "cli.play")]


def test_a_small_board_at_the_command_line_loads_no_server_no_store_no_kernel_and_no_opponent() -> None:
    loads = "import sys; before = {*sys.modules}; from solver.cli import main; main(['predict'])"
    code = f"{loads}; print(*sorted({{*{EXPENSIVE}}} & {{*sys.modules}} - before), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == "\n"
