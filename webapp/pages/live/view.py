"""The values that the template of a live game is given, made of the game and its viewer."""

from dataclasses import dataclass, replace
from typing import Any, Final

from solver.board.notation import format_cell
from solver.board.position import Mark, Result
from solver.search.tablebase import has_table
from webapp.pages.live.game import Ending, LiveGame, Marks, Matter
from webapp.pages.play import words
from webapp.pages.play.board import board
from webapp.pages.play.game import Snapshot, snapshot
from webapp.pages.play.link import Link
from webapp.pages.play.series import Series
from webapp.serving.pool.messages import ProofState
from webapp.ui.board import Board
from webapp.ui.filters import board_title
from webapp.ui.previews import Preview

ASK_AGAIN: Final = 2000
"""Milliseconds after which a page asks how the proofs of its squares get on."""

_GOES_ON: Final = (ProofState.WAITING, ProofState.PROVING, ProofState.DONE)


@dataclass(frozen=True, slots=True)
class Viewer:
    """The visitor for whom a page is made: `side` is None for one who watches, `hint` asks for the best squares."""

    side: Mark | None
    hint: bool = False
    problem: str = ""
    seen: int | None = None
    """How many moves the page shows already; None for a page that is not open yet."""


def live_context(live: LiveGame, here: Marks, viewer: Viewer) -> dict[str, Any]:
    """Return all values that the template names."""
    side, result = viewer.side, live.result
    link = link_of(live, viewer.hint)
    shown = snapshot(link) if live.shows_colours and result is None else Snapshot(link)
    on = result is None
    their_turn = on and side is not None and live.game.last.mover is side
    moved = viewer.seen is not None and viewer.seen < len(live.game.moves)
    status = status_of(live, side)
    return {
        "live": live,
        "title": f"{status} · Live · Noughts",
        "invitation": invitation(live),
        "rules": live.rules,
        "rule": words.rule(live.rules),
        "side": side,
        "status": status,
        "news": words.news(link) if live.game.moves else "",
        "lines": words.lines(live.game.last),
        "over": not on,
        "said": said_of(live, here, side),
        "problem": viewer.problem,
        "board": board(shown, "move" if moved else "") if their_turn else locked(board(shown, "move" if moved else "")),
        "score": _score(live.score, side),
        "asked": _asked(live, side),
        "free": live.free,
        "waits": not viewer.problem and (not their_turn or bool(live.free)),
        "may_offer": on and not live.free and side is not None and side not in live.wishes[Matter.DRAW],
        "may_resign": on and not live.free and side is not None,
        "wants_again": side is not None and side in live.wishes[Matter.AGAIN],
        "wants_colours": side is not None and side in live.wishes[Matter.COLOURS],
        "shows_colours": live.shows_colours,
        "hint": viewer.hint,
        "players": _players(live, here, side),
        "review": review_url(str(live.rules), live.moves) if not on else "",
        "unfinished": live.ending is not Ending.NONE,
        "before": review_url(str(live.rules), live.before),
        "again": ASK_AGAIN if shown.now.proof is not None and shown.now.proof.state in _GOES_ON else 0,
    }


def link_of(live: LiveGame, hint: bool = False) -> Link:
    """The game as the play page has it, between two people."""
    show = "distance" if live.shows_colours else "off"
    return Link(
        live.game, len(live.game.moves), x="friend", o="friend", show=show, tell=False, hint=hint and live.shows_colours
    )


def invitation(live: LiveGame) -> str:
    """What the game is called where its address is sent to somebody."""
    return f"A game with a friend · {board_title(live.rules)}"


def preview_of(live: LiveGame, address: str) -> Preview:
    """What is told of the page before it is opened: it is mostly the invitation that is sent to somebody."""
    told = "Open it to sit down and play." if live.free else f"{status_of(live, None)}. Others may watch."
    return Preview(
        title=invitation(live),
        description=f"{words.rule(live.rules)}. {told}",
        path=address,
        picture=link_of(live).having(show="off").url(file=".png"),
    )


def review_url(rules: str, moves: str) -> str:
    """The ordinary link of a game's moves, with their review; "" without a move. No link says that somebody gave up."""
    return f"/play/{rules}?moves={moves}&o=friend&review=1" if moves else ""


def settles(live: LiveGame) -> bool:
    """Whether nothing that is proved later changes the page."""
    return has_table(live.rules) or not live.shows_colours or live.result is not None


def locked(shown: Board) -> Board:
    """The board without a square that may be pressed."""
    return replace(shown, squares=tuple(replace(each, open=False) for each in shown.squares))


def status_of(live: LiveGame, side: Mark | None) -> str:
    """Whose turn it is, or who has won, as one of the two says it, or one who watches."""
    match live.result:
        case Result.DRAW:
            return "A draw"
        case Result.X | Result.O as winner:
            if side is None:
                return f"{winner} wins"
            return "You win" if side == Mark(winner) else "Your friend wins"
        case None:
            mover = live.game.last.mover
            if side is None:
                return f"{mover} to move"
            return f"Your turn ({mover})" if mover is side else f"Friend’s turn ({mover})"


def said_of(live: LiveGame, here: Marks, side: Mark | None) -> str:
    """What there is to say below the board: how the game ended, or who is there."""
    if live.result is not None:
        return _over(live, side)
    if side is None:
        if len(live.free) == 2:
            return f"Both seats are free. Whoever sits down first has {live.first}; X begins."
        if live.free:
            return f"One seat is free: {live.free[0]}. Sit down to play."
        return "Both seats are taken: you watch. Moves appear by themselves."
    if live.free:
        return f"You are {side}. Nobody sits opposite yet: send the address to your friend."
    if side.other not in here:
        return f"You are {side}. Your friend is away; the game waits, up to 24 hours."
    return f"You are {side}. Your friend is here."


def _over(live: LiveGame, side: Mark | None) -> str:
    match live.ending:
        case Ending.NONE:
            return words.over(link_of(live))
        case Ending.AGREED:
            return "Both agreed on a draw."
        case Ending.X_RESIGNED | Ending.O_RESIGNED as ending:
            loser = Mark(ending.value)
            who = str(loser) if side is None else "You" if loser is side else "Your friend"
            return f"{who} resigned."


def _asked(live: LiveGame, side: Mark | None) -> dict[str, str] | None:
    """What the friend asks for, and the words of the two answers; None where there is nothing to answer."""
    if side is None:
        return None
    for matter, sentence, yes, no in (
        (Matter.DRAW, "Your friend offers a draw.", "Accept", "Decline"),
        (Matter.AGAIN, "Your friend wants a rematch, with sides changed.", "Rematch", "No, thanks"),
        (Matter.COLOURS, "Your friend asks for colours and hints, for both.", "Agree", "No, thanks"),
    ):
        if live.wishes[matter] == {side.other}:
            return {"matter": str(matter), "words": sentence, "yes": yes, "no": no}
    return None


def _score(score: Series, side: Mark | None) -> list[tuple[str, int]]:
    if side is None:
        return [("X", score.x), ("O", score.o), ("Draws", score.draws)]
    own, other = (score.x, score.o) if side is Mark.X else (score.o, score.x)
    return [("You", own), ("Friend", other), ("Draws", score.draws)]


def _players(live: LiveGame, here: Marks, side: Mark | None) -> list[dict[str, str]]:
    """Both sides: the mark, who has it, and whether that one is there."""

    def player(mark: Mark) -> dict[str, str]:
        if not live.seat(mark):
            return {"mark": str(mark), "who": "a free seat", "there": "", "kind": "free"}
        who = "a player" if side is None else "you" if mark is side else "your friend"
        there = "here" if mark in here or mark is side else "away"
        return {"mark": str(mark), "who": who, "there": there, "kind": there}

    return [player(mark) for mark in Mark]


def moves_of(live: LiveGame) -> list[str]:
    """The squares in the order in which they were played."""
    return [format_cell(cell, live.rules) for cell in live.game.moves]
