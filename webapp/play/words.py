"""What the page says in sentences: the rule, whose turn it is, what was played and why, what is best."""

from typing import Final

from solver.board.notation import format_cell, format_cells, format_lines
from solver.board.outcome import Value
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules
from solver.theory.drawn import Pattern, pattern_of
from solver.theory.scoring import PATTERNS
from webapp.play import players, schemes
from webapp.play.link import Link
from webapp.play.snapshot import Snapshot
from webapp.server.work import Look, Standing

TITLE: Final = "Noughts: tic-tac-toe that shows every move's outcome"
"""The title of the page of a game that has not begun."""

_COUNTS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight")

_STANDINGS = {
    Standing.WAITING: "The server goes on proving in a moment.",
    Standing.PROVING: "The server goes on proving.",
    Standing.DONE: "",
    Standing.SPENT: "The rest was not proved in two minutes; the server has given it up for now.",
    Standing.BUSY: "The server is busy with other positions and does not take this one on now. Try again later.",
    Standing.OFF: "Nothing goes on in the background on this server.",
}

_PATTERNS = {Pattern.ISLAND: "an island", Pattern.ARROW: "an arrow", Pattern.SCORPION: "a scorpion"}


def board(rules: Rules) -> str:
    """The board and what wins on it, e.g. "3×3, three in a row"."""
    row = "a single stone" if rules.k == 1 else f"{_COUNTS[rules.k]} in a row"
    return f"{rules.columns}×{rules.rows}, {row}"


def rule(rules: Rules) -> str:
    """The board and how it is won, e.g. "3×3, three in a row wins"."""
    return f"{board(rules)} wins"


def name(link: Link, mark: Mark) -> str:
    """What the page calls the player of a mark: two people go by their marks, two of a kind have theirs added."""
    own, other = link.player(mark), link.player(mark.other)
    if own in players.HUMANS and other in players.HUMANS:
        return str(mark)
    return f"{players.title(own)} ({mark})" if own == other else players.title(own)


def status(link: Link) -> str:
    """Whose turn it is, or the result."""
    position = link.position
    match position.result:
        case None:
            mover = name(link, position.mover)
            if mover == "You":
                return f"Your turn ({position.mover})"
            return f"{mover} to move" + ("" if str(position.mover) in mover else f" ({position.mover})")
        case Result.DRAW:
            return "A draw"
        case Result.X | Result.O as winner:
            return "You win" if (who := name(link, Mark(winner))) == "You" else f"{who} wins"


def lines(position: Position) -> str:
    """The winning lines square by square, e.g. "along a3-b3-c3"; empty where nobody has won."""
    listed = ["-".join(line) for line in format_lines(position.winning_lines, position.rules)]
    return "along " + " and ".join(listed) if listed else ""


def news(link: Link) -> str:
    """What has just happened, for those who hear the page: each side's last move, or where one has gone back to."""
    total = len(link.game.moves)
    if link.at < total:
        return f"Back at move {link.at} of {total}." if link.at else "Back at the start."
    return " ".join(
        f"{link.game.positions[ply].mover} played {format_cell(link.game.moves[ply], link.rules)}."
        for ply in range(max(0, total - 2), total)
    )


def reason(shown: Snapshot) -> str:
    """Why the strategy that moved last played as it did; empty for a person, or a move that it would not make."""
    link, decision = shown.link, shown.decision
    if decision is None or (cell := link.game.moves[link.at - 1]) not in decision.choices:
        return ""
    why = decision.reason if link.show == "off" else decision.explanation
    return f"{name(link, link.position.mover.other)} played {format_cell(cell, link.rules)}: {why}."


def scheme(link: Link) -> str:
    """What the points of the series are paid for, and for which drawn board the last ones were."""
    if link.scheme != schemes.PATTERNS:
        return ""
    pays = PATTERNS
    paid = (
        f"Points: X wins {pays.x_wins[0]} to {pays.x_wins[1]}, O wins {pays.o_wins[0]} to {pays.o_wins[1]};"
        f" a drawn board that is an island or an arrow {pays.island[0]} to {pays.island[1]},"
        f" a scorpion {pays.scorpion[0]} to {pays.scorpion[1]}."
    )
    last = link.game.last
    return paid + (f" This game ended as {_PATTERNS[pattern_of(last)]}." if last.result is Result.DRAW else "")


def proof(look: Look) -> str:
    """How the proof of the squares that are not proved yet gets on."""
    if look.standing is Standing.WAITING and look.ahead:
        return f"Waiting for {look.ahead} other position{'s' if look.ahead != 1 else ''}."
    return _STANDINGS[look.standing]


def hint(shown: Snapshot) -> str:
    """The best moves, where they are asked for; as much as is proved of them."""
    link, prediction = shown.link, shown.prediction
    if prediction is None or not link.hint or link.position.result:
        return ""
    mover = link.position.mover
    squares = prediction.squares
    if best := prediction.best:
        return f"Best for {mover}: {format_cells(best, link.rules)} ({squares[best[0]].words(mover)})."
    holding = [cell for cell, outcome in squares.items() if outcome.value is not Value.LOSS]
    if len(holding) < len(squares):
        return f"What is best is not proved, but every square loses except {format_cells(holding, link.rules)}."
    return "What is best is not proved here."
