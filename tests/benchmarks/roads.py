"""The modules that a request passes, from the application down to the tablebase or the store and back."""

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Final

from webapp.app import create_app

ROOT: Final = Path(__file__).parent.parent.parent

ROADS: Final = {
    "a click": ("POST", "/play/3x3x3?o=hard", "b2"),
    "a why": ("GET", "/why/3x3x3?moves=b2&o=hard&line=a1", ""),
    "a large board never seen": ("GET", "/play/6x5x4?moves=c3&o=friend", ""),
}


def figures() -> Iterator[str]:
    """Count the modules whose functions run, and the pairs in which a module calls one that imports it."""
    above = importers()
    for name, (method, path, cell) in ROADS.items():
        passed, calls = road(method, path, cell)
        climbs = {(caller, called) for caller, called in calls if called in above.get(caller, ())}
        names = ", ".join(sorted(passed))
        yield f"{name}: passes {len(passed)} modules and climbs back up {len(climbs)} times ({names})"


def road(method: str, path: str, cell: str) -> tuple[set[str], set[tuple[str, str]]]:
    """Return the modules of the project that a request passes, and each pair of a module and one that it calls."""
    client = create_app().test_client()
    passed, calls = set(), set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or frame.f_code.co_name == "<module>" or not (called := module_of(frame)):
            return
        passed.add(called)
        before = frame.f_back
        while before is not None and not module_of(before):
            before = before.f_back
        if before is not None and (caller := module_of(before)) != called:
            calls.add((caller, called))

    sys.setprofile(note)
    try:
        answer = client.open(path, method=method, data={"cell": cell}, headers={"HX-Request": "true"})
    finally:
        sys.setprofile(None)
    if answer.status_code != 200:
        raise RuntimeError(f"{path}: {answer.status}")
    return passed, calls


def module_of(frame: FrameType) -> str:
    """Return the project's module that a frame runs in, as a path; "" for any other code."""
    path = Path(frame.f_code.co_filename)
    return str(path.relative_to(ROOT)) if any(path.is_relative_to(ROOT / top) for top in ("solver", "webapp")) else ""


def importers() -> Mapping[str, set[str]]:
    """Return for each module all that import it, directly or through others."""
    paths = [path.relative_to(ROOT) for top in ("solver", "webapp") for path in (ROOT / top).rglob("*.py")]
    above: dict[str, set[str]] = {str(path): set() for path in paths}
    for path in paths:
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
                for name in names:
                    base = name.replace(".", "/")
                    for found in {f"{base}.py", f"{base}/__init__.py"} & above.keys():
                        above[found].add(str(path))
    for _ in above:
        before = sum(map(len, above.values()))
        above = {each: found.union(*(above[one] for one in found)) for each, found in above.items()}
        if sum(map(len, above.values())) == before:
            break
    return above
