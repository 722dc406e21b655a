"""Turns: the human's move, the computer's reply, and how far undo goes back."""

from functools import lru_cache

from solver.board.rules import Cell
from solver.errors import IllegalMove
from solver.players.match import choose, decide, seeded
from webapp.pages.play import players
from webapp.pages.play.link import Link


@lru_cache(maxsize=512)
def played(link: Link, cell: Cell) -> Link:
    """The link after a move, kept for the next time that it is made. Raises IllegalMove."""
    return link.playing(cell)


def computer_to_move(link: Link) -> bool:
    """Whether the game is on and a strategy has the move in the position shown."""
    position = link.position
    return players.computer(link.player(position.mover)) is not None and position.result is None


def between_computers(link: Link) -> bool:
    """Whether both marks are played by strategies."""
    return link.x not in players.PEOPLE and link.o not in players.PEOPLE


def plays_by_itself(link: Link) -> bool:
    """Whether the computer moves without being asked.

    Between computers unless paused; against a person only at the game's end, not in a position one has gone back to.
    While a line of best play is shown, nobody does.
    """
    if not computer_to_move(link) or link.line is not None:
        return False
    return not link.paused if between_computers(link) else link.at == len(link.game.moves)


def back_to(link: Link, ply: int) -> Link:
    """The game shown after its first `ply` moves. Computers that play by themselves stop there."""
    return link.showing(ply).having(paused=link.paused or between_computers(link))


def human_move(link: Link, cell: Cell) -> Link:
    """The link after a person's move and, if a strategy is next, its reply. Raises IllegalMove."""
    if computer_to_move(link):
        mover = link.position.mover
        raise IllegalMove(f"It is {mover}'s turn, and {players.title(link.player(mover))} plays {mover}.")
    after = played(link, cell)
    return computer_move(after) if computer_to_move(after) else after


def computer_move(link: Link) -> Link:
    """The link after one move of the strategy whose turn it is. Raises IllegalMove if it is none's."""
    position = link.position
    strategy = players.computer(link.player(position.mover))
    if strategy is None or position.result is not None:
        raise IllegalMove("The game is over." if position.result else f"It is {position.mover}'s turn, a person's.")
    decision = decide(strategy, position, link.seed)
    return played(link, choose(decision, seeded(link.seed, link.series.games, link.at)))


def undone(link: Link) -> Link | None:
    """The game one turn back: to where a person last had the move, or one ply where none plays. None at the start."""
    return next((back_to(link, ply) for ply in range(link.at - 1, -1, -1) if _is_stop(link, ply)), None)


def redone(link: Link) -> Link | None:
    """The game one turn forward, the inverse of `undone`. None at the end."""
    end = len(link.game.moves)
    return next((back_to(link, ply) for ply in range(link.at + 1, end + 1) if ply == end or _is_stop(link, ply)), None)


def _is_stop(link: Link, ply: int) -> bool:
    return between_computers(link) or link.player(link.game.positions[ply].mover) in players.PEOPLE
