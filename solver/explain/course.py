"""How the game goes on if the attacker follows a plan and the defender holds out as long as possible."""

from solver.board.position import Position
from solver.board.rules import Cell, cells_of
from solver.explain.plan import Completion, DoubleThreat, Plan, QuietMove, SingleThreat, length
from solver.search.budget import BudgetExhausted
from solver.search.decider import Decider
from solver.search.meter import Meter
from solver.search.potential import potential


def course(position: Position, plan: Plan, solver: Decider, meter: Meter) -> tuple[Cell, ...]:
    """The moves from a position on in which a plan begins that wins as soon as is possible.

    Each is a best move. They end early where the meter runs out before the best reply to a quiet move is known.
    """
    moves: list[Cell] = []
    while True:
        moves.append(plan.move)
        position = position.after(plan.move)
        match plan:
            case Completion():
                return tuple(moves)
            case DoubleThreat(targets=(blocked, completed, *_)):
                return (*moves, blocked, completed)
            case SingleThreat():
                reply, plan = plan.answer, plan.then
            case QuietMove():
                try:
                    reply = _longest(position, plan, solver, meter)
                except BudgetExhausted:
                    return tuple(moves)
                then = plan.against(reply)
                assert then is not None  # noqa: S101 - a plan is against all replies
                plan = then
        moves.append(reply)
        position = position.after(reply)


def _longest(after: Position, plan: QuietMove, solver: Decider, meter: Meter) -> Cell:
    """The reply to a quiet move that holds out longest. Raises BudgetExhausted."""
    most = length(plan) - 2
    replies = sorted(cells_of(after.empty), key=lambda cell: -potential(after, cell))
    slow = [reply for reply in replies if (then := plan.against(reply)) is not None and length(then) == most]
    return next((reply for reply in slow if not solver.decided(after.after(reply), most - 2, meter)), slow[0])
