"""The page of a live game: the values that its template renders, for each viewer."""

from dataclasses import dataclass, replace
from typing import Final

from solver.board.notation import capital, format_cell
from solver.board.position import Mark, Result
from solver.proofs.prediction import ProofState
from webapp.pages.live.game import Ending, LiveGame, Marks, Matter
from webapp.pages.play import words
from webapp.pages.play.game import Snapshot, snapshot
from webapp.pages.play.link import Link
from webapp.pages.play.view import Seat, board, is_on, seat_mark, sides
from webapp.ui.board import Board
from webapp.ui.filters import board_title, winning_rule
from webapp.ui.previews import Preview

ASK_AGAIN: Final = 2000
"""Milliseconds after which a page asks for new proofs of its squares."""

_GOES_ON: Final = (ProofState.WAITING, ProofState.PROVING, ProofState.DONE)


@dataclass(frozen=True, slots=True)
class Viewer:
    """The visitor for whom a page is made. `side` is None for a spectator; `hint` asks for the best squares.

    `claims` is true if the visitor claims a seat. `way_back` is the link that takes the visitor's seat again.
    """

    side: Mark | None
    hint: bool = False
    problem: str = ""
    claims: bool = False
    way_back: str = ""
    seen: int | None = None
    """The number of moves that the page shows already; None for a page that is not open yet."""


@dataclass(frozen=True, slots=True)
class FriendsWish:
    """A wish that waits for an answer, in words, with the titles of its two buttons.

    `yes` is "" if only `no` is offered. `matter` is the value that the form sends.
    """

    matter: str
    words: str
    yes: str
    no: str


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A side in the list of players. `there` is "" for a free seat. `may_claim` lets the viewer claim the seat."""

    mark: Mark
    who: str
    there: str
    may_claim: bool = False


@dataclass(frozen=True, slots=True)
class LivePage:
    """The page of a live game, as its template renders it for a viewer."""

    live: LiveGame
    viewer: Viewer
    rule: str
    status: str
    news: str
    lines: str
    said: str
    board: Board
    score: list[tuple[str, int]]
    friends_wish: FriendsWish | None
    players: list[PlayerRow]
    seats: list[Seat]
    wishes: frozenset[Matter]
    """The matters that the viewer has asked for."""
    over: bool
    may_resign: bool
    waits: bool
    """True if the page waits for a move or a player, so that it asks for news."""
    review: str
    before: str
    again: int
    """Milliseconds until the page asks for new proofs of its squares; 0 if no proof is under way."""

    @property
    def title(self) -> str:
        """The title of the page."""
        return f"{self.status} · Live · Noughts"

    @property
    def goal(self) -> str:
        """The rule in words."""
        return words.goal(self.live.rules)

    @property
    def invitation(self) -> str:
        """The name of the game, for its address in a message."""
        return _invitation(self.live)

    @property
    def moves(self) -> list[str]:
        """The names of the squares in the order of play."""
        return [format_cell(cell, self.live.rules) for cell in self.live.game.moves]


def live_page(live: LiveGame, here: Marks, viewer: Viewer) -> LivePage:
    """Return the page of a game for a viewer. `here` are the sides whose players are there."""
    side, on = viewer.side, live.result is None
    link = _link(live, viewer.hint)
    shown = snapshot(link) if live.shows_colours and on else Snapshot(link)
    their_turn = on and side is not None and live.game.last.mover is side
    drawn = board(shown, "move" if viewer.seen is not None and viewer.seen < len(live.game.moves) else "")
    return LivePage(
        live=live,
        viewer=viewer,
        rule=winning_rule(live.rules),
        status=_status(live, side),
        news=words.news(link) if live.game.moves else "",
        lines=words.lines(live.game.last),
        said=_said(live, here, viewer),
        board=drawn if their_turn else _lock(drawn),
        score=_score(live, side),
        friends_wish=_friends_wish(live, side),
        players=[_player(live, mark, here, viewer) for mark in Mark],
        seats=[_seat(live, mark, here, viewer) for mark in sides(viewer.side)],
        wishes=frozenset(matter for matter in Matter if side in live.wishes[matter]),
        over=not on,
        may_resign=on and not live.free and side is not None,
        waits=not viewer.problem and not viewer.way_back and (side is not None if live.free else not their_turn),
        review="" if on else _review_url(live, live.moves),
        before=_review_url(live, live.before),
        again=ASK_AGAIN if shown.proof is not None and shown.proof.state in _GOES_ON else 0,
    )


def _link(live: LiveGame, hint: bool = False) -> Link:
    """Return the game's link on the play page, between two people."""
    show = "distance" if live.shows_colours else "off"
    return Link(
        live.game, len(live.game.moves), x="friend", o="friend", show=show, tell=False, hint=hint and live.shows_colours
    )


def _invitation(live: LiveGame) -> str:
    """Return the name of the game, for its address in a message."""
    if len(live.free) != 1:
        return f"A game with a friend · {board_title(live.rules)}"
    return f"{live.host or 'A friend'} invites you: play {live.free[0]}"


def preview_of(live: LiveGame, address: str) -> Preview:
    """Return the preview of the page's link, which is usually sent as an invitation."""
    told = "Open it to join." if live.free else f"{_status(live, None)}. You can watch."
    return Preview(
        title=_invitation(live),
        description=f"{winning_rule(live.rules)}. {told}",
        path=address,
        picture=_link(live).having(show="off").url(file=".png"),
    )


def _review_url(live: LiveGame, moves: str) -> str:
    """Return the link to the review of moves; "" without a move. The link leaves out a resignation."""
    return f"/play/{live.rules}?moves={moves}&o=friend&review=1" if moves else ""


def settles(live: LiveGame) -> bool:
    """Return whether no later proof can change the page."""
    return live.rules.is_small or not live.shows_colours or live.result is not None


def _lock(page_board: Board) -> Board:
    """Return the board with no square open to a press."""
    return replace(page_board, squares=tuple(square._replace(open=False) for square in page_board.squares))


def _status(live: LiveGame, side: Mark | None) -> str:
    """Return the turn or the result in words, for a player or a spectator."""
    rules = live.game.last.rules
    match live.result:
        case Result.DRAW:
            return "A draw"
        case Result.X | Result.O as winner:
            if side is None:
                return f"{capital(rules.player(winner))} wins"
            return "You win!" if side == Mark(winner) else f"{_friend(live, side)} wins"
        case None:
            mover = live.game.last.mover
            if len(live.free) == 1:
                return "Waiting for your friend" if side is not None else _invitation(live)
            if side is None:
                return f"{capital(rules.player(mover))} to move"
            turn = "Your turn" if mover is side else f"{_friend(live, side)}'s turn"
            return f"{turn} ({mover})" if rules.player(mover) == mover else turn


def _said(live: LiveGame, here: Marks, viewer: Viewer) -> str:
    """Return the sentence below the board: the way the game ended, or the players who are there."""
    side = viewer.side
    if live.result is not None:
        return _over(live, side)
    if viewer.claims:
        return "Waiting for your friend to confirm that it's you."
    if side is None:
        if live.free:
            return f"Join to play {live.free[0]}. X begins."
        return "You're watching. Moves appear by themselves."
    if live.free:
        return f"You play {side}. " + ("Move now, if you like." if live.game.last.mover is side else "X begins.")
    friend = _friend(live, side)
    if side.other not in here:
        return f"You play {side}. {friend} is away. The game waits for 24 hours."
    return f"You play {side}. {friend} is here."


def _friend(live: LiveGame, side: Mark) -> str:
    """Return the name of this side's opponent, or else "Your friend"."""
    return live.name_of(side.other) or "Your friend"


def _over(live: LiveGame, side: Mark | None) -> str:
    match live.ending:
        case Ending.NONE:
            return words.over(_link(live))
        case Ending.AGREED:
            return "Both agreed on a draw."
        case Ending.X_RESIGNED | Ending.O_RESIGNED as ending:
            loser = Mark(ending.value)
            who = str(loser) if side is None else "You" if loser is side else _friend(live, side)
            return f"{who} resigned."


def _friends_wish(live: LiveGame, side: Mark | None) -> FriendsWish | None:
    """Return the wish that waits for this side's answer, if any. A claim to a seat comes before other wishes."""
    if side is None:
        return None
    friend = _friend(live, side)
    if live.claimed is side:
        return FriendsWish(f"seat-{live.claim}", "Someone says they're you, on another device.", "", "No, I'm here")
    if live.claim:
        known = live.name_of(side.other) or "your friend"
        words = f"Someone says they play {live.claimed} and lost their seat. Is it {known}?"
        return FriendsWish(f"seat-{live.claim}", words, "Yes, let them in", "No")
    for wish in (
        FriendsWish(Matter.DRAW, f"{friend} offers a draw.", "Accept", "Decline"),
        FriendsWish(Matter.AGAIN, f"{friend} wants a rematch. You'll swap sides.", "Rematch", "No, thanks"),
        FriendsWish(Matter.COLOURS, f"{friend} wants to show colours and hints to both of you.", "Agree", "No, thanks"),
    ):
        if live.wishes[Matter(wish.matter)] == {side.other}:
            return wish
    return None


def _score(live: LiveGame, side: Mark | None) -> list[tuple[str, int]]:
    score = live.score
    if side is None:
        return [("X", score.x), ("O", score.o), ("Draws", score.draws)]
    own, other = (score.x, score.o) if side is Mark.X else (score.o, score.x)
    return [("You", own), (_friend(live, side), other), ("Draws", score.draws)]


def _seat(live: LiveGame, mark: Mark, here: Marks, viewer: Viewer) -> Seat:
    """Return the side in the line above the board."""
    row, result = _player(live, mark, here, viewer), live.result
    moves = is_on(live.game.last, mark) if result is None else str(result) == mark
    won = live.score.x if mark is Mark.X else live.score.o
    return Seat(seat_mark(live.rules, mark), capital(row.who), moves, won, there=row.there)


def _player(live: LiveGame, mark: Mark, here: Marks, viewer: Viewer) -> PlayerRow:
    """Return the row of a side in the list of players."""
    side = viewer.side
    if not live.seat(mark):
        return PlayerRow(mark, "free", "")
    who = "you" if mark is side else live.name_of(mark) or ("a player" if side is None else "your friend")
    is_here = mark in here or mark is side
    may_claim = side is None and not is_here and not live.free and not live.claim
    return PlayerRow(mark, who, "here" if is_here else "away", may_claim)
