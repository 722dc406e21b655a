"""New links: random games on boards of every size."""

import random
from urllib.parse import quote

from solver.board.notation import format_cell, format_moves, parse_rules
from solver.board.position import Position

BOARDS = ("3x3x3", "4x3x3", "4x4x3", "4x4x4", "5x4x4", "5x5x4", "6x5x4", "6x6x5", "7x7x5", "8x8x5", "8x8x8")


def moves(board: str, count: int = 6) -> str:
    """Return the moves of a random game as in links; they are too few to win on a large board."""
    rules = parse_rules(board)
    position, played = Position(rules), []
    for _ in range(count):
        if not position.legal_moves:
            break
        played.append(random.choice(position.legal_moves))
        position = position.after(played[-1])
    return format_moves(tuple(played), rules)


def open_square(board: str, text: str) -> str:
    """Return a square that these moves leave open."""
    rules = parse_rules(board)
    cells = (format_cell(cell, rules) for cell in range(rules.size))
    taken = {text[start : start + 2] for start in range(0, len(text), 2)}
    return random.choice([cell for cell in cells if cell not in taken])


def seed() -> str:
    """Return a seed that no other link has."""
    return f"{random.getrandbits(64):x}"


def play() -> tuple[str, str]:
    """Return a link to a game on any board, and a square that may be played there."""
    board = random.choice(BOARDS)
    most = min(6, parse_rules(board).k - 1)  # too few for anybody to have won
    played = moves(board, 2 * random.randrange(most + 1))  # as many of each, so that it is a person's turn
    return f"/play/{board}?moves={quote(played)}&seed={seed()}", open_square(board, played)
