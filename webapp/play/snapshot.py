"""What is known of a link's game when its page is asked for: computed once, and handed on."""

from dataclasses import dataclass

from solver.board.rules import Cell
from solver.proofs.prediction import Prediction, predict
from solver.search.tablebase import has_table
from solver.strategies import Decision
from solver.strategies.match import decide
from webapp.gating import line_of, proof_of
from webapp.play import players
from webapp.play.link import Link
from webapp.server.work import Look


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A link and all that its page says of what is proved; another moment may have another one.

    `prediction` is None where the page shows none, `proof` where there is no rest to be proved. `line` is the line of
    best play that is shown. `decision` is how the strategy that moved last decided. `settled` says that the page will
    be the same whenever it is asked for.
    """

    link: Link
    prediction: Prediction | None
    proof: Look | None
    line: tuple[Cell, ...]
    decision: Decision | None
    settled: bool


def snapshot(link: Link) -> Snapshot:
    """What is known now. Has the rest proved in the background, if the page shows it."""
    position = link.position
    prediction, proof = None, None
    if link.show != "off" or link.hint:
        prediction = predict(position)
        if not prediction.complete:
            prediction, proof = proof_of(position, link.prove)
    line: tuple[Cell, ...] = ()
    if prediction is not None and link.line is not None and link.show != "off":
        outcome = prediction.squares[link.line]
        line = line_of(position, link.line, outcome) if outcome.plies is not None else ()
    decision, final = _last_decision(link)
    known = prediction is None or prediction.complete
    settled = has_table(link.rules) or (known and final and link.line is None)
    return Snapshot(link, prediction, None if known else proof, line, decision, settled)


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
