"""How the game goes on if the attacker follows a plan and the defender holds out as long as possible."""

from solver.board.outcome import WIN
from solver.board.position import Position
from solver.board.rules import Cell
from solver.kernel.potential import promising
from solver.reasons.plan import Completion, DoubleThreat, Plan, QuietMove, SingleThreat, length
from solver.search.budget import BudgetExhausted
from solver.search.decider import Decider
from solver.search.meter import Meter
from solver.search.variation import principal_variation


def course(position: Position, plan: Plan, solver: Decider, meter: Meter) -> tuple[Cell, ...]:
    """The moves from a position on in which a plan begins that wins as soon as is possible.

    Each is a best move. They end early where the meter runs out before the next of them is known.
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
                reply, then = plan.answer, plan.then
            case QuietMove():
                try:
                    reply, onward = _longest(position, plan, solver, meter)
                except BudgetExhausted:
                    return tuple(moves)
                if onward is None:
                    score = WIN - length(plan) + 2
                    return *moves, reply, *principal_variation(solver, position.after(reply), score, meter)
                then = onward
        moves.append(reply)
        position, plan = position.after(reply), then


def _longest(after: Position, plan: QuietMove, solver: Decider, meter: Meter) -> tuple[Cell, Plan | None]:
    """The reply to a quiet move that holds out longest, and the plan against it. Raises BudgetExhausted."""
    most = length(plan) - 2
    plans = {reply: plan.against(reply) for reply in promising(after)}
    slow = [reply for reply, then in plans.items() if then is None or length(then) == most]
    reply = next((reply for reply in slow if not solver.decided(after.after(reply), most - 2, meter)), slow[0])
    return reply, plans[reply]
