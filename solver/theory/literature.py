"""What is known of boards as a whole: the value of the game from the empty board.

Sources: Uiterwijk and van den Herik, "The advantage of the initiative", 2000 (k = 3, 4x4x4, 5x4x4, 5x5x4); Uiterwijk,
"Solving strong and weak 4-in-a-row", 2019 (the other boards with k = 4); Hsu et al., "Solving 7,7,5-game and
8,8,5-game", 2020 (6x6x5, 7x7x5, 8x8x5). All but the last are recomputed by the tests, distances included.
"""

from types import MappingProxyType

from solver.board.outcome import Outcome, Value
from solver.board.rules import Rules, rules_of

_WON_IN = {(4, 3, 3): 7, (4, 4, 3): 5, (6, 5, 4): 11, (6, 6, 4): 11}
_DRAWN = [(3, 3, 3), (4, 4, 4), (5, 4, 4), (5, 5, 4), (5, 5, 5), (6, 4, 4), (6, 6, 5), (7, 7, 5), (8, 8, 5)]

KNOWN = MappingProxyType(
    {rules_of(*sizes): Outcome(Value.WIN, plies) for sizes, plies in _WON_IN.items()}
    | {rules_of(*sizes): Outcome(Value.DRAW, sizes[0] * sizes[1]) for sizes in _DRAWN}
)
"""The outcome of the empty board for X."""


def known_value(rules: Rules) -> str:
    """What is known of a board in words: "draw", "X wins in 6 moves", or nothing."""
    outcome = KNOWN.get(rules)
    if outcome is None or outcome.plies is None:
        return ""
    return "draw" if outcome.value is Value.DRAW else f"X wins in {(outcome.plies + 1) // 2} moves"
