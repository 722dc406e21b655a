"""The evaluator of PyFL: the value of a node in a scope.

PyFL is lazy. A definition, an argument or a part of a lazy tuple is a promise. It is kept when something first asks for
it, and then known.

In a `while`, a variable is a stream with a value at each time: `a fby b` is `a` at time 1, and then what `b` was at the
time before. Each turn of the loop asks for all streams, so that no chain of promises grows.

A run is bounded in its steps, in the size of its values and in its depth.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from solver.articles.pyfl.syntax import Expression, ProgramDefinition, fail
from solver.board.outcome import counted

MAX_STEPS: Final = 50_000
"""The most steps of a run: names, calls, elements of new lists and characters of new texts."""

MAX_SIZE: Final = 200
"""The most elements of a list, counted with those of the lists in it, and the most characters of a text."""

MAX_NUMBER: Final = 10**12
"""The largest number."""

MAX_DEPTH: Final = 700
"""The most Python frames of a run."""

Datum: TypeAlias = "int | str | List | LazyTuple | Function"
"""A value of a program. True and false are values too."""


class List(tuple["Datum", ...]):
    """A list, and the number of all elements in it and in its lists."""

    size: int


class LazyTuple(tuple["Promise", ...]):
    """The value of `(% a, b %)`."""


class Function(NamedTuple):
    """A function: the number of its arguments, and its call with promises of them, in a run and on a line."""

    takes: int
    call: Callable[["ProgramRun", int, list["Promise"]], Datum]


class Note(NamedTuple):
    """A variable-binding operator that has run: its line, the words of its head, and its value."""

    line: int
    words: str
    value: Datum


class Demand(NamedTuple):
    """A loop's variable at a time, which is asked for by another one or by the loop; later with its value."""

    name: str
    time: int
    by: "Demand | None" = None
    value: "Datum | None" = None


@dataclass(slots=True, eq=False)
class ProgramRun:
    """The state of a run: the steps and inputs that are left, and what the program has said.

    `notes` are the operators that have run, without those inside another one. `demands` are the variables of loops that
    were asked for, and `asking` those that are not known yet. Random elements are those at the place
    `pick` of their list; `drawn` is the length of the last list, 0 before, and `trail` the promises kept after that. If
    `once`, only one is drawn.
    """

    steps: int = MAX_STEPS
    inputs: Iterator[int] = field(default_factory=lambda: iter(()))
    depth: int = 0
    inside: int = 0
    said: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    demands: list[Demand] = field(default_factory=list)
    asking: list[Demand] = field(default_factory=list)
    once: bool = False
    pick: int = 0
    drawn: int = 0
    trail: list["Promise"] = field(default_factory=list)

    def spend(self, line: int, steps: int = 1) -> None:
        """Count steps. Raises BadProgram if too few are left."""
        self.steps -= steps
        if self.steps < 0:
            fail(line, "this takes too many steps. Does it ever end?")

    def evaluate(self, node: Expression, scope: "Scope") -> Datum:
        """Return the value of a whole definition or argument. Raises BadProgram if the run is too deep."""
        frames = 3 * node.height + 4  # at most three for each expression, and some for the call
        if self.depth + frames > MAX_DEPTH:
            fail(node.line, "too many calls inside one another. Does it ever end?")
        self.spend(node.line)
        self.depth += frames
        value = work(node, scope)
        self.depth -= frames
        return value

    def bounded(self, value: Any, line: int) -> Datum:
        """Return a new value, a sequence as a list. Raises BadProgram if it is too large."""
        result: Datum = value if isinstance(value, int | str) else List(value)
        if isinstance(result, int):
            return result if abs(result) <= MAX_NUMBER else fail(line, f"numbers go to {MAX_NUMBER:,} at most.")
        size = len(result)
        if isinstance(result, List):
            result.size = size = size + sum(item.size for item in result if isinstance(item, List))
        if size > MAX_SIZE:
            fail(line, f"lists and texts hold {MAX_SIZE} elements or characters at most.")
        self.spend(line, size)
        return result

    def outcomes(self, ask: Callable[[], Datum]) -> Iterator[Datum]:
        """Yield the value that `ask` returns for each random element. What was known before the draw stays known."""
        self.pick = 0
        while not self.pick or self.pick < self.drawn:
            self.drawn, self.trail = 0, []
            value = ask()
            for promise in self.trail:
                promise.known = None
            yield value
            self.pick += 1


@dataclass(slots=True, eq=False)
class Promise:
    """A value that is worked out when something first asks for it."""

    node: Expression
    scope: "Scope"
    demand: Demand | None = None
    known: "Datum | None" = None
    asked: bool = False

    def keep(self) -> Datum:
        """Return the value. Raises BadProgram if it needs itself."""
        if self.known is None:
            if self.asked:
                fail(self.node.line, "this needs its own value.")
            self.asked, run = True, self.scope.run
            if self.demand:
                run.demands.append(self.demand._replace(by=run.asking[-1] if run.asking else None))
                run.asking.append(self.demand)
            self.known = run.evaluate(self.node, self.scope)
            self.asked = False
            if self.demand:
                run.demands.append(run.asking.pop()._replace(value=self.known))
            if run.drawn:
                run.trail.append(self)
        return self.known


@dataclass(slots=True, eq=False)
class Scope:
    """Promises and values by name, and the scope around it."""

    run: ProgramRun
    values: dict[str, "Datum | Promise"]
    outer: "Scope | None" = None
    time: int = 0

    def ask(self, name: str, line: int) -> Datum:
        """Return the value of a name. Raises BadProgram if nothing has this name."""
        self.run.spend(line)
        scope = self
        while name not in scope.values:
            scope = scope.outer or fail(line, f"nothing is called {name}.")
        value = scope.values[name]
        return value.keep() if isinstance(value, Promise) else value

    def open(self, definitions: Sequence[ProgramDefinition], time: int = 0) -> "Scope":
        """Return a scope of definitions inside this one, in a loop those at a time from 1 on."""
        inside = Scope(self.run, {}, self, time)
        for name, parameters, body, _ in definitions:
            demand = Demand(name, time) if time and "," not in name else None
            inside.values[name] = (
                Promise(body, inside, demand) if parameters is None else _function(parameters, body, inside)
            )
        return inside

    def go_on(self, loop: Expression, given: Mapping[str, Datum] = MappingProxyType({})) -> "Scope":
        """Return the scope of a loop at the time after this one, in which some values are `given`."""
        assert self.outer is not None  # noqa: S101 - the scope of a loop is inside another one
        time = self.time + 1
        after = self.outer.open(loop.definitions, time)
        streams = {name: Promise(then, self, Demand(name, time)) for name, _, _, then in loop.definitions if then}
        after.values.update({**streams, **given})
        for name in streams:
            after.ask(name, loop.line)
        return after


def _function(parameters: tuple[str, ...], body: Expression, scope: Scope) -> Function:
    def call(run: ProgramRun, _: int, arguments: list[Promise]) -> Datum:
        return run.evaluate(body, Scope(run, dict(zip(parameters, arguments, strict=True)), scope))

    return Function(len(parameters), call)


def run_program(program: Expression, run: ProgramRun) -> Datum:
    """Return the value of a program. Raises BadProgram."""
    return run.evaluate(program, Scope(run, {**NATIVE}))


def work(node: Expression, scope: Scope) -> Datum:  # noqa: PLR0912 - a case for each kind of node
    """Return the value of a node in a scope. Raises BadProgram."""
    kind, line, parts, words, definitions, _ = node
    run = scope.run
    match kind:
        case "name":
            return scope.ask(words[0], line)
        case "call":
            function = expect(Function, work(parts[0], scope), line)
            if function.takes != len(parts) - 1:
                takes = counted(function.takes, "argument", "arguments")
                fail(line, f"this function takes {takes}, not {len(parts) - 1}.")
            value: Datum = function.call(run, line, [Promise(part, scope) for part in parts[1:]])
            return value
        case "number":
            return int(words[0])
        case "text":
            return words[0]
        case "[":
            return run.bounded([work(part, scope) for part in parts], line)
        case "(%":
            return LazyTuple(Promise(part, scope) for part in parts)
        case "part":
            promises: LazyTuple = expect(LazyTuple, work(parts[0], scope), line)
            place = int(words[0])
            return promises[place].keep() if place < len(promises) else fail(line, "the tuple is too short.")
        case "and":
            return true(parts[0], scope) and true(parts[1], scope)
        case "or":
            return true(parts[0], scope) or true(parts[1], scope)
        case "not":
            return not true(parts[0], scope)
        case "if":
            place = 0
            while place < len(parts) - 1 and not true(parts[place], scope):
                place += 2
            return work(parts[min(place + 1, len(parts) - 1)], scope)
        case "where":
            return work(parts[0], scope.open(definitions))
        case "while":
            now = scope.open(definitions, 1)
            while true(parts[0], now):
                now = now.go_on(node)
            return now.ask("result", line)
        case sign if sign in SIGNS:
            wanted, apply = SIGNS[sign]
            left = expect(wanted, work(parts[0], scope), line)
            value = apply(left, expect(wanted, work(parts[1], scope), parts[1].line))
            return value if wanted is object else run.bounded(value, line)
    run.inside += 1
    value = gather(node, scope)
    run.inside -= 1
    if not run.inside:
        run.notes.append(Note(line, words[1], value))
    return value


def gather(node: Expression, scope: Scope) -> Any:
    """Return the value of a variable-binding operator."""
    kind, line, (over, condition, result), (variable, _), *_ = node
    run, values = scope.run, []
    for item in expect(List, work(over, scope), over.line):
        inside = Scope(run, {variable: item}, scope)
        if true(condition, inside) is (kind == "forall"):
            continue
        if kind in ("exist", "forall"):
            return kind == "exist"
        values.append(work(result, inside))
        if kind == "firstof":
            return values[0]
    match kind:
        case "exist" | "forall":
            return kind == "forall"
        case "firstof":
            fail(line, "firstof finds nothing.")
        case "sumfor":
            return run.bounded(sum(expect(int, value, line) for value in values), line)
        case "concatfor":
            return run.bounded("".join(expect(str, value, line) for value in values), line)
    return run.bounded(values, line)


def true(condition: Expression, scope: Scope) -> bool:
    """Return whether a condition is true. Raises BadProgram if it is neither true nor false."""
    answer: bool = expect(bool, work(condition, scope), condition.line)
    return answer


SIGNS: Final[Mapping[str, tuple[type, Callable[[Any, Any], Any]]]] = {
    "==": (object, lambda a, b: type(a) is type(b) and a == b),
    "=": (object, lambda a, b: type(a) is type(b) and a == b),
    "!=": (object, lambda a, b: type(a) is not type(b) or a != b),
    "&&": (object, lambda _, b: b),
    "<": (int, lambda a, b: a < b),
    ">": (int, lambda a, b: a > b),
    "<>": (List, lambda a, b: (*a, *b)),
    "^": (str, lambda a, b: a + b),
    "+": (int, lambda a, b: a + b),
    "-": (int, lambda a, b: a - b),
    "*": (int, lambda a, b: a * b),
}
"""The kind of value that each sign needs on both sides, and what it makes of them."""

KINDS: Final[Mapping[type, str]] = {
    bool: "true or false",
    int: "a number",
    str: "a text",
    List: "a list",
    LazyTuple: "a tuple (% … %)",
    Function: "a function",
}
"""The kinds of values in words."""


def expect(kind: type, value: Datum, line: int) -> Any:
    """Return a value if it is of this kind; `object` is any. Raises BadProgram for another."""
    if kind is not object and type(value) is not kind:
        fail(line, f"this needs {KINDS[kind]}, not {write(value)[:40] or 'an empty text'}.")
    return value


def write(value: Datum) -> str:
    """Write a value as the program would say it."""
    if isinstance(value, List):
        return f"[{' '.join(map(write, value))}]"
    if isinstance(value, LazyTuple | Function):
        return KINDS[type(value)]
    return str(value).lower() if isinstance(value, bool) else str(value)


def native(kind: type, apply: Callable[[ProgramRun, int, Any], Any]) -> Function:
    """Return a function of one argument of this kind."""

    def call(run: ProgramRun, line: int, arguments: list[Promise]) -> Datum:
        value: Datum = apply(run, line, expect(kind, arguments[0].keep(), line))
        return value

    return Function(1, call)


def _head(_: ProgramRun, line: int, items: List) -> Datum:
    return items[0] if items else fail(line, "this list is empty.")


def _tail(run: ProgramRun, line: int, items: List) -> Datum:
    return run.bounded(items[1:], line) if items else fail(line, "this list is empty.")


def _draw(run: ProgramRun, line: int, items: List) -> Datum:
    _head(run, line, items)
    if run.drawn and run.once:
        fail(line, "a move draws one random element at most.")
    run.drawn = len(items)
    return items[run.pick]


def _say(run: ProgramRun, line: int, text: str) -> str:
    run.said.append(str(run.bounded(text, line)))
    return text


def _input(run: ProgramRun, line: int, _: str) -> Datum:
    typed = next(run.inputs, None)
    return fail(line, "the program asks for one more input.") if typed is None else typed


NATIVE: Final[Mapping[str, Datum]] = MappingProxyType(
    {
        "true": True,
        "false": False,
        "hd": native(List, _head),
        "tl": native(List, _tail),
        "randomelement": native(List, _draw),
        "str": native(object, lambda run, line, value: run.bounded(write(value), line)),
        "outputs": native(str, _say),
        "outputln": native(str, lambda run, line, text: _say(run, line, text + "\n")),
        "input": native(str, _input),
        "error": native(str, lambda _, line, text: fail(line, f"the program stops with “{text}”.")),
    }
)
"""What every program can name. Its functions take one argument."""
