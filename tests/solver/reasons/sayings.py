"""The sentences of reasons: an independent test of their truth, and an example of each kind.

`is_true` uses none of the code that finds or checks reasons. It parses a sentence, puts stones on the board and asks
minimax. A sentence that it cannot parse is false. This is the only test file that quotes sentences of reasons.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from solver.board.notation import parse_cell, parse_position, parse_rules
from solver.board.outcome import DRAWN, LOST, PROVED, WIN, Score, to_parent
from solver.board.position import Mark, Position
from solver.board.rules import Bits, Cell, Rules, cells_of
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction
from solver.reasons import Reason, explain

SQUARE = r"[a-h]\d"
SQUARES = rf"{SQUARE}(?:, {SQUARE})*(?: (?:and|or) {SQUARE})?"
LINE = rf"{SQUARE}–{SQUARE}|{SQUARE}"


def score(position: Position) -> Score:
    """Return the score of a position for its mover, by minimax."""
    return score_of(position.rules, position.own, position.other)


@cache
def score_of(rules: Rules, own: Bits, other: Bits) -> Score:
    if any(line & other == line for line in rules.lines):
        return LOST
    empty = list(cells_of(rules.full & ~(own | other)))
    return max((to_parent(score_of(rules, other, own | 1 << cell)) for cell in empty), default=DRAWN)


def square(position: Position, cell: Cell) -> Score:
    """Return the score of an open square for the player who moves there."""
    return to_parent(score(position.after(cell)))


@dataclass(frozen=True)
class Stones:
    """The stones of the attacker, who has just moved, and of the defender."""

    rules: Rules
    who: Mark
    mine: Bits
    theirs: Bits

    @property
    def empty(self) -> list[Cell]:
        return list(cells_of(self.rules.full & ~(self.mine | self.theirs)))

    @property
    def wins(self) -> bool:
        """True if the attacker wins, with the defender to move."""
        return score_of(self.rules, self.theirs, self.mine) <= -PROVED

    def moved(self, cell: Cell) -> "Stones":
        return replace(self, mine=self.mine | 1 << cell)

    def replied(self, cell: Cell) -> "Stones":
        return replace(self, theirs=self.theirs | 1 << cell)

    def turned(self) -> "Stones":
        """Return the stones with the other player as the attacker."""
        return Stones(self.rules, self.who.other, self.theirs, self.mine)

    def completes(self, cell: Cell) -> set[Bits]:
        """Return the lines that the attacker would complete on a cell."""
        stones = self.mine | 1 << cell
        return {line for line in self.rules.lines_through[cell] if line & stones == line}

    @property
    def threats(self) -> set[Cell]:
        """The cells where the attacker would complete a line if it moved again."""
        return {cell for cell in self.empty if self.completes(cell)}

    @property
    def safe(self) -> bool:
        """True if the defender cannot complete a line."""
        return not self.turned().threats


@dataclass(frozen=True)
class Said:
    """A sentence about a square of a position, parsed into its named parts."""

    position: Position
    cell: Cell
    words: dict[str, str | None]

    @property
    def rules(self) -> Rules:
        return self.position.rules

    @property
    def me(self) -> Mark:
        return self.position.mover

    @property
    def you(self) -> Mark:
        return self.position.mover.other

    @property
    def after(self) -> Position:
        return self.position.after(self.cell)

    @property
    def before(self) -> Stones:
        """The stones before the move, with the mover as the attacker."""
        return Stones(self.rules, self.me, self.position.own, self.position.other)

    @property
    def mine(self) -> Stones:
        """The stones after the move, with the mover as the attacker."""
        return self.before.moved(self.cell)

    @property
    def theirs(self) -> Stones:
        """The stones after the move, with the opponent as the attacker."""
        return self.mine.turned()

    @property
    def others(self) -> list[Cell]:
        return [cell for cell in self.position.legal_moves if cell != self.cell]

    def word(self, name: str) -> str:
        return self.words.get(name) or ""

    def cells(self, name: str) -> list[Cell]:
        return [parse_cell(each, self.rules) for each in re.findall(SQUARE, self.word(name))]

    def one(self, name: str) -> Cell:
        (cell,) = self.cells(name)
        return cell

    def marks(self, **marks: Mark) -> bool:
        """Return whether each of these parts names its player or is missing from the sentence."""
        return all(self.word(name) in ("", mark) for name, mark in marks.items())

    def lines(self, name: str) -> set[Bits]:
        """Return the lines that a part of the sentence names by their ends."""
        parts = re.findall(LINE, self.word(name))
        ends = [{parse_cell(each, self.rules) for each in re.findall(SQUARE, part)} for part in parts]
        return {line for line in self.rules.lines if {next(cells_of(line)), line.bit_length() - 1} in ends}


def would(said: Said, stones: Stones) -> bool:
    """Return whether the attacker's next move would have the stated effect if the defender passed."""
    then = stones.moved(said.one("next"))
    if not (then.wins and then.safe and said.marks(forced=stones.who.other, left=stones.who.other)):
        return False
    if said.word("double"):
        return then.threats == set(said.cells("double"))
    return not said.word("to") or then.threats == {said.one("to")}


def prepares(said: Said, stones: Stones) -> bool:
    """Return whether the attacker prepares the stated move, and wins against every reply."""
    if not stones.wins or stones.threats or not stones.safe:
        return False
    if said.word("all"):
        return said.marks(all=stones.who.other)
    tries = set(said.cells("tries")) or stones.empty
    losing = {reply for reply in stones.empty if stones.replied(reply).moved(said.one("next")).wins}
    failing = [reply for reply in stones.empty if reply == said.one("next") or reply not in losing]
    moves = said.cells("moves")
    ways = [[move for move in moves if move != reply and stones.replied(reply).moved(move).wins] for reply in tries]
    return (
        said.marks(defender=stones.who.other, winner=stones.who)
        and would(said, stones)
        and set(failing) <= set(tries)
        and len(failing) <= int(said.word("number") or len(tries))
        and (not moves or (all(ways) and {move for some in ways for move in some} == set(moves)))
    )


def goes_on(said: Said, stones: Stones) -> bool:
    """Return whether the defender must answer each threat, and the last move has the stated effect."""
    defender, answers = stones.who.other, [said.one("answer")]
    for number, move in enumerate([*said.cells("onward"), said.one("last")]):
        if len(stones.threats) != 1 or not stones.safe:
            return False
        (answer,) = stones.threats
        answers.append(answer)
        if number == 0 and answer != said.one("answer"):
            return False
        stones = stones.replied(answer).moved(move)
    if said.word("targets"):
        return said.marks(must=defender) and stones.threats == set(said.cells("targets")) and stones.safe
    return said.marks(must=defender) and prepares(said, stones)


def plays(said: Said) -> Stones | None:
    """Return the stones after the opponent's move; None if the sentence is wrong about whether it blocks."""
    blocks = said.mine.threats == {said.one("move")}
    is_right = said.marks(who=said.you) and (said.word("how") == "blocks on") == blocks
    return said.theirs.moved(said.one("move")) if is_right else None


def punished(said: Said, then: Callable[[Said, Stones], bool]) -> bool:
    stones = plays(said)
    return stones is not None and then(said, stones)


def two_threats(said: Said, stones: Stones) -> bool:
    return stones.threats == set(said.cells("targets")) and len(stones.threats) > 1 and stones.safe


def would_win(said: Said) -> bool:
    """Return whether the loser would win if it moved again."""
    return said.marks(loser=said.me, next=said.you) and said.mine.moved(said.one("first")).wins


def fills_line(said: Said) -> bool:
    move = said.one("move")
    lines = said.lines("line")
    return said.marks(who=said.you) and move != said.cell and bool(lines) and lines <= said.theirs.completes(move)


def cannot_block(said: Said) -> bool:
    threats = said.before.turned().threats
    return said.marks(who=said.you, blocker=said.me) and set(said.cells("targets")) == threats and len(threats) > 1


def example(said: Said) -> bool:
    other = said.one("other")
    return other != said.cell and is_true(said.position, other, said.word("rest") + ".")


def only(said: Said) -> bool:
    return bool(said.others) and all(square(said.position, each) <= -PROVED for each in said.others)


def gains_time(said: Said) -> bool:
    answer, fork = said.one("answer"), said.one("fork")
    forked = said.theirs.moved(fork).threats
    is_forced = said.mine.threats == {answer} and said.mine.safe and fork != answer
    return said.marks(you=said.you) and is_forced and forked == set(said.cells("targets")) and len(forked) > 1


def stops(said: Said) -> bool:
    """Return whether the opponent's next move would win, and no longer wins once the mover takes the square."""
    would_be, still = said.before.turned(), said.theirs
    is_stopped = said.one("next") == said.cell or not still.moved(said.one("next")).wins
    return said.marks(owner=said.you) and would(said, would_be) and is_stopped


def limits(said: Said) -> bool:
    replies = set(said.cells("tries")) or set(said.mine.empty)
    failing = [each for each in said.mine.empty if not loses(said, each)]
    is_all = set(failing) <= replies and len(failing) <= int(said.word("number") or len(replies))
    is_sure = said.word("how") == "has only" or len(failing) == int(said.word("number") or len(replies))
    return said.marks(you=said.you) and not said.mine.threats and would(said, said.mine) and is_all and is_sure


def loses(said: Said, reply: Cell) -> bool:
    return square(said.after, reply) <= -PROVED


def pairs(said: Said) -> bool:
    """Return whether each line that the opponent could still complete holds a pair.

    Where the pairs are too many to be named, return whether the square holds the draw.
    """
    if not said.marks(you=said.you, me=said.me):
        return False
    if said.word("many"):
        return square(said.position, said.cell) >= DRAWN
    cells = said.cells("pairs")
    both = [1 << one | 1 << other for one, other in zip(cells[::2], cells[1::2], strict=True)]
    lines = [line for line in said.rules.lines if not line & said.mine.mine]
    return len(set(cells)) == len(cells) and all(any(line & pair == pair for pair in both) for line in lines)


def pairs_next(said: Said) -> bool:
    """Return whether the mover has an answer to each reply that leaves it a pairing."""

    def answered(stones: Stones) -> bool:
        return any(paired(set(open_to(stones.moved(each))), 0) for each in stones.empty)

    def open_to(stones: Stones) -> Iterator[Bits]:
        return (line & ~stones.theirs for line in stones.rules.lines if not line & stones.mine)

    replied = [said.mine.replied(each) for each in said.mine.empty]
    return said.marks(you=said.you, me=said.me) and all(map(answered, replied))


def paired(lines: set[Bits], used: Bits) -> bool:
    """Return whether each of these lines of open squares can have a pair of its own squares, besides those used."""
    if not lines:
        return True
    line = min(lines, key=lambda each: (each & ~used).bit_count())
    both = (1 << one | 1 << other for one, other in combinations(cells_of(line & ~used), 2))
    return any(paired({each for each in lines if each & pair != pair}, used | pair) for pair in both)


def no_line_left(said: Said) -> bool:
    return all(line & said.mine.mine and line & said.mine.theirs for line in said.rules.lines)


def harmless(said: Said) -> bool:
    return said.marks(you=said.you, me=said.me) and all(line & said.mine.mine for line in said.rules.lines)


def wins_missed(said: Said) -> bool:
    wins = {each for each in said.position.legal_moves if square(said.position, each) >= PROVED}
    named = set(said.cells("tries")) == wins if said.word("tries") else int(said.word("number")) == len(wins)
    return bool(wins) and named and said.cell not in wins


def choice(said: Said) -> bool:
    replies = {each: square(said.after, each) for each in said.after.legal_moves}
    draws = {each for each, value in replies.items() if value == DRAWN}
    losses = {each for each, value in replies.items() if value <= -PROVED}
    named = draws if said.word("how") == "must reply" else losses
    is_named = set(said.cells("tries")) == named if said.word("tries") else int(said.word("number")) == len(named)
    return said.marks(you=said.you, me=said.me) and draws | losses == set(replies) and is_named


def any_reply_draws(said: Said) -> bool:
    return said.marks(you=said.you) and all(square(said.after, each) == DRAWN for each in said.after.legal_moves)


def open_lines(said: Said, stones: Stones) -> dict[Bits, int]:
    """Return the lines without a stone of the defender, each with the number of the attacker's stones."""
    return {line: (line & stones.mine).bit_count() for line in said.rules.lines if not line & stones.theirs}


def breaks_up(said: Said) -> bool:
    found = open_lines(said, said.before.turned())
    here = [count for line, count in found.items() if line >> said.cell & 1]
    most = max(here)
    is_line = any(found.get(each) == most > 0 for each in said.lines("line"))
    is_best = [count for count in found.values() if count >= most] == [most]
    return said.marks(owner=said.you) and is_line and (is_best or not said.word("best"))


def builds(said: Said) -> bool:
    found = {line: count for line, count in open_lines(said, said.mine).items() if line >> said.cell & 1}
    stones = max(found.values())
    is_line = any(found.get(each) == stones for each in said.lines("line"))
    is_count = stones == int(said.word("stones")) > 1 and said.rules.k == int(said.word("k"))
    return said.marks(me=said.me) and is_line and is_count


def closes(said: Said) -> bool:
    found = open_lines(said, said.before.turned())
    here = {line for line in found if line >> said.cell & 1}
    told = said.lines("lines") == here if said.word("lines") else int(said.word("number")) == len(here)
    return said.marks(you=said.you) and bool(here) and told and not any(found[line] for line in here)


def waits(said: Said) -> bool:
    through = said.rules.lines_through[said.cell]
    return all(line & said.position.own and line & said.position.other for line in through)


def twin(said: Said) -> bool:
    same = [each for each in said.rules.symmetries if said.position.transformed(each) == said.position]
    return said.one("twin") != said.cell and any(each[said.cell] == said.one("twin") for each in same)


def elsewhere(said: Said) -> bool:
    draws = {each for each in said.others if square(said.position, each) == DRAWN}
    is_best = score(said.position) == DRAWN
    return is_best and (
        set(said.cells("tries")) == draws if said.word("tries") else int(said.word("count")) == len(draws)
    )


def slower(said: Said) -> bool:
    best = square(said.position, said.one("best"))
    moves = 1 if said.word("when") == "at once" else int(said.word("when").removeprefix("in "))
    return best == score(said.position) > square(said.position, said.cell) >= PROVED and (WIN - best + 1) // 2 == moves


def all_lose(said: Said) -> bool:
    mine = square(said.position, said.cell)
    lost = all(square(said.position, each) <= -PROVED for each in said.position.legal_moves)
    return lost and (mine == score(said.position)) == bool(said.word("longest"))


_ONE_OF = rf"(?:(?P<tries>{SQUARES})|one of (?P<number>\d+) squares)"
_WOULD = (
    rf"which would (?:threaten (?P<double>{SQUARES}) at once|force (?P<forced>[XO]) to (?P<to>{SQUARE}) and win(?: by"
    rf" threats)?|leave (?P<left>[XO]) no defence)"
)
_PREPARES = (
    rf"prepares (?:a win against each of (?P<all>[XO])'s replies|(?P<next>{SQUARE}), {_WOULD}(?:\. (?P<defender>[XO])"
    rf" can only try {_ONE_OF}, but then (?P<winner>[XO]) wins (?:all the same|with (?P<moves>{SQUARES})))?)"
)
_GOES_ON = (
    rf"(?:\. More threats follow from (?P<onward>{SQUARES}))?\. Then (?P<last>{SQUARE})"
    rf" (?:threatens (?P<targets>{SQUARES}) at once|{_PREPARES})"
)
_PLAYS = rf"(?P<who>[XO]) (?P<how>plays|blocks on) (?P<move>{SQUARE})"
_LINES = rf"(?P<lines>(?:{LINE})(?:(?:, | and )(?:{LINE}))*)"
_NO_LINE = r"(?P<you>[XO]) gets no line, because "
_PAIR = rf"{SQUARE} with {SQUARE}"
_PAIRS = rf"(?:(?P<pairs>{_PAIR}(?:, {_PAIR})* and {_PAIR})|(?P<many>up \d+ squares))"

SAYINGS: dict[str, Callable[[Said], bool]] = {
    rf"completes {_LINES}": lambda said: said.lines("lines") == said.before.completes(said.cell),
    rf"threatens (?P<targets>{SQUARES}) at once": lambda said: two_threats(said, said.mine),
    rf"threatens (?P<answer>{SQUARE}), so (?P<must>[XO]) must block{_GOES_ON}": lambda said: goes_on(said, said.mine),
    _PREPARES: lambda said: prepares(said, said.mine),
    rf"slower than (?P<best>{SQUARE}), which wins (?P<when>at once|in \d+)": slower,
    rf"(?P<who>[XO]) fills (?P<line>{LINE}) with (?P<move>{SQUARE})": fills_line,
    rf"(?P<who>[XO]) threatens (?P<targets>{SQUARES}), and (?P<blocker>[XO]) can block only one": cannot_block,
    rf"{_PLAYS}, threatening (?P<targets>{SQUARES}) at once": lambda said: punished(said, two_threats),
    rf"{_PLAYS} and forces (?P<answer>{SQUARE}){_GOES_ON}": lambda said: punished(said, goes_on),
    rf"{_PLAYS} and {_PREPARES}": lambda said: punished(said, prepares),
    rf"(?P<loser>[XO]) would win with (?P<first>{SQUARE}), but (?P<next>[XO]) gets there first": would_win,
    r"every square loses(?P<longest>; none lasts longer)?": all_lose,
    rf"(?:only (?P<tries>{SQUARES}) holds? the draw|(?P<count>\d+) other squares hold the draw)": elsewhere,
    r"the only square that doesn't lose": only,
    rf"after (?P<other>{SQUARE}), for example, (?P<rest>[^.]*(?:\. (?:More|Then) [^.]*)*)": example,
    rf"(?:it )?blocks {_LINES}": lambda said: said.lines("lines") == said.before.turned().completes(said.cell),
    rf"(?:it )?threatens (?P<answer>{SQUARE}), so (?P<you>[XO]) must block and has no time for (?P<fork>{SQUARE}),"
    rf" which would threaten (?P<targets>{SQUARES}) at once": gains_time,
    rf"(?:it )?threatens (?P<answer>{SQUARE}), so (?P<you>[XO]) must block": lambda said: (
        said.marks(you=said.you) and said.mine.threats == {said.one("answer")} and said.mine.safe
    ),
    rf"(?:it )?takes the square where (?P<you>[XO]) would threaten (?P<targets>{SQUARES}) at once": lambda said: (
        said.marks(you=said.you) and said.before.turned().moved(said.cell).threats == set(said.cells("targets"))
    ),
    rf"(?:it )?stops (?P<owner>[XO])'s (?P<next>{SQUARE}), {_WOULD}": stops,
    rf"(?:it )?prepares (?P<next>{SQUARE}), {_WOULD}, so (?P<you>[XO]) (?P<how>must reply|has only)"
    rf" {_ONE_OF}(?: to try)?": limits,
    rf"{_NO_LINE}(?P<me>[XO]) pairs {_PAIRS}\. When [XO] takes one, [XO] takes its partner": pairs,
    rf"{_NO_LINE}(?P<pairs>when [XO] takes {SQUARE}, (?P<me>[XO]) takes {SQUARE}), and vice versa": pairs,
    r"fills the board, and nobody has a line": lambda said: not said.others and no_line_left(said),
    r"every line now holds both marks, so nobody can win": no_line_left,
    r"(?P<me>[XO]) now stands on every line, so (?P<you>[XO]) can't win": harmless,
    rf"(?:only (?P<tries>{SQUARES}) wins?|(?P<number>\d+) other squares win)": wins_missed,
    rf"(?P<you>[XO]) (?P<how>must reply) {_ONE_OF}; anything else loses": choice,
    rf"(?P<you>[XO]) (?P<how>can reply) anywhere but {_ONE_OF}, where (?P<me>[XO]) wins": choice,
    r"whatever (?P<you>[XO]) replies, it's still a draw": any_reply_draws,
    r"whatever (?P<you>[XO]) replies, (?P<me>[XO]) can then pair up every line that [XO] has left": pairs_next,
    rf"breaks up (?P<owner>[XO])'s (?P<best>best line, )?(?P<line>{LINE})": breaks_up,
    rf"gives (?P<me>[XO]) (?P<stones>\d) of (?P<k>\d) on (?P<line>{LINE}), which is still open": builds,
    rf"closes (?:{_LINES}|(?P<number>\d+) lines) to (?P<you>[XO])": closes,
    r"only waits, because no line through it can be filled any more": waits,
    rf"the same as (?P<twin>{SQUARE}) by symmetry": twin,
}
"""The pattern of each sentence, with the function that decides whether such a sentence is true."""


def is_true(position: Position, cell: Cell, text: str) -> bool:
    """Return whether every sentence of a text about a square can be parsed and is true."""
    found = parsed(position, cell, text)
    if found is None:
        return False
    said, holds, rest = found
    return holds(said) and (not rest or is_true(position, cell, rest))


def parsed(position: Position, cell: Cell, text: str) -> tuple[Said, Callable[[Said], bool], str] | None:
    """Return the first sentence of a text, the function that decides whether it is true, and the rest of the text."""
    text = text if text[:2] in ("X ", "O ") else text[:1].lower() + text[1:]
    for saying, holds in SAYINGS.items():
        if match := re.match(rf"{saying}(?:\.$|\. |; |: )", text):
            return Said(position, cell, match.groupdict()), holds, text[match.end() :]
    return None


def agrees(position: Position, cell: Cell, text: str, line: Sequence[Cell]) -> bool:
    """Return whether a line of play after a square does, move by move, what the sentences of a text tell."""
    found = parsed(position, cell, text)
    return not text if found is None else follows(found[0], list(line)) and agrees(position, cell, found[2], line)


def follows(said: Said, line: list[Cell]) -> bool:
    """Return whether a line after the square does what a sentence tells, as far as the line goes."""
    if any(said.word(each) for each in ("other", "owner", "twin", "best", "first")):
        return True  # about other squares, or about moves that are not played
    if said.word("pairs"):
        return all(line[at + 1 : at + 2] in ([], [to]) for at, to in answers(said, line))
    if said.word("move") and line.pop(0) != said.one("move"):
        return False
    if said.word("answer") and line[:1] != [said.one("answer")]:
        return not line
    for move in [*said.cells("onward"), *said.cells("last")]:
        del line[:1]  # the forced answer
        if line and line.pop(0) != move:
            return False
    if said.word("fork"):
        return line[:1] != [said.one("fork")]
    if said.word("targets") and not said.word("you"):
        threats = {said.one("move")} if said.word("line") else set(said.cells("targets"))
        return set(line) <= threats
    reply, then = set(line[:1]), set(line[1:2])
    tries, moves = set(said.cells("tries")), set(said.cells("moves"))
    if said.word("how") == "can reply":
        return not reply & tries
    if tries and said.word("you"):
        return reply <= tries
    if not said.word("next") or said.word("you"):
        return True
    is_try = reply <= tries or said.word("number") != ""
    return then <= {said.one("next")} or (is_try and (not moves or then <= moves))


def answers(said: Said, line: list[Cell]) -> Iterator[tuple[int, Cell]]:
    """Yield where the opponent plays on a pair whose other square is open, and that square."""
    cells = said.cells("pairs")
    for one, other in zip(cells[::2], cells[1::2], strict=True):
        for here, there in ((one, other), (other, one)):
            at = line.index(here) if here in line else 1
            if not at % 2 and there not in line[:at]:
                yield at, there


def all_reasons(prediction: Prediction) -> dict[Cell, Reason]:
    return {cell: explain(prediction.position, cell, prediction) for cell in prediction.squares}


def reason_of(position: str, cell: str, board: str = "3x3x3") -> Reason:
    """Return the reason for a square, for tests of pages and commands that show reasons."""
    where = parse_position(position, parse_rules(board))
    return explain(where, parse_cell(cell, where.rules), predict(where))


FALSE = (
    ("X.O/.X./..O", "a2", "O fills c1–c3 with b1."),
    ("X.O/.X./..O", "a2", "O fills a1–c1 with c2."),
    ("X.O/.X./..O", "a2", "X fills c1–c3 with c2."),
    ("X.O/.X./..O", "a2", "O fills c1–c3 with c2. Every square loses."),
    ("X.O/.X./..O", "c2", "the only square that doesn't lose. It blocks a1–c1."),
    (".../.../...", "a1", "O must reply b3; anything else loses."),
    (".../.../...", "a1", "X must reply b2; anything else loses."),
    (".X./.../...", "a3", "breaks up O's best line, a3–c3."),
    ("O../.XO/..X", "b3", "only a1 wins."),
    ("X.O/.X./..O", "a2", "O is stronger."),
    ("X.O/.X./..O", "a2", ""),
)
"""Squares of positions, each with a text that is false."""

STRAYING = (
    ("X../.../...", "b3", ("b2",)),
    ("X../.../...", "b3", ("a1", "b1")),
    ("X../.../...", "b3", ("a1", "a2", "b2")),
    ("X../.../...", "b3", ("a1", "a2", "c1", "c2")),
    ("X.O/.X./..O", "a2", ("b1",)),
    ("OX./.../..X", "c3", ("a1",)),
    (".../X.O/.X.", "c1", ("c3", "a3", "b1")),
    ("X../.O./..X", "b3", ("a1",)),
    ("O../.X./...", "a1", ("c3", "c2")),
    (".../.../...", "a1", ("b3",)),
)
"""Squares of positions, each with a line that does something else than the reason tells."""
