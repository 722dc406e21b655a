"""What programs ask the catalogue: who wins on a board, the certificate of that, and whether a certificate is right."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Final

from solver.board.names import as_rules
from solver.board.notation import SaidInNotebooks
from solver.board.rules import Rules, check_lines_win
from solver.catalogue.certify import certificate
from solver.catalogue.check import Certificate, Flaw, check_certificate, read_certificate, read_lines
from solver.catalogue.entry import Entry
from solver.catalogue.entry import atlas as every_board
from solver.catalogue.games import ProvedGame, board_or_game
from solver.errors import BadOption
from solver.search.budget import UNLIMITED, Budget

MOST_BYTES: Final = 50_000_000
MOST_SECONDS: Final = 3600
"""The bounds of a certificate's check."""


def atlas(*boards: Rules | str) -> tuple[Entry | ProvedGame, ...]:
    """Return who wins on these boards and in these games, or on every flat board up to 8×8.

    Each entry has the `outcome` for X, its `words`, the `proof` and what is `published`. Raises BadRules.

    >>> for entry in atlas("7x4x4", "connect four"):
    ...     print(entry, entry.words)
    7x4x4 draw in 28 plies
    7x6x4-gravity X wins in 21 moves (41 plies)
    """
    if not boards:
        return tuple(every_board().values())
    return tuple(board_or_game(str(board)) for board in boards)


def certify(rules: Rules | str, budget: Budget = UNLIMITED) -> Iterator[str]:
    """Return the lines of the certificate of a board's outcome, which `check` verifies.

    Raises BadRules, BadOption for a board that is not proved here and, while it goes on, BudgetExhausted.

    >>> print(check(certify("4x4x4")))
    Proved by 4 steps: 4x4x4 is a draw, since neither X nor O can be made to lose.
    """
    rules = as_rules(rules)
    check_lines_win(rules, "A certificate")
    entry = board_or_game(str(rules))
    if entry.proof is None:
        raise BadOption(f"{entry} is not proved here, so it cannot be certified.")
    return certificate(rules, entry.outcome, entry.pairs, budget)


@dataclass(frozen=True, slots=True)
class Checked(SaidInNotebooks):
    """The verdict on a certificate, true if its claim is proved. `str` says what it proves or what is missing."""

    certificate: Certificate = field(repr=False)
    proved: bool
    words: str

    def __bool__(self) -> bool:
        return self.proved

    def __str__(self) -> str:
        return self.words


def check(certificate: Path | str | Iterable[str], most: float = MOST_BYTES, seconds: float = MOST_SECONDS) -> Checked:
    """Check a certificate by the rules alone: its lines, one text, or the path of its file.

    `most` are the bytes of a file, and `seconds` the time it may take. Raises BadCertificate for what is none, and
    beyond these bounds.

    >>> print(check(['{"board": "3x3x3", "outcome": "draw"}']))
    Not proved: There is no step for X in .../.../....
    """
    deadline = monotonic() + seconds
    if isinstance(certificate, Path):
        certificate = read_lines(certificate, most, deadline)
    read = read_certificate(certificate.splitlines() if isinstance(certificate, str) else certificate)
    read.deadline = deadline
    try:
        return Checked(read, True, check_certificate(read))
    except Flaw as flaw:
        return Checked(read, False, f"Not proved: {flaw}")
