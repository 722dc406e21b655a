"""The grammar of PyFL, as far as the article uses it: what a program says becomes a tree of nodes.

A program is a list of definitions with a semicolon after each. Its value is that of `result`, or else of `res`.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, NoReturn

from solver.errors import NoughtsError

MAX_BYTES: Final = 6_000
"""The most bytes of a program."""

MAX_NESTED: Final = 40
"""The most expressions inside one another."""

POWERS: Final = {
    sign: power
    for power, signs in enumerate(("where", "&&", "or", "and", "not", "= == != < >", "<> ^", "+ -", "*", "("), 1)
    for sign in signs.split()
}
"""How strongly each sign binds that stands behind an expression, and `not` before one."""

WITH_RESULT: Final = ("sumfor", "concatfor")
"""The variable-binding operators that have a result after `all`, and may do without a condition."""

OPERATORS: Final = ("those", "exist", "forall", "firstof", *WITH_RESULT)
"""The variable-binding operators."""

_WORDS: Final = ("if", "then", "else", "fi", "while", "until", "valof", "end", "in", "all", "fby")
RESERVED: Final = {*POWERS, *OPERATORS, *_WORDS}
"""Words that are no names."""

_TOKEN: Final = re.compile(
    r"(?P<space>\s+|//[^\n]*)|(?P<number>\d{1,12})|(?P<text>'[^'\n]*'|\"[^\"\n]*\")|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<sign>\(%|%\)|&&|<>|[=!]=|.)",
    re.ASCII,
)


class BadProgram(NoughtsError):
    """A program that breaks the grammar, does what makes no sense, or exceeds its bounds."""

    code = "bad_program"


def fail(line: int, words: str) -> NoReturn:
    """Raise BadProgram about a line of the program."""
    raise BadProgram(f"Line {line}: {words}")


class Expression(NamedTuple):
    """An expression of a program.

    `kind` is its first word or sign, or one of `number`, `text`, `name`, `call` and `part`. `words` are a name, a
    constant, the variable of an operator and its head, or the conditions of an `if`. `height` is the number of nodes
    inside one another, definitions left out.
    """

    kind: str
    line: int
    parts: tuple["Expression", ...] = ()
    words: tuple[str, ...] = ()
    definitions: tuple["ProgramDefinition", ...] = ()
    height: int = 1


class ProgramDefinition(NamedTuple):
    """A definition of a name: a variable, a function with `parameters`, or a stream that goes on as `then`."""

    name: str
    parameters: tuple[str, ...] | None
    body: Expression
    then: Expression | None = None


def parse_program(program: str) -> Expression:
    """Return a program as a `where`. Raises BadProgram."""
    if len(program.encode(errors="replace")) > MAX_BYTES:
        raise BadProgram(f"A program has {MAX_BYTES:,} bytes at most.")
    definitions = _Parser(program).definitions("")
    named = {definition.name: definition for definition in definitions}
    name = "result" if "result" in named else "res"
    if name not in named:
        raise BadProgram("Define “result”: that's the value of the program.")
    return Expression("where", 1, (Expression("name", named[name].body.line, words=(name,)),), definitions=definitions)


class _Token(NamedTuple):
    kind: str
    text: str
    line: int
    begin: int
    end: int


def _tokens(program: str) -> Iterator[_Token]:
    line = 1
    for match in _TOKEN.finditer(program):
        if match.lastgroup != "space":
            yield _Token(str(match.lastgroup), match[0], line, match.start(), match.end())
        line += match[0].count("\n")
    yield _Token("sign", "", line, len(program), len(program))


class _Parser:
    """A parser of one program, which stands before the token at `place`."""

    def __init__(self, program: str) -> None:
        self.program, self.tokens, self.place, self.nested = program, [*_tokens(program)], 0, 0

    @property
    def here(self) -> _Token:
        return self.tokens[self.place]

    def sees(self, *texts: str) -> bool:
        return self.here.kind in ("word", "sign") and self.here.text in texts

    def takes(self, text: str) -> bool:
        """Return whether this word or sign is next, and go past it if so."""
        seen = self.sees(text)
        self.place += seen
        return seen

    def take(self, text: str) -> None:
        if not self.takes(text):
            self.miss(f"“{text}”")

    def miss(self, what: str) -> NoReturn:
        text = f"“{self.here.text[:30]}”" if self.here.text else "the end"
        fail(self.here.line, f"{what} should be here, not {text}.")

    def name(self, what: str = "a name") -> str:
        name = self.here.text
        if self.here.kind != "word" or name in RESERVED:
            self.miss(what)
        self.place += 1
        return name

    def names(self, what: str = "a name") -> tuple[str, ...]:
        """Return the names that are next, with commas between them."""
        names = [self.name(what)]
        while self.takes(","):
            names.append(self.name())
        return tuple(names)

    def words_from(self, begin: int) -> str:
        """Return what has been read since this place of the program, on one line."""
        return " ".join(self.program[begin : self.tokens[self.place - 1].end].split())

    def node(
        self, kind: str, line: int, *parts: Expression, words: tuple[str, ...] = (), ending: str = ""
    ) -> Expression:
        """Return an expression of these parts, with the definitions up to an ending if it has one."""
        height = 1 + max((part.height for part in parts), default=0)
        if height > MAX_NESTED:
            fail(line, "too many expressions inside one another.")
        return Expression(kind, line, parts, words, self.definitions(ending) if ending else (), height)

    def definitions(self, ending: str) -> tuple[ProgramDefinition, ...]:
        """Return the definitions up to this word, which is read. The end of a program is an empty word."""
        made: list[ProgramDefinition] = []
        while not self.takes(ending):
            made += self.definition()
        return tuple(made)

    def definition(self) -> Iterator[ProgramDefinition]:
        """Yield what is defined up to the next semicolon. Several names are parts of a tuple, which gets a name too."""
        line, names, parameters = self.here.line, self.names("a definition"), None
        if len(names) == 1 and self.takes("("):
            parameters = self.names()
            self.take(")")
        self.take("=")
        body = self.expression()
        then = self.expression() if parameters is None and self.takes("fby") else None
        if not self.sees("end"):
            self.take(";")
        yield ProgramDefinition(whole := ", ".join(names), parameters, body, then)
        for place, name in enumerate(names if len(names) > 1 else ()):
            tuple_named = self.node("name", line, words=(whole,))
            yield ProgramDefinition(name, None, self.node("part", line, tuple_named, words=(str(place),)))

    def expression(self, least: int = 0) -> Expression:
        """Return the expression of signs that bind stronger than `least`."""
        self.nested += 1
        line = self.here.line
        if self.nested > MAX_NESTED:
            fail(line, "too many expressions inside one another.")
        node = self.first()
        while self.sees(*POWERS) and POWERS[sign := self.here.text] > least and sign != "not":
            self.place += 1
            if sign == "where":
                node = self.node(sign, line, node, ending="end")
            elif sign == "(":
                node = self.node("call", line, node, *self.until(")"))
            else:
                node = self.node(sign, line, node, self.expression(POWERS[sign]))
        self.nested -= 1
        return node

    def until(self, ending: str) -> list[Expression]:
        """Return the expressions up to this sign, which is read. Lists may do without commas."""
        parts: list[Expression] = []
        while not self.takes(ending):
            if parts and not self.takes(",") and ending != "]":
                self.miss(f"“,” or “{ending}”")
            parts.append(self.expression(POWERS["*"] if ending == "]" else 0))
        return parts

    def first(self) -> Expression:
        """Return the expression that is next, up to the sign after it."""
        kind, text, line, begin, _ = self.here
        if kind in ("number", "text"):
            self.place += 1
            return self.node(kind, line, words=(text if kind == "number" else text[1:-1].replace("\\n", "\n"),))
        if self.takes("("):
            node = self.expression()
            self.take(")")
            return node
        if self.takes("(%"):
            return self.node(text, line, *self.until("%)"))
        if self.takes("["):
            return self.node(text, line, *self.until("]"))
        if self.takes("not"):
            return self.node(text, line, self.expression(POWERS[text]))
        if self.takes("if"):
            return self.choice(line)
        if self.takes("valof"):
            return self.node("where", line, self.node("name", line, words=("result",)), ending="end")
        if self.takes("while"):
            return self.node(text, line, self.expression(), ending="end")
        if self.takes("until"):
            return self.node("while", line, self.node("not", line, self.expression()), ending="end")
        if self.sees(*OPERATORS):
            return self.over(text, line, begin)
        return self.node("name", line, words=(self.name("a value"),))

    def choice(self, line: int) -> Expression:
        """Return the `if` whose first word is read: conditions and results in turn, then what follows `else`."""
        parts, words = [], []
        while not self.takes("else"):
            begin = self.here.begin
            parts.append(self.expression())
            words.append(self.words_from(begin))
            self.take("then")
            parts.append(self.expression())
        parts.append(self.expression())
        self.take("fi")
        return self.node("if", line, *parts, words=(*words, "else"))

    def over(self, kind: str, line: int, begin: int) -> Expression:
        """Return a variable-binding operator: its list, its condition and its result."""
        self.take(kind)
        variable = self.name()
        self.take("in")
        items = self.expression()
        words = variable, self.words_from(begin)
        condition, result = self.node("name", line, words=("true",)), self.node("name", line, words=(variable,))
        if kind not in WITH_RESULT or self.sees(":"):
            self.take(":")
            condition = self.expression()
        if kind in WITH_RESULT:
            self.take("all")
            result = self.expression()
        self.take("end")
        return self.node(kind, line, items, condition, result, words=words)
