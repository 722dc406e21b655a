"""Words that several pages share."""

from solver.board.rules import Rules

_COUNTS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight")


def board_title(rules: Rules) -> str:
    """Name a board and what wins on it, e.g. "3×3, three in a row"."""
    row = "a single stone" if rules.k == 1 else f"{_COUNTS[rules.k]} in a row"
    return f"{rules.columns}×{rules.rows}, {row}"
