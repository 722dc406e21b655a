"""The moves of a link's game, and what its page asks of the oracle.

The oracle is asked once for each request. All parts of the page share its answers in a `Snapshot`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from solver import oracle
from solver.analysis.review import NO_CHANCES, Review, Turn
from solver.board.position import Position
from solver.board.rules import Cell
from solver.errors import IllegalMove
from solver.oracle import Proving
from solver.players import Decision, Strategy
from solver.players.decision import choose, generator_for
from solver.proofs.prediction import Prediction, ProofState, ProofStatus
from solver.reasons import Reason
from webapp.pages.play import players
from webapp.pages.play.link import Link
from webapp.serving.pool.asking import pool

JUDGED_AT_A_TIME: Final = 4
"""The most positions of a game that one request has proved for a review; the page asks again for the rest."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A link, with the answers of the oracle that its page shows as of now.

    `prediction` is None if the page shows nothing of it. `proof` is the state of the proof of the squares that are
    open. `line` is the square whose line is shown, followed by best play. It is empty if its distance is not proved.
    `reason` belongs to this square, or to the square that the coach asks about. `decision` belongs to the strategy that
    moved last. `slip` is a person's last move if it was a mistake. `tried` is the move that the visitor tried. `review`
    is None if the page shows no review. `judging` is the state of the proof of its last move that is not judged yet.
    `chances` are a person's chances of winning against the computer, as far as they are known. `settled` is true if the
    page can never change.
    """

    link: Link
    prediction: Prediction | None = None
    proof: ProofStatus | None = None
    line: tuple[Cell, ...] = ()
    reason: Reason | None = None
    decision: Decision | None = None
    slip: Turn | None = None
    tried: Turn | None = None
    review: Review | None = None
    judging: ProofStatus | None = None
    chances: Mapping[Cell, Fraction] = field(default_factory=dict)
    settled: bool = True

    @property
    def hinted(self) -> tuple[Cell, ...]:
        """The best squares. If the chances of winning are known, squares with a lower chance are left out."""
        best = self.prediction.best or self.prediction.winning if self.prediction is not None else ()
        top = max((self.chances[cell] for cell in best if cell in self.chances), default=None)
        return best if top is None else tuple(cell for cell in best if self.chances.get(cell) == top)


def computer_to_move(link: Link) -> bool:
    """Return whether it is a strategy's turn in the position shown."""
    position = link.position
    return players.computer(link.player(position.mover)) is not None and position.result is None


def between_computers(link: Link) -> bool:
    """Return whether both marks are played by strategies."""
    return link.x not in players.PEOPLE and link.o not in players.PEOPLE


def plays_by_itself(link: Link) -> bool:
    """Return whether the computer moves without being asked.

    Two computers play on unless the game is paused. Against a person, a computer moves by itself only if the last
    position of the game is shown. No computer moves while a line of best play is shown.
    """
    if not computer_to_move(link) or link.line is not None:
        return False
    return not link.paused if between_computers(link) else link.at == len(link.game.moves)


def back_to(link: Link, ply: int) -> Link:
    """Return the game shown after its first `ply` moves. A game between computers is paused there."""
    return link.showing(ply).having(paused=link.paused or between_computers(link))


def places(link: Link) -> tuple[str, ...]:
    """Return the address of each position of the game, from the first. The addresses differ only in the part `at`."""
    before, _, after = back_to(link, 0).url().partition("&at=0")  # the moves always come before it
    return *(f"{before}&at={ply}{after}" for ply in range(len(link.game.moves))), before + after


def human_move(link: Link, cell: Cell) -> Link:
    """Return the link after a person's move and, if a strategy is next, its reply. Raises IllegalMove."""
    if computer_to_move(link):
        mover = link.position.mover
        raise IllegalMove(f"It is {mover}'s turn, and {players.title(link.player(mover))} plays {mover}.")
    after = link.playing(cell)
    return computer_move(after) if computer_to_move(after) else after


def computer_move(link: Link) -> Link:
    """Return the link after one move of the strategy whose turn it is. Raises IllegalMove if it is a person's turn."""
    position = link.position
    strategy = players.computer(link.player(position.mover))
    if strategy is None or position.result is not None:
        raise IllegalMove("The game is over." if position.result else f"It is {position.mover}'s turn, a person's.")
    decision = oracle.decide(strategy, position, link.seed, pool())
    return link.playing(choose(decision, generator_for(link.seed, link.series.games, link.at)))


def undone(link: Link) -> Link | None:
    """Return the game at a person's last turn, or one ply back between computers. None at the start."""
    return next((back_to(link, ply) for ply in range(link.at - 1, -1, -1) if _is_stop(link, ply)), None)


def redone(link: Link) -> Link | None:
    """Return the game one turn forward, the inverse of `undone`. None at the end."""
    end = len(link.game.moves)
    return next((back_to(link, ply) for ply in range(link.at + 1, end + 1) if ply == end or _is_stop(link, ply)), None)


def _is_stop(link: Link, ply: int) -> bool:
    return between_computers(link) or link.player(link.game.positions[ply].mover) in players.PEOPLE


def snapshot(link: Link) -> Snapshot:
    """Return the snapshot of a link's page. Start the background proof of squares whose outcomes the page shows."""
    if link.review:
        return _judged(link)
    now = explanation(link)
    prediction = now.prediction
    decision, final = _last_decision(link)
    is_known = prediction is None or prediction.complete
    return replace(
        now,
        decision=decision,
        slip=_slip(link),
        tried=None if prediction is None or link.tried is None else _turn(link.at, prediction, link.tried),
        review=_review(link),
        chances=chances_of(link, link.position) if link.chances or link.hint else NO_CHANCES,
        settled=link.rules.is_small or (is_known and final and link.line is None and not link.game.moves),
    )


def explanation(link: Link) -> Snapshot:
    """Return the snapshot with the prediction, the line and the reason alone, as far as the page shows them."""
    if not (link.shows_outcomes or link.hint or link.tried is not None):
        return Snapshot(link)
    prediction, proof = oracle.prove(link.position, _proving(link), pool())
    line = link.line if link.shows_outcomes else None
    if line is not None and not prediction.squares[line].is_exact:
        line = None
    cell = link.tried if link.tried is not None else link.line
    asked = tuple(square for square in (line, cell) if square is not None)
    reasons = oracle.explain(prediction, asked, line, pool()) if asked else {}
    return Snapshot(
        link,
        prediction,
        proof,
        () if line is None else (line, *reasons[line].refutation),
        None if cell is None else reasons[cell],
    )


def gives_away(link: Link, cell: Cell) -> bool:
    """Return whether a move in the position shown is proved to be a mistake."""
    prediction, _ = oracle.prove(link.position, _proving(link), pool())
    return cell in prediction.squares and _turn(link.at, prediction, cell).grade.is_mistake


def chances_of(link: Link, position: Position) -> Mapping[Cell, Fraction]:
    """Return the chances of winning, as far as they are known, of the person whose turn it is in a position.

    There are none if all are zero, which is not worth showing.
    """
    opponent = _opponent(link, position)
    chances = NO_CHANCES if opponent is None else oracle.chances(position, opponent, pool())
    return chances if any(chances.values()) else NO_CHANCES


def _proving(link: Link) -> Proving:
    """Return the proving of the position shown."""
    return Proving.IN_VIEW if link.prove else Proving.STOPPED


def _opponent(link: Link, position: Position) -> Strategy | None:
    """Return the opponent of the person whose turn it is. None if a computer is to move, or against a person."""
    is_person = link.player(position.mover) in players.PEOPLE
    return players.computer(link.player(position.mover.other)) if is_person else None


def _review(link: Link) -> Review | None:
    """Return the review of the game, if the page shows something of it."""
    if not link.game.moves:
        return None
    if link.review or link.game.last.result is not None:
        return oracle.review(link.game, pool=pool())
    return oracle.review(link.game, searches=False) if link.rules.is_small and link.shows_outcomes else None


def _judged(link: Link) -> Snapshot:
    """Return the snapshot of a review with more moves judged, from the last one back.

    Late positions are quickly proved, and their proofs help with earlier ones. A position is passed over once the pool
    has spent its time on it.
    """
    review, small = _review(link), link.rules.is_small
    if review is None or not review.unproved:
        return Snapshot(link, review=review, settled=small)
    if not link.prove:
        return Snapshot(link, review=review, judging=ProofStatus(ProofState.OFF), settled=False)
    judged = 0
    for turn in reversed(review.unproved):
        status = oracle.prove(turn.position, Proving.IN_VIEW, pool())[1] or ProofStatus(ProofState.DONE)
        judged += status.state is ProofState.DONE
        if judged == JUDGED_AT_A_TIME or status.state not in {ProofState.DONE, ProofState.SPENT}:
            break
    if judged:
        review = _review(link) or review
    return Snapshot(link, review=review, judging=status if review.unproved else None, settled=False)


def _turn(at: int, prediction: Prediction, cell: Cell) -> Turn:
    """Return the move on a square after `at` plies, with the prediction before the move."""
    return Turn(at + 1, prediction, cell, NO_CHANCES)


def _slip(link: Link) -> Turn | None:
    """Return a person's last move if it is proved to be a mistake.

    This is the last move shown, or the move before it if a computer replied.
    """
    if not link.tell:
        return None
    plies = (ply for ply in (link.at - 1, link.at - 2) if ply >= 0)
    of_person = (ply for ply in plies if link.player(link.game.positions[ply].mover) in players.PEOPLE)
    ply = next(of_person, None)
    if ply is None:
        return None
    turn = _turn(ply, oracle.known(link.game.positions[ply]), link.game.moves[ply])
    return turn if turn.grade.is_mistake else None


def _last_decision(link: Link) -> tuple[Decision | None, bool]:
    """Return the decision behind the last move, if a strategy made it, and whether the decision can never change."""
    if link.at == 0:
        return None, True
    before = link.game.positions[link.at - 1]
    strategy = players.computer(link.player(before.mover))
    if strategy is None:
        return None, True
    reproducible = strategy.settled or (link.seed is not None and strategy.reproducible is not None)
    final = reproducible or oracle.predict(before, pool()).complete
    return oracle.decide(strategy, before, link.seed, pool()), final
