"""The settings of a game: the dropdowns above its board, and the rest, which opens under "More"."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from solver.board.families import ANIMALS, Surface
from solver.board.names import HOLES, LINES
from solver.board.notation import parse_rules
from solver.board.rules import MAX_SIDE, TIC_TAC_TOE, Goal, Marking, Rules
from solver.board.shelf import SHELF
from solver.players import Strategy, opponent_called, playing_on
from solver.players.handbook import list_called
from webapp.pages.play import players, words
from webapp.pages.play.forms import GameForm
from webapp.pages.play.game import between_computers
from webapp.pages.play.link import LIVE, NO_SERIES, SCHEMES, SHARE, SPEEDS, Link, pays_patterns
from webapp.ui.filters import Choice, Option, board_size, options

_CONTENT: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

BOARDS: Final[tuple[str, ...]] = tuple(_CONTENT["boards"])
"""The boards of the dropdown; a link may name any other."""

_NAMES: Final = {game.board: game.name for game in SHELF if game.board not in BOARDS}

MORE: Final = "games"
"""The last entry of that dropdown, which leads to the page of all games."""

FIRST: Final = ("easy", "medium", "hard", "impossible", "friend")
"""The opponents in the dropdown."""

Groups: TypeAlias = Mapping[str, tuple[Option, ...]]
"""The entries of a dropdown, by the heading of their group."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that open on demand. `game` names the game in forms.

    `computers` are the strategies that play in this game. `others` and `depths` are opponents outside the dropdown; the
    opponents in `depths` differ only in search depth. `seats` has the possible players of X and O, by the mark's name
    in links. `size` has the titles and values of the numbers that define the board, and `clauses` the titles and
    entries of the rules that can be turned. `cells` has the names of the holes and of the cells of drawn lines, if any.
    """

    game: str
    computers: tuple[Option, ...]
    others: tuple[Option, ...]
    depths: tuple[Option, ...]
    seats: Mapping[str, Groups]
    size: Mapping[str, tuple[str, int]]
    clauses: Mapping[str, tuple[str, tuple[Option, ...]]]
    cells: Mapping[str, str]
    most: int
    begins: tuple[Choice, ...]
    schemes: tuple[Choice, ...]
    scheme_words: str
    reset_score: str | None
    shown: tuple[Choice, ...]
    share_url: str
    live_url: str
    speeds: tuple[Choice, ...]
    closer: tuple[Choice, ...]


def opponents(x: str, o: str) -> tuple[Option, ...]:
    """Return the entries of the opponent's dropdown: the levels, a friend, and the present one."""
    against = players.opponent(x, o)
    return options({each: players.title(each) for each in (*FIRST, against)}, against)


def choices(board: str, x: str, o: str) -> Iterator[tuple[str, str, tuple[Option, ...]]]:
    """Yield the dropdowns below the modes: each one's name in forms, its title and its entries."""
    mark = players.own(x, o)
    marks = ("X", "O", players.WATCH) if mark == players.WATCH else ("X", "O")
    boards = BOARDS if board in BOARDS else (board, *BOARDS)
    titles = {each: short_title(parse_rules(each)) for each in boards} | {MORE: "More games…"}
    yield "board", "Board", options(titles, board)
    yield "mark", "You" if mark == players.WATCH else "You play", options(dict(zip(marks, marks, strict=True)), mark)


def modes(show: str, outcomes: bool) -> Iterator[Option]:
    """Yield the modes above the board. The last one is any way to show `outcomes`, and keeps the present one."""
    for name, title in _CONTENT["modes"].items():
        analyses = name == "distance"
        yield Option(show if analyses and outcomes else name, title, outcomes if analyses else name == show)


def settings(link: Link) -> Settings:
    """Return the settings of a game that open on demand."""
    rules, against = link.rules, players.opponent(link.x, link.o)
    playing, named = playing_on(rules), str(rules).split("-")
    others = [each for each in playing if each.name not in FIRST]
    in_game = (opponent_called(name) for name in dict.fromkeys((link.x, link.o)))
    return Settings(
        game=link.form_text(),
        computers=tuple(_option(each, rules, each.name) for each in in_game if each),
        others=tuple(_option(each, rules, against) for each in others if not each.depth),
        depths=tuple(_option(each, rules, against) for each in others if each.depth),
        seats={"x": _groups(playing, rules, link.x), "o": _groups(playing, rules, link.o)},
        size={name: (title, getattr(rules, name)) for name, title in _CONTENT["sizes"].items()}
        | {"k": (_CONTENT["sizes"]["k"], min(rules.k, rules.columns, rules.rows) if rules.shape else rules.k)},
        clauses={
            "surface": ("Edges", options({each: each.words.capitalize() for each in Surface}, rules.surface)),
            "shape": ("Wins", options(_shapes(rules), rules.shape or "")),
            "drop": ("Stones", options(_CONTENT["drops"], rules.drop if rules.falls else "")),
            "lines": ("A line", options(_CONTENT["lines"], rules.goal if rules.goal is Goal.MISERE else "")),
            "marks": ("Marks", options(_CONTENT["marks"], "" if rules.marks is Marking.OWN else rules.marks)),
        },
        cells={word: name.removeprefix(word) for word in (HOLES, LINES) for name in named if name.startswith(word)},
        most=MAX_SIDE,
        begins=tuple(
            Choice(title, link.having(begins=begins).url(), begins == link.begins, f"begins-{begins}")
            for begins, title in _CONTENT["begins"].items()
        ),
        schemes=_schemes(link),
        scheme_words=words.scheme(link),
        reset_score=link.having(series=NO_SERIES).url() if link.series.games else None,
        share_url=link.url(SHARE),
        live_url=f"{LIVE}{rules}",
        shown=_shown(link),
        speeds=tuple(
            Choice(speed.capitalize(), link.having(speed=speed).url(), speed == link.speed, f"speed-{speed}")
            for speed in (SPEEDS if between_computers(link) else ())
        ),
        closer=_closer(link),
    )


def short_title(rules: Rules) -> str:
    """Return a board's short name, e.g. "3×3", "5×5 · 4" or, where the rules are turned, "Connect Four"."""
    if name := _NAMES.get(str(rules)):
        return name
    wins = "lines" if rules.winning else rules.shape.words if rules.shape else rules.k
    return "3×3" if rules == TIC_TAC_TOE else f"{board_size(rules)} · {wins}"


def _shapes(rules: Rules) -> Mapping[str, str]:
    """Return the titles of what can win: a row, an animal, or the shape of these rules."""
    own = {rules.shape: rules.shape.words} if rules.shape else {}
    return {"": "A row"} | {name: shape.words for name, shape in ANIMALS.items()} | own


def _option(strategy: Strategy, rules: Rules, chosen: str) -> Option:
    return Option(name := strategy.name, players.title(name), name == chosen, players.description(strategy, rules))


def _groups(playing: Iterable[Strategy], rules: Rules, chosen: str) -> Groups:
    people = players.PEOPLE.items()
    groups = {"People": [Option(name, title, name == chosen, about) for name, (title, about) in people]}
    own = list_called(chosen)
    for each in (*playing, own) if own else playing:
        groups.setdefault(each.group, []).append(_option(each, rules, chosen))
    return {title: tuple(options) for title, options in groups.items()}


def _schemes(link: Link) -> tuple[Choice, ...]:
    """Return the links to the scoring schemes. A change starts a new series, since points and games cannot be added."""
    if not pays_patterns(link.rules):
        return ()
    return tuple(
        Choice(
            title,
            (link if scheme == link.scheme else link.having(scheme=scheme, series=NO_SERIES)).url(),
            scheme == link.scheme,
            f"scheme-{scheme}",
        )
        for scheme, title in SCHEMES.items()
    )


def _shown(link: Link) -> tuple[Choice, ...]:
    """Return the links that change what the page shows, beside the modes."""
    if not link.shows_outcomes:
        title = (
            "Don't tell me when a move gives something away"
            if link.tell
            else "Tell me when a move gives something away"
        )
        return (Choice(title, link.having(tell=not link.tell).url(), id="tell"),)
    with_distance = link.show == "distance"
    numbers = link.having(show="colours" if with_distance else "distance").url()
    chances = "Hide your chances" if link.chances else "Show your chances against this opponent"
    return (
        Choice("Letters without numbers" if with_distance else "Letters with numbers", numbers, id="details"),
        Choice(chances, link.having(chances=not link.chances).url(), id="chances"),
    )


def _closer(link: Link) -> tuple[Choice, ...]:
    """Return the links to the explorer and the lab, for a finished game before its last move, and to the drills."""
    ended = link.position.result is not None
    if (ended and not link.at) or not link.rules.stones_never_harm:
        return ()
    form = GameForm.of(link.game.upto(link.at - ended))
    carried = "".join(f"&{name}={text}" for name, text in link.settings().items())
    where = "before the last move" if ended else "from here"
    return (
        Choice(f"Explore the tree {where}", form.explorer + carried, id="explore"),
        Choice(f"Compare solvers {where}", form.lab + carried, id="lab"),
        Choice("Drills on this board", form.drills, id="drills"),
    )
