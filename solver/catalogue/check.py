"""Check certificates: files that prove a board's outcome by strategies against every reply.

This module uses the rules of the game and trusts no search of the kernel or of the reasons: `ThreatSearch` finds wins
by the lines alone. A certificate is JSON lines. The first line is the claim:
`{"board": "6x5x4", "outcome": "win", "plies": 11}` says that X wins in 11 plies at the latest.
`{"board": "5x5x4", "outcome": "draw"}` says that neither side can be made to lose. `"threats": true` instead of plies
says that X wins, sooner or later, and that no step is given where threats alone win: moves that each leave the opponent
one reply. The check finds these moves again.

Every other line is a step of a strategy: `[position, move]`, for the player about to move. A canonical position stands
for its images. A move that completes a line needs no step, and neither does the block of the opponent's only winning
square.

In a strategy that does not lose, a step may have a third part such as `"a1b1 c2c3"`. It names pairs of squares, and no
further steps follow. If the opponent takes one square of a pair, the player takes the other, so the opponent never
completes a line that holds a pair. Every line that the opponent could complete must hold a pair. If the claim has
`"pairs"`, these are pairs on the empty board.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, Final

from solver.board.notation import format_cell, format_position, parse_cell, parse_pairs, parse_position, parse_rules
from solver.board.outcome import counted
from solver.board.position import Mark, Position
from solver.board.rules import Bits, Cell, Pairs, Rules
from solver.errors import BadCertificate, IllegalMove

MOST_POSITIONS: Final = 4_000_000  # about a gigabyte


class Flaw(Exception):
    """The reason why a certificate does not prove its claim, as a sentence."""


@dataclass(slots=True)
class Certificate:
    """A claim and its proof: X wins within `plies`, or by steps and `threats`. Without both, the claim is a draw."""

    rules: Rules
    plies: int | None
    pairs: Pairs | None
    threats: "ThreatSearch | None" = None
    steps: dict[Position, tuple[Cell, Pairs | None]] = field(default_factory=dict)
    deadline: float = inf  # by `monotonic`

    @property
    def wins(self) -> bool:
        """True if X wins by this claim."""
        return self.plies is not None or self.threats is not None


def check_certificate(certificate: Certificate) -> str:
    """Check a certificate and return a sentence on what it proves. Raises Flaw, or BadCertificate beyond the bounds."""
    steps, empty = counted(len(certificate.steps), "step", "steps"), Position(certificate.rules)
    if certificate.threats is not None:
        _followed(certificate, Mark.X)
        return f"Proved by {steps} and by threats: on {certificate.rules} X wins."
    if certificate.plies is not None:
        latest = _followed(certificate, Mark.X)
        if latest != certificate.plies:
            raise Flaw(f"By these steps X wins in {latest} plies at the latest, not in {certificate.plies} as claimed.")
        return f"Proved by {steps}: on {certificate.rules} X wins, in {counted(latest, 'ply', 'plies')} at the latest."
    if certificate.pairs is not None:
        _hold(empty, Mark.O, certificate.pairs)  # the pairs also serve X, who has an extra stone
        return f"Proved by {counted(len(certificate.pairs), 'pair', 'pairs')}: {certificate.rules} is a draw."
    for player in Mark:
        _followed(certificate, player)
    return f"Proved by {steps}: {certificate.rules} is a draw, since neither X nor O can be made to lose."


def read_certificate(lines: Iterable[str]) -> Certificate:
    """Parse the lines of a certificate. Raises BadCertificate."""
    found: Certificate | None = None
    for number, text in enumerate(lines, 1):
        try:
            line = json.loads(text)
            if found is None:
                found = _claim(line)
            else:
                _add(found, *line)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise BadCertificate(f"Line {number} is no line of a certificate ({error}).") from error
    if found is None:
        raise BadCertificate("The file is empty, so it certifies nothing.")
    return found


def _claim(line: dict[str, Any]) -> Certificate:
    rules, plies, pairs = parse_rules(line["board"]), line.get("plies"), line.get("pairs")
    threats = ThreatSearch(rules) if line.get("threats") else None
    if not rules.stones_never_harm:
        raise ValueError(f"no strategy of this form proves {rules}, where a line loses")
    found = Certificate(rules, plies, None if pairs is None else parse_pairs(pairs, rules), threats)
    one_claim = plies is None or (isinstance(plies, int) and threats is None)
    if line["outcome"] != ("win" if found.wins else "draw") or not one_claim:
        raise ValueError("it claims neither a draw nor a win by threats or in a number of plies")
    return found


def _add(certificate: Certificate, text: str, move: str, pairs: str | None = None) -> None:
    rules, position = certificate.rules, parse_position(text, certificate.rules)
    if position in certificate.steps:
        raise ValueError(f"{text} has two steps")
    certificate.steps[position] = parse_cell(move, rules), None if pairs is None else parse_pairs(pairs, rules)


def _followed(certificate: Certificate, player: Mark) -> int:
    """Follow a player's strategy against every reply. Return the latest ply at which the player wins. Raises Flaw."""
    empty, latest = Position(certificate.rules), 0
    waiting = [empty] if player is Mark.X else replies_to(empty)
    seen = set(waiting)
    while waiting:
        if len(seen) > MOST_POSITIONS or monotonic() > certificate.deadline:
            raise BadCertificate(
                f"The check is given up after {len(seen):,} positions. It can take longer by --seconds."
            )
        position = waiting.pop()
        if _won_by_threats(certificate, position):
            continue
        after, pairs = _after_step(certificate, position)
        played = certificate.rules.squares - after.plies_left
        if after.winning_lines:
            latest = max(latest, played)
            continue
        if lost := after.threats(player.other):
            square = format_cell(lost[0], certificate.rules)
            raise Flaw(f"{player.other} completes a line on {square} of {format_position(after)}.")
        if not certificate.wins and pairs is not None:
            _hold(after, player, pairs)
            continue
        threats = after.threats(player)
        latest = max(latest, played + 2 if threats else 0)
        if certificate.wins and after.plies_left < 2:
            raise Flaw(f"The board is full before {player} has a line: {format_position(after)}.")
        forced = [after.after(cell).canonical() for cell in threats]
        replies = forced or replies_to(after, _soon_won(certificate))
        for reply in replies if len(threats) < 2 else ():  # one reply cannot block several threats
            if reply not in seen and reply.empty:
                seen.add(reply)
                waiting.append(reply)
    return latest


def _won_by_threats(certificate: Certificate, position: Position) -> bool:
    """Return whether X wins by threats where there is neither a step nor a block that is forced."""
    if certificate.threats is None or position in certificate.steps or len(position.threats(Mark.O)) == 1:
        return False
    return certificate.threats.win(position.x, position.o)


def _soon_won(certificate: Certificate) -> Callable[[Position], bool] | None:
    """Return a quick test for replies that leave X a win by threats, which spares most of them their least image."""
    if (threats := certificate.threats) is None:
        return None
    return lambda position: threats.win(position.x, position.o, QUICK)


def replies_to(position: Position, won: Callable[[Position], bool] | None = None) -> list[Position]:
    """Return the positions one move later, without those that are `won`, each symmetry class once."""
    left = (each for each in position.successors() if won is None or not won(each))
    return list(dict.fromkeys(each.canonical() for each in left))


def _after_step(certificate: Certificate, position: Position) -> tuple[Position, Pairs | None]:
    """Return the position after its player's step, and the pairs of that step. Raises Flaw."""
    blocks = position.threats()
    if position not in certificate.steps and len(blocks) != 1:
        raise Flaw(f"There is no step for {position.mover} in {format_position(position)}.")
    cell, pairs = certificate.steps.get(position) or (blocks[0], None)
    try:
        return position.play(cell), pairs
    except IllegalMove as error:
        raise Flaw(f"{format_cell(cell, position.rules)} in {format_position(position)}: {error}") from error


def _hold(position: Position, player: Mark, pairs: Pairs) -> None:
    """Check that every line that the player's opponent could complete holds one of these pairs. Raises Flaw."""
    squares = [cell for pair in pairs for cell in pair]
    if len(set(squares)) < len(squares) or any(not position.empty >> cell & 1 for cell in squares):
        raise Flaw(f"The pairs of {format_position(position)} are not disjoint pairs of empty squares.")
    for line in position.rules.lines:
        if not line & position.stones(player) and not any(line >> a & 1 and line >> b & 1 for a, b in pairs):
            raise Flaw(f"A line that {player.other} can complete holds no pair in {format_position(position)}.")


MOST, QUICK = 100_000, 100
"""The most positions of one search, and of a quick one."""

MOST_FAILED = 4_000_000
"""The most positions that are remembered, in half a gigabyte or so."""


class ThreatSearch:
    """A search for wins in which each move leaves a line with one empty square, so that the opponent has one reply.

    It remembers the moves of the last win, in `plan`, since they often win again, and positions without such a win.
    """

    def __init__(self, rules: Rules) -> None:
        self.lines, self.lines_through = rules.lines, rules.lines_through
        self.failed = set[tuple[Bits, Bits]]()
        self.left = self.plan = 0

    def win(self, own: Bits, other: Bits, most: int = MOST) -> bool:
        """Return whether a search of `most` positions finds a win by threats for the player to move, who has `own`."""
        self.left = most
        rests = [line & ~own for line in self.lines if not line & other]
        if any(rest.bit_count() == 1 for rest in rests):
            return True
        return self._attack(own, other, rests, _missing(self.lines, other, own))

    def _attack(self, own: Bits, other: Bits, rests: list[Bits], feared: Bits) -> bool:
        """Return whether the attack goes on to a win.

        `rests` are what the player's lines lack, and `feared` the squares that complete one of the opponent.
        """
        self.left -= 1
        if self.left < 0 or feared & (feared - 1) or (own, other) in self.failed:
            return False
        replies, twice, allowed = dict[Bits, Bits](), 0, feared or -1  # anywhere
        for pair in {rest for rest in rests if rest.bit_count() == 2}:
            for move in _cells(pair & allowed):
                twice |= move if move in replies else 0
                replies[move] = pair ^ move
        if twice:  # two lines are threatened at once
            self.plan = twice
            return True
        for move in sorted(replies, key=lambda each: not each & self.plan):
            own_after, other_after, reply = own | move, other | replies[move], replies[move]
            left = [rest & ~move for rest in rests if not rest & reply]
            threats = _missing(self.lines_through[reply.bit_length() - 1], other_after, own_after)
            if self._attack(own_after, other_after, left, threats):
                self.plan |= move
                return True
            if self.left < 0:
                return False
        if len(self.failed) < MOST_FAILED:
            self.failed.add((own, other))
        return False


def _missing(lines: tuple[Bits, ...], own: Bits, other: Bits) -> Bits:
    """Return the squares that complete one of these lines for the player who has `own`."""
    found = 0
    for line in lines:
        if not line & other and (line & ~own).bit_count() == 1:
            found |= line & ~own
    return found


def _cells(cells: Bits) -> Iterator[Bits]:
    while cells:
        yield cells & -cells
        cells &= cells - 1


LONGEST_LINE: Final = 10_000
"""The most bytes of a line. The longest name of a board has about 4,000."""


def read_lines(path: Path, most: float, deadline: float = inf) -> Iterator[str]:
    """Yield the lines of a file, unpacked if its name ends in `.gz`: `most` bytes, until the deadline by `monotonic`.

    Raises BadCertificate, also for a file that cannot be read.
    """
    left, number = most, 0
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
            while line := file.readline(LONGEST_LINE + 1):
                left, number = left - len(line), number + 1
                if len(line) > LONGEST_LINE:
                    raise BadCertificate(f"Line {number} has more than {LONGEST_LINE:,} bytes.")
                if left < 0:
                    raise BadCertificate(f"The file has more than {most:,} bytes when unpacked; --limit allows more.")
                if monotonic() > deadline:
                    raise BadCertificate(
                        f"Reading is given up after {number:,} lines. It can take longer by --seconds."
                    )
                yield line.decode("utf-8", "replace")
    except (OSError, EOFError, zlib.error) as error:
        raise BadCertificate(f"The file cannot be read: {error}.") from error
