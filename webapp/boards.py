"""The boards that the page's dropdown offers."""

from solver.notation import parse_rules
from webapp import words

OFFERED = ("3x3x3", "4x3x3", "4x4x3", "4x4x4", "5x4x4", "5x5x4", "5x5x5", "6x6x4", "6x6x5", "7x7x5", "8x8x5")


def options(current: str) -> tuple[tuple[str, str], ...]:
    """Every offered board with its rule in words, and the current one if it is none of them."""
    boards = OFFERED if current in OFFERED else (current, *OFFERED)
    return tuple((board, words.rule(parse_rules(board))) for board in boards)
