"""An engine for Gomocup's managers, five in a row on boards of up to 8×8: name this program as a brain.

    noughts prove --gomocup --board 5x5x5 -- python tests/examples/gomocup.py

It speaks the protocol on its standard streams: START, RESTART, BEGIN, TURN, BOARD, INFO, ABOUT and END. Of the moves
without a mistake, as far as is proved in a moment, it takes one that keeps most lines open.
"""

import sys

from solver import STRATEGIES, Position, Rules, __version__
from solver.kernel.potential import potential

OURS, THEIRS = "1", "2"


def choose(rules: Rules, stones: dict[int, str]) -> int:
    """Return our move. X moves first: we have its stones if there are as many of ours as of theirs."""
    own, other = (sum(1 << cell for cell, owner in stones.items() if owner == side) for side in (OURS, THEIRS))
    x, o = (own, other) if own.bit_count() == other.bit_count() else (other, own)
    position = Position.checked(rules, x, o)
    choices = STRATEGIES["impossible"].decide(position).choices
    return max(choices, key=lambda cell: potential(position, cell))


def answer(rules: Rules, stones: dict[int, str]) -> str:
    """Play our move, and return it as the protocol writes it."""
    cell = choose(rules, stones)
    stones[cell] = OURS
    return "{},{}".format(*rules.column_row(cell))


def main() -> None:
    """Answer the manager's lines until it says END."""
    rules, stones = Rules(8, 8, 5), dict[int, str]()
    lines = (line.strip() for line in sys.stdin)
    for line in lines:
        word, _, rest = line.partition(" ")
        said = ""
        match word.upper():
            case "START" if rest in {"5", "6", "7", "8"}:
                rules, stones, said = Rules(int(rest), int(rest), 5), {}, "OK"
            case "START":
                said = "ERROR boards of 5 to 8 squares a side only"
            case "RESTART":
                stones, said = {}, "OK"
            case "BEGIN":
                said = answer(rules, stones)
            case "TURN":
                column, row = map(int, rest.split(","))
                stones[rules.cell(column, row)] = THEIRS
                said = answer(rules, stones)
            case "BOARD":
                given = (stone.split(",") for stone in iter(lines.__next__, "DONE"))
                stones = {rules.cell(int(column), int(row)): owner for column, row, owner in given}
                said = answer(rules, stones)
            case "ABOUT":
                said = f'name="Noughts", version="{__version__}", author="The Noughts authors"'
            case "INFO":
                continue
            case "END":
                return
            case _:
                said = f"UNKNOWN {word}"
        print(said, flush=True)


if __name__ == "__main__":
    main()
