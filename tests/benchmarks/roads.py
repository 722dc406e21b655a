"""The modules that a request passes, from the application down to the tablebase or the store and back.

A request is counted twice. The whole road has every module of the project whose functions run, also those that handle
each request: security, compression, health. The road from the route has only what runs below the route's function, and
leaves out `solver/board`, which holds plain values. The page that a visitor comes from is requested first, uncounted.
A warm request is one that this process has answered before.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from traceback import walk_stack
from types import FrameType
from typing import Final, NamedTuple, TypeAlias

from webapp.app import create_app

ROOT: Final = Path(__file__).parent.parent.parent

Calls: TypeAlias = set[tuple[str, str]]
"""Pairs of a module and one that it calls."""

VALUES: Final = "solver/board/"
"""The folder of plain values, which the road from the route leaves out."""


class Step(NamedTuple):
    """A request: the page that the visitor comes from, the address, and the form or the JSON object that is posted.

    Without an address, the visitor makes a game on the page and plays in it.
    """

    before: str
    path: str
    form: Mapping[str, str] | None = None
    json: Mapping[str, object] | None = None
    is_warm: bool = False


ROADS: Final = {
    "a click": Step("/play/3x3x3?o=hard", "/play/3x3x3?o=hard", {"cell": "b2"}),
    "a warm click": Step("/play/3x3x3?o=hard", "/play/3x3x3?o=hard&seed=1", {"cell": "b2"}, is_warm=True),
    "a why": Step("/play/3x3x3?moves=b2&o=hard", "/why/3x3x3?moves=b2&o=hard&line=a1"),
    "a large board never seen": Step("/", "/play/6x5x4?moves=c3&o=friend"),
    "8x8x5 never seen": Step("/", "/play/8x8x5?moves=c3d4&o=friend"),
    "a live move": Step("/live", "", {"cell": "b2"}),
    "a proof by POST": Step("/", "/api/v1/prove", json={"moves": {"X../.../...": "b2"}}),
}
"""Requests by name."""


def figures() -> Iterator[str]:
    """Count the modules whose functions run, and the pairs in which a module calls one that imports it."""
    above = importers()
    for name, step in ROADS.items():
        whole, below = road(step)
        yield f"{name}: {_counted(whole, above)}"
        from_route = {pair for pair in below if not any(module.startswith(VALUES) for module in pair)}
        names = ", ".join(sorted(passed(from_route)))
        yield f"{name}, from the route down: {_counted(from_route, above)} ({names})"


def _counted(calls: Calls, above: Mapping[str, set[str]]) -> str:
    climbs = sum(called in above.get(caller, ()) for caller, called in calls)
    return f"passes {len(passed(calls))} modules and climbs back up {climbs} times"


def passed(calls: Calls) -> set[str]:
    """Return the modules that call or are called."""
    return {module for pair in calls for module in pair}


def road(step: Step) -> tuple[Calls, Calls]:
    """Return the calls between modules of a whole request, and those below the function of its route."""
    app = create_app()
    client = app.test_client()
    client.get(step.before)
    address = step.path or client.post(step.before).headers["Location"]
    method = "POST" if step.form or step.json else "GET"
    headers = {} if step.json else {"HX-Request": "true"}

    def ask() -> int:
        return client.open(address, method=method, data=step.form, json=step.json, headers=headers).status_code

    if step.is_warm:
        ask()
    routes = {view.__code__ for view in app.view_functions.values() if hasattr(view, "__code__")}
    whole: Calls = set()
    below: Calls = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or frame.f_code.co_name == "<module>" or not (called := module_of(frame)):
            return
        callers = [each for each, _ in walk_stack(frame.f_back)]
        caller = next(filter(None, map(module_of, callers)), "")
        if caller and caller != called:
            whole.add((caller, called))
            if any(each.f_code in routes for each in callers):
                below.add((caller, called))

    sys.setprofile(note)
    try:
        status = ask()
    finally:
        sys.setprofile(None)
    if status != 200:
        raise RuntimeError(f"{step.path}: {status}")
    return whole, below


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
