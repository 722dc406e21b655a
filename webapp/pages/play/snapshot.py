"""The knowledge of a link's game when its page is asked for: computed once, and handed on."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from solver.analysis.review import NO_CHANCES, Review, Turn, review
from solver.board.outcome import Value
from solver.board.position import Position
from solver.board.rules import Cell
from solver.players import Decision
from solver.players.match import decide
from solver.proofs.prediction import Prediction, predict
from solver.reasons import Reason
from solver.search.tablebase import has_table
from webapp.pages.play import players
from webapp.pages.play.link import Link
from webapp.serving.pool.gating import already, chances_against, line_of, proof_of, reason_of
from webapp.serving.pool.work import Look


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A link and all that its page says of what is proved; another moment may have another one.

    `prediction`, `line` and `reason` are those of the functions below; `proof` is None where there is no rest to be
    proved. `decision` is how the strategy that moved last decided. `slip` is a person's last move if it gave something
    away, `tried` the move of the square that was tried. `review` is None where the page shows none. `chances` are a
    person's of winning against the computer, where they are known. `settled` says that the page will be the same
    whenever it is asked for.
    """

    link: Link
    prediction: Prediction | None
    proof: Look | None
    line: tuple[Cell, ...]
    decision: Decision | None
    slip: Turn | None
    tried: Turn | None
    reason: Reason | None
    review: Review | None
    chances: Mapping[Cell, Fraction]
    settled: bool

    @property
    def hinted(self) -> tuple[Cell, ...]:
        """The best squares: of several, those that leave the best chance against the opponent, where it is known."""
        best = self.prediction.best if self.prediction is not None else ()
        top = max((self.chances[cell] for cell in best if cell in self.chances), default=None)
        return best if top is None else tuple(cell for cell in best if self.chances.get(cell) == top)


def snapshot(link: Link) -> Snapshot:
    """What is known now. Has the rest proved in the background, if the page shows it."""
    prediction, proof = prediction_shown(link)
    tried = None if prediction is None or link.tried is None else Turn(link.at + 1, prediction, link.tried, NO_CHANCES)
    decision, final = _last_decision(link)
    known = prediction is None or prediction.complete
    return Snapshot(
        link=link,
        prediction=prediction,
        proof=None if known else proof,
        line=line_shown(link, prediction),
        decision=decision,
        slip=_slip(link),
        tried=tried,
        reason=reason_shown(link, prediction),
        review=review(link.game, already, partial(chances_of, link)) if _is_reviewed(link) else None,
        chances=chances_of(link, link.position) if link.shows_outcomes or link.hint else {},
        settled=has_table(link.rules) or (known and final and link.line is None and not link.game.moves),
    )


def chances_of(link: Link, position: Position) -> Mapping[Cell, Fraction]:
    """The chances to win of the person whose turn it is in a position of the game, as far as they are known."""
    if link.player(position.mover) not in players.PEOPLE:
        return {}
    chances = chances_against(position, link.player(position.mover.other))
    return chances if any(chances.values()) else {}  # nobody need be told nine times that there is none


def prediction_shown(link: Link) -> tuple[Prediction | None, Look | None]:
    """What is known of the squares, if the page shows any of it, and how the proof of the rest gets on."""
    if not (link.shows_outcomes or link.hint or link.tried is not None):
        return None, None
    prediction = predict(link.position)
    return (prediction, None) if prediction.complete else proof_of(link.position, link.prove)


def line_shown(link: Link, prediction: Prediction | None) -> tuple[Cell, ...]:
    """Best play after the square whose line the link shows, as far as it is proved."""
    if prediction is None or link.line is None or not link.shows_outcomes:
        return ()
    outcome = prediction.squares[link.line]
    return line_of(link.position, link.line, outcome) if outcome.plies is not None else ()


def reason_shown(link: Link, prediction: Prediction | None) -> Reason | None:
    """Why the square of the line is what it is, or the one that the coach asks about."""
    cell = link.tried if link.tried is not None else link.line
    if prediction is None or cell is None or link.learn or prediction.squares[cell].value is Value.UNKNOWN:
        return None
    return reason_of(prediction, cell)


def _is_reviewed(link: Link) -> bool:
    if not link.game.moves:
        return False
    at_once = has_table(link.rules) and link.shows_outcomes
    return link.review or link.learn or link.game.last.result is not None or at_once


def _slip(link: Link) -> Turn | None:
    """The last move of a person, shown last or answered by a computer, if it is proved to have given something away."""
    if not link.tell or link.learn:
        return None
    plies = (ply for ply in (link.at - 1, link.at - 2) if ply >= 0)
    of_person = (ply for ply in plies if link.player(link.game.positions[ply].mover) in players.PEOPLE)
    ply = next(of_person, None)
    if ply is None:
        return None
    turn = Turn(ply + 1, already(link.game.positions[ply]), link.game.moves[ply], NO_CHANCES)
    return turn if turn.grade.is_mistake else None


def _last_decision(link: Link) -> tuple[Decision | None, bool]:
    """How the strategy that moved last decided, if one did, and whether it always decides so."""
    if link.at == 0:
        return None, True
    before = link.game.positions[link.at - 1]
    strategy = players.computer(link.player(before.mover))
    if strategy is None:
        return None, True
    reproducible = strategy.settled or (link.seed is not None and strategy.reproducible is not None)
    final = reproducible or predict(before).complete
    return decide(strategy, before, link.seed), final
