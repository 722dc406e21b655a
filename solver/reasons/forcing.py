"""Plays a plan through by the rules: whether the attacker forces a line, whatever the defender does."""

from collections.abc import Iterable

from solver.board.rules import Bits, Cell, Rules, cells_of, union
from solver.reasons.open_lines import OpenLines, completing_squares
from solver.reasons.plan import Completion, DoubleThreat, Plan, QuietMove, SingleThreat, length


def forces(rules: Rules, attacker: Bits, defender: Bits, plan: Plan) -> bool:
    """Whether the plan wins by the rules alone for the attacker, which is to move; neither has a line yet.

    A plan with a rest does not.
    """
    return succeeds(OpenLines.of(rules, attacker, defender, length(plan)), plan)


def forces_but_for_rest(rules: Rules, attacker: Bits, defender: Bits, plan: QuietMove) -> bool:
    """Whether a quiet move is one, and its plans win against all replies but the rest. There is a plan."""
    lines, stone = OpenLines.of(rules, attacker, defender, plan.plies), 1 << plan.move
    if not stone & lines.empty or not (plan.threat or plan.defences):
        return False
    lines = lines.moved(stone)
    return not completing_squares([*lines.mine, *lines.theirs]) and _against_all(lines, plan, 0) != 0


def succeeds(lines: OpenLines, plan: Plan) -> bool:
    """As `forces`, of what the lines miss."""
    return zone(lines, plan, 0) != 0


def zone(lines: OpenLines, plan: Plan, more: int = 1) -> Bits:
    """The squares that a plan depends on, 0 if it does not win.

    With `more` stones of the defender's on any other open squares it wins as well, if they complete no line. For they
    take no square of the plan; and a line through one of them misses `more` + 2 squares or more whenever the defender
    is to reply, so that it misses two with all of them. In a quiet move's threat the reply is one stone more, which is
    on no square that the threat depends on by itself. So of a line through that reply and others, the others make it
    miss the more, and of a line through the reply alone the reply does.
    """
    stone = 1 << plan.move
    if not stone & lines.empty:
        return 0
    lines = lines.moved(stone)
    if isinstance(plan, Completion):
        return stone if 0 in lines.mine else 0
    if 0 in lines.mine or completing_squares(lines.theirs):
        return 0
    threats = completing_squares(lines.mine)
    match plan:
        case DoubleThreat():
            needed = threats if len(plan.targets) >= 2 and threats == _squares(plan.targets) else 0
        case SingleThreat():
            needed = zone(lines.replied(threats), plan.then, more) if threats == 1 << plan.answer else 0
        case QuietMove():
            needed = 0 if threats or plan.rest else _against_all(lines, plan, more)
    return needed and needed | stone | threats | _near(lines.theirs, more + 1)


def _against_all(lines: OpenLines, plan: QuietMove, more: int) -> Bits:
    """The squares that a quiet move's plans against the replies depend on, 0 if one of them does not win."""
    found = left = lines.empty & ~plan.rest
    if plan.threat is not None:
        touching = zone(lines, plan.threat)
        if not touching:
            return 0
        left &= union([touching, *(replies for replies, _ in plan.defences)])
        found = touching | (zone(lines, plan.threat, more + 1) if more else 0)
    for reply in cells_of(left):
        then = plan.against(reply)
        needed = 0 if then is None else zone(lines.replied(1 << reply), then, more)
        if not needed:
            return 0
        found |= needed | 1 << reply
    return found


def _near(lines: Iterable[Bits], most: int) -> Bits:
    """The squares of lines that miss no more than so many."""
    found = 0
    for line in lines:
        if line & ~found and line.bit_count() <= most:
            found |= line
    return found


def _squares(cells: Iterable[Cell]) -> Bits:
    return union(1 << cell for cell in cells)
