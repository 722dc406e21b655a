"""The end of a game: what it came to in a sentence, the next step, and the level of the ladder that it counts for.

The ladder has a rung for each level of play, the weakest first. A game counts if the visitor had no help. The server
sees this of the position in the link. The page adds up the positions, and keeps the ladder on the visitor's device.
"""

from typing import Final, NamedTuple

from solver.analysis.review import Turn
from solver.board.notation import format_moves
from solver.board.outcome import Value, counted
from solver.board.position import Mark
from solver.players.levels import LEVELS
from webapp.pages.play import players, words
from webapp.pages.play.game import Snapshot
from webapp.pages.play.link import NO_SERIES, Link
from webapp.ui.filters import RUNGS, Choice

PERFECT: Final = LEVELS[-1]
"""The level that makes no mistake, at the top of the ladder."""

MORE_GAMES: Final = "/games"


class GameEnd(NamedTuple):
    """The end of a game, as the card of its page tells it.

    `words` are one sentence on the result, or "". `step` is the next step; without one the visitor plays again.
    `is_moment` is true where there is something to celebrate, `has_ladder` where the opponent is a level.
    """

    title: str
    words: str
    step: Choice | None = None
    is_moment: bool = False
    has_ladder: bool = False


def ending(shown: Snapshot) -> GameEnd | None:
    """Return the end of the game in view. Return None before it and in a review."""
    link, found = shown.link, shown.review
    if link.position.result is None or found is None or link.review:
        return None
    level, how = _opponent(link), words.ended(link)
    if not level:
        return GameEnd(words.status(link), "")
    mine = found.mistakes_of(Mark(players.own(link.x, link.o)))
    is_kept = not found.mistakes and not found.unproved
    if _has_succeeded(link) and (how == "won" or not mine):
        title = "You held Perfect." if how == "drawn" else words.status(link)
        return GameEnd(title, _praise(link, level, how, is_kept), _onward(link, level), True, level in RUNGS)
    step = _review(link, "Find better") if mine else None
    return GameEnd(words.status(link), _regret(mine, how, is_kept), step, False, level in RUNGS)


def alone(link: Link) -> str:
    """Name the game so far if the page gives no help against a level, from an empty board; otherwise return "".

    The name is the board, the level, the visitor's mark and the moves, such as `3x3x3/hard/X/b2a1`.
    """
    helps = link.show != "off" or link.hint or link.review or link.guest or link.seed is not None
    begun, back = link.game.positions[0].is_begun, link.at < len(link.game.moves)
    if helps or begun or back or (level := _opponent(link)) not in RUNGS:
        return ""
    return f"{link.rules}/{level}/{players.own(link.x, link.o)}/{format_moves(link.game.moves, link.rules)}"


def rung(link: Link) -> str:
    """Return the level that this end of a game counts for, if the visitor had no help; otherwise ""."""
    level = _opponent(link)
    return level if level in RUNGS and _has_succeeded(link) else ""


def _has_succeeded(link: Link) -> bool:
    """Return whether the visitor has beaten the opponent or held the level that makes no mistake."""
    how, level = words.ended(link), _opponent(link)
    return bool(level) and (how == "won" or (how == "drawn" and level == PERFECT))


def _opponent(link: Link) -> str:
    """Return the name of the computer that the visitor plays; "" between people, between computers and for guests."""
    against = players.opponent(link.x, link.o)
    is_alone = players.own(link.x, link.o) != players.WATCH and against not in players.PEOPLE
    return against if is_alone and not link.guest else ""


def _praise(link: Link, level: str, how: str, is_kept: bool) -> str:
    """Say in a sentence what was achieved, as far as it is proved."""
    if how == "drawn":
        return "Nobody alive can do better." if is_kept else ""
    if level == PERFECT and is_kept:
        return "The win was there from the start, and you never let it go."
    if level not in RUNGS:
        return ""
    dared = f" Your friend took {link.dare}." if link.dare else ""
    return f"You beat {players.title(level)} in {counted(_moves(link), 'move', 'moves')}.{dared}"


def _moves(link: Link) -> int:
    """Count the visitor's own moves."""
    own = players.own(link.x, link.o)
    return sum(position.mover == own for position in link.game.positions[:-1])


def challenge(link: Link) -> Link | None:
    """Return a new game that challenges a friend to do as well; None unless the visitor has succeeded."""
    if link.game.positions[0].is_begun or not _has_succeeded(link):
        return None
    done = _moves(link) if words.ended(link) == "won" else 0
    return Link.starting(link.rules).having(x=link.x, o=link.o, show="off", dare=done)


def _regret(mine: tuple[Turn, ...], how: str, is_kept: bool) -> str:
    """Say what was possible, without a word about where and how."""
    if any(turn.before.value is Value.WIN for turn in mine):
        return "You had a win on the way."
    if mine:
        return "You got away with a mistake." if how == "drawn" else "You had the draw in hand."
    if not is_kept:
        return ""
    return "Nobody gave anything away." if how == "drawn" else "It was lost from the start, whatever you played."


def _onward(link: Link, level: str) -> Choice:
    """Return the step after a success: the same without help, the next level, or more games."""
    again = link.restarted()
    if link.show != "off" and level in RUNGS:
        return Choice("Now without help", again.having(show="off").url(), id="onward")
    if level not in RUNGS or level == PERFECT:
        return Choice("More games", MORE_GAMES, id="onward", away=True)
    following = LEVELS[LEVELS.index(level) + 1]
    title = f"Next: {'hold ' if following == PERFECT else 'beat '}{RUNGS[following]}"
    return Choice(title, again.having(x=players.DEFAULT_X, o=following, series=NO_SERIES, dare=None).url(), id="onward")


def _review(link: Link, title: str) -> Choice:
    return Choice(title, link.review_url(), id="onward", away=True)
