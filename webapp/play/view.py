"""The view object that the game's template sees, made from a link. Frozen, and free of requests and of rules."""

from dataclasses import dataclass, replace
from zlib import crc32

from solver.board.notation import format_cell
from solver.board.position import Mark
from solver.board.rules import MAX_SIDE
from solver.proofs.prediction import predict
from webapp.play import players, schemes, words
from webapp.play.games import GameForm
from webapp.play.link import SHOWS, SPEEDS, Link
from webapp.play.progress import BestLine, Progress, best_line
from webapp.play.series import Series
from webapp.play.settings import Option
from webapp.play.squares import Board, board
from webapp.play.turns import (
    back_to,
    between_computers,
    computer_to_move,
    plays_by_itself,
    redone,
    undone,
)

FIRST_MOVE_DELAY = 400
"""Milliseconds before a computer that plays against a person makes a move of its own accord."""

_SHOW_TITLES = {"off": "Off", "colours": "Colours", "distance": "Colours and distance"}


@dataclass(frozen=True, slots=True)
class Choice:
    """A link to another view or step of the game. `url` is None where it leads nowhere now."""

    id: str
    title: str
    url: str | None
    current: bool = False


@dataclass(frozen=True, slots=True)
class NextMove:
    """The button that lets a computer move. `automatic` says that with JavaScript the page does it by itself."""

    title: str
    possible: bool
    automatic: bool


@dataclass(frozen=True, slots=True)
class Field:
    """What a form carries along unseen."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Side:
    """A number of the form for a board of any size, from 1 to `most`."""

    name: str
    title: str
    value: int
    most: int = MAX_SIDE


@dataclass(frozen=True, slots=True)
class GameView:
    """The game as the page shows it."""

    title: str
    rule: str
    url: str
    lab: str
    explorer: str
    board: Board
    messages: tuple[str, ...]
    status: str
    lines: str
    news: str
    reason: str
    hint: str
    perspective: str
    legend: bool
    unproved: bool
    shows: tuple[Choice, ...]
    steps: tuple[Choice, ...]
    swap: Choice
    moves: tuple[Choice, ...]
    score: tuple[tuple[str, int], ...]
    schemes: tuple[Choice, ...]
    scheme_words: str
    reset_score: str | None
    next_move: NextMove | None
    auto_id: str | None
    auto_delay: int
    pause: Choice | None
    speeds: tuple[Choice, ...]
    fields: tuple[Field, ...]
    player_fields: tuple[Field, ...]
    size: tuple[Side, ...]
    progress: Progress | None
    best_line: BestLine | None
    lines_offered: tuple[Option, ...]


def game_view(
    link: Link, messages: tuple[str, ...] = (), replied: bool = False, progress: Progress | None = None
) -> GameView:
    """The view of a link. `replied` says that the last move is a reply made just now, to be shown a moment later."""
    position, url = link.position, link.url()
    computers, unfinished = between_computers(link), position.result is None
    predictions = predict(position).squares if link.show != "off" else {}
    automatic = plays_by_itself(link) and not messages
    status = words.status(link)
    line = best_line(link)
    shown = GameForm.of(link.game.upto(link.at))
    return GameView(
        title=f"{status} · Noughts" if link.game.moves else "Noughts: tic-tac-toe that shows every move's outcome",
        rule=words.rule(link.rules),
        url=url,
        lab=shown.lab,
        explorer=shown.explorer,
        board=board(link, replied, line.stones if line else {}),
        messages=messages,
        status=status,
        lines=words.lines(position),
        news=words.news(link),
        reason=words.reason(link),
        hint=words.hint(link),
        perspective=f"For {position.mover}, to move",
        legend=link.show != "off" and unfinished,
        unproved=any(outcome.plies is None for outcome in predictions.values()),
        shows=_shows(link),
        steps=_steps(link),
        swap=Choice("swap", "Swap sides", link.swapped().url()),
        moves=_moves(link),
        score=_score(link),
        schemes=_schemes(link),
        scheme_words=words.scheme(link),
        reset_score=replace(link, series=Series()).url() if link.series.games else None,
        next_move=_next_move(link, automatic),
        # A link's own id: htmx then takes the form for a new element, and its clock starts again with every move.
        auto_id=f"auto-{crc32(url.encode()):08x}" if automatic else None,
        auto_delay=SPEEDS[link.speed] if computers else FIRST_MOVE_DELAY,
        pause=_pause(link) if computers else None,
        speeds=_speeds(link) if computers else (),
        fields=_fields(link),
        player_fields=(Field("x", link.x), Field("o", link.o)),
        size=_size(link),
        progress=progress,
        best_line=line,
        lines_offered=_lines_offered(link),
    )


def _shows(link: Link) -> tuple[Choice, ...]:
    return tuple(
        Choice(f"show-{show}", _SHOW_TITLES[show], replace(link, show=show).url(), show == link.show) for show in SHOWS
    )


def _steps(link: Link) -> tuple[Choice, ...]:
    back, forward, finished = undone(link), redone(link), link.position.result is not None
    hint = replace(link, hint=not link.hint)
    return (
        Choice("new", "Play again" if finished else "New game", link.restarted().url()),
        Choice("undo", "Undo", back.url() if back else None),
        Choice("redo", "Redo", forward.url() if forward else None),
        Choice("hint", "Best move", None if finished else hint.url(), link.hint),
    )


def _moves(link: Link) -> tuple[Choice, ...]:
    """The positions of the game in order, the first of them the start."""
    start = link.game.positions[0]
    titles = ["Given position" if start.x else "Empty board"]
    titles += (
        f"{link.game.positions[ply].mover} {format_cell(cell, link.rules)}" for ply, cell in enumerate(link.game.moves)
    )
    return tuple(
        Choice(f"move-{ply}", title, back_to(link, ply).url(), ply == link.at) for ply, title in enumerate(titles)
    )


def _score(link: Link) -> tuple[tuple[str, int], ...]:
    named = [(words.name(link, mark), str(mark)) for mark in Mark]
    x, o = (name if mark in name else f"{name} ({mark})" for name, mark in named)
    return ((x, link.score.x), (o, link.score.o), ("Draws", link.score.draws))


def _schemes(link: Link) -> tuple[Choice, ...]:
    """What the series may count; the other scheme begins a new series, since points cannot be told from games."""
    if not schemes.pays_patterns(link.rules):
        return ()
    return tuple(
        Choice(
            f"scheme-{scheme}",
            title,
            (link if scheme == link.scheme else replace(link, scheme=scheme, series=Series())).url(),
            scheme == link.scheme,
        )
        for scheme, title in schemes.SCHEMES.items()
    )


def _next_move(link: Link, automatic: bool) -> NextMove | None:
    if between_computers(link):
        return NextMove("Next move", link.position.result is None, False)
    if not computer_to_move(link):
        return None
    return NextMove(f"Let {players.title(link.player(link.position.mover))} move", True, automatic)


def _pause(link: Link) -> Choice:
    url = replace(link, paused=not link.paused).url() if link.position.result is None else None
    return Choice("pause", "Play" if link.paused else "Pause", url)


def _speeds(link: Link) -> tuple[Choice, ...]:
    return tuple(
        Choice(f"speed-{speed}", speed.capitalize(), replace(link, speed=speed).url(), speed == link.speed)
        for speed in SPEEDS
    )


def _size(link: Link) -> tuple[Side, ...]:
    rules = link.rules
    return (
        Side("columns", "Columns", rules.columns),
        Side("rows", "Rows", rules.rows),
        Side("k", "In a row", rules.k),
    )


def _lines_offered(link: Link) -> tuple[Option, ...]:
    """The squares whose outcome is proved; the one whose line is shown is selected."""
    if link.show == "off":
        return ()
    position = link.position
    return tuple(
        Option(name := format_cell(cell, link.rules), f"{name}: {outcome.words(position.mover)}", "", cell == link.line)
        for cell, outcome in predict(position).squares.items()
        if outcome.plies is not None
    )


def _fields(link: Link) -> tuple[Field, ...]:
    """The game, beside its players, and the board that it belongs to; what a link shows for once is left out."""
    parts = {"of": str(link.rules)} | replace(link, hint=False, line=None, step=None).parts()
    return tuple(Field(name, value) for name, value in parts.items() if value and name not in ("x", "o"))
