"""View objects: all that the game's template sees, made from a link. Frozen, and free of requests and of rules."""

from dataclasses import dataclass, replace
from zlib import crc32

from solver.errors import NoughtsError
from solver.notation import format_cell, format_moves, format_position
from solver.outcome import Value
from solver.position import Mark, Position, Result
from solver.rules import Rules, cells_of
from webapp import players
from webapp.link import SHOWS, SPEEDS, Link
from webapp.squares import Square, squares
from webapp.turns import (
    between_computers,
    computer_to_move,
    decided,
    plays_by_itself,
    predicted,
    redone,
    undone,
)

FIRST_MOVE_DELAY = 400
"""Milliseconds before a computer that plays against a person makes a move of its own accord."""

_COUNTS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight")
_SHOW_TITLES = {"off": "Off", "colours": "Colours", "distance": "Colours and distance"}


@dataclass(frozen=True, slots=True)
class Choice:
    """A link among alternatives, or a step that may not be possible now (`url` is then None)."""

    id: str
    title: str
    url: str | None
    current: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """One entry of the move list; the start of the game is its first."""

    title: str
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class NextMove:
    """The button that lets a computer move. `automatic` says that with JavaScript the page does it by itself."""

    title: str
    possible: bool
    automatic: bool


@dataclass(frozen=True, slots=True)
class GameView:
    """The game as the page shows it."""

    title: str
    rule: str
    url: str
    columns: int
    rows: tuple[tuple[Square, ...], ...]
    board_classes: str
    problems: tuple[str, ...]
    status: str
    news: str
    reason: str
    best: tuple[Choice, ...]
    best_words: str
    perspective: str
    legend: bool
    unproved: bool
    shows: tuple[Choice, ...]
    steps: tuple[Choice, ...]
    moves: tuple[Move, ...]
    score: tuple[tuple[str, int], ...]
    reset_score: str | None
    next_move: NextMove | None
    auto_id: str | None
    auto_delay: int
    pause: Choice | None
    speeds: tuple[Choice, ...]
    fields: tuple[tuple[str, str], ...]
    board: str
    x: str
    o: str


def rule_in_words(rules: Rules) -> str:
    """The board and how it is won, e.g. "3×3, three in a row wins"."""
    row = "a single stone wins" if rules.k == 1 else f"{_COUNTS[rules.k]} in a row wins"
    return f"{rules.columns}×{rules.rows}, {row}"


def game_view(link: Link, problems: tuple[NoughtsError, ...] = (), replied: bool = False) -> GameView:
    """The view of a link. `replied` says that the last move is a reply made just now, to be shown a moment later."""
    position, url = link.position, link.url()
    computers, unfinished = between_computers(link), position.result is None
    predictions = predicted(position).squares if link.show != "off" else {}
    automatic = plays_by_itself(link) and not problems
    auto_id = f"auto-{crc32(url.encode()):08x}" if automatic else None
    status = _status(link)
    return GameView(
        title=f"{status} · Noughts" if link.game.moves else "Noughts: tic-tac-toe, seen through",
        rule=rule_in_words(link.rules),
        url=url,
        columns=link.rules.columns,
        rows=squares(link),
        board_classes="board" + (f" replied-{link.at // 2 % 2}" if replied else ""),
        problems=tuple(str(problem) for problem in problems),
        status=status,
        news=_news(link, replied),
        reason=_reason(link),
        best=_best(link),
        best_words=_best_words(link),
        perspective=f"for {position.mover}, to move",
        legend=link.show != "off" and unfinished,
        unproved=any(outcome.value is Value.UNKNOWN for outcome in predictions.values()),
        shows=tuple(
            Choice(f"show-{show}", _SHOW_TITLES[show], replace(link, show=show).url(), show == link.show)
            for show in SHOWS
        ),
        steps=_steps(link),
        moves=_moves(link),
        score=(
            (f"{players.title(link.x)} (X)", link.score.x),
            (f"{players.title(link.o)} (O)", link.score.o),
            ("Draws", link.score.draws),
        ),
        reset_score=replace(link, series=type(link.series)()).url() if link.series.games else None,
        next_move=_next_move(link, automatic),
        auto_id=auto_id,
        auto_delay=SPEEDS[link.speed] if computers else FIRST_MOVE_DELAY,
        pause=_pause(link) if computers else None,
        speeds=_speeds(link) if computers else (),
        fields=_fields(link),
        board=str(link.rules),
        x=link.x,
        o=link.o,
    )


def _status(link: Link) -> str:
    """Whose turn it is, or the result."""
    position = link.position
    match position.result:
        case None:
            return f"{position.mover} to move: {players.title(link.player(position.mover))}"
        case Result.DRAW:
            return "The game is a draw"
        case Result.X | Result.O as winner:
            name = players.title(link.player(Mark(winner)))
            wins = "win" if name == "You" else "wins"
            return f"{name} ({winner}) {wins} along {_along(position)}"


def _along(position: Position) -> str:
    rules = position.rules
    return " and ".join(
        "-".join(format_cell(cell, rules) for cell in cells_of(line)) for line in position.winning_lines
    )


def _news(link: Link, replied: bool) -> str:
    """The moves just made, for those who hear the page: the last one, and the one it replied to."""
    recent = range(max(0, link.at - (2 if replied else 1)), link.at)
    return " ".join(
        f"{link.game.positions[ply].mover} played {format_cell(link.game.moves[ply], link.rules)}." for ply in recent
    )


def _reason(link: Link) -> str:
    """Why the strategy that moved last played as it did; empty for a person, or a move that it would not make."""
    if link.at == 0:
        return ""
    before, cell = link.game.positions[link.at - 1], link.game.moves[link.at - 1]
    strategy = players.computer(link.player(before.mover))
    if strategy is None:
        return ""
    decision = decided(strategy.name, before)
    if cell not in decision.choices:
        return ""
    return f"{strategy.title} played {format_cell(cell, link.rules)} ({decision.reason})."


def _best(link: Link) -> tuple[Choice, ...]:
    """The best moves as buttons, where they were asked for."""
    if not link.hint or link.position.result or computer_to_move(link):
        return ()
    cells = (format_cell(cell, link.rules) for cell in predicted(link.position).best)
    return tuple(Choice(f"best-{cell}", cell, None) for cell in cells)


def _best_words(link: Link) -> str:
    if not link.hint or link.position.result:
        return ""
    prediction = predicted(link.position)
    if not prediction.best:
        return "The best move is not proved here."
    return f"Best for {link.position.mover}: {prediction.squares[prediction.best[0]].words(link.position.mover)}."


def _steps(link: Link) -> tuple[Choice, ...]:
    back, forward, unfinished = undone(link), redone(link), link.position.result is None
    return (
        Choice("undo", "Undo", back.url() if back else None),
        Choice("redo", "Redo", forward.url() if forward else None),
        Choice(
            "hint",
            "Hide best move" if link.hint else "Best move",
            replace(link, hint=not link.hint).url() if unfinished else None,
        ),
        Choice("new", "New game", link.restarted().url()),
        Choice("swap", "Swap sides", link.swapped().url()),
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


def _moves(link: Link) -> tuple[Move, ...]:
    moves = [Move("Start", link.showing(0).url(), link.at == 0)]
    for ply, cell in enumerate(link.game.moves):
        name, mover = format_cell(cell, link.rules), link.game.positions[ply].mover
        moves.append(Move(f"{mover} {name}", link.showing(ply + 1).url(), link.at == ply + 1))
    return tuple(moves)


def _fields(link: Link) -> tuple[tuple[str, str], ...]:
    """What the settings form carries along: the game, and the board that it belongs to."""
    start, moves = link.game.positions[0], link.game.moves
    fields = {
        "of": str(link.rules),
        "from": format_position(start) if start.x or start.o else "",
        "moves": format_moves(moves, link.rules),
        "at": str(link.at) if link.at != len(moves) else "",
        "show": link.show,
        "seed": link.seed or "",
        "score": str(link.series) if link.series.games else "",
        "speed": link.speed,
        "pause": "1" if link.paused else "",
    }
    return tuple((name, value) for name, value in fields.items() if value)
