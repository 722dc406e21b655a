"""Reasons where a stone can harm its owner: each sentence is read back, and held against the rules and the tables.

`is_told_truly` uses none of the code that finds or checks reasons. It parses each sentence, plays moves and asks the
table of all positions, which other tests hold against plain minimax. A sentence that it cannot parse is false.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from solver.board.game import parse_game
from solver.board.notation import parse_cell, parse_rules
from solver.board.outcome import DRAWN
from solver.board.position import Mark, Position
from solver.board.rules import Bits, MoveCode, bits_of
from solver.proofs.predict import predict
from solver.reasons import Reason
from solver.reasons.explaining import holds
from solver.reasons.grounds import SquareCase
from solver.reasons.harming import EveryReplyLoses, LetsFill, LosesToReply, NoReplyWins, RunsOut
from solver.search.tablebase import look_up, unfinished
from tests.solver.reasons.sayings import all_reasons
from tests.strategies import met

SQUARE = r"[XO]?[a-h]\d"
LINE = rf"(?:{SQUARE}–)*{SQUARE}"
WHO = "X|O|the first player|the second player"

SMALL = [
    "3x3x3-misere",
    "3x3x3-notakto",
    "3x3x3-wild",
    "3x3x3-misere-wild",
    "3x3x3-vanishing",
    "3x3x3-vanishing-strict",
    "3x3x3-vanishing-misere",
    "3x3x3-gravity",
    "3x3x2-gravity",
    "3x3x3-torus-misere",
    "3x3x3-cylinder-gravity",
    "3x3x3-gravity-misere",
]


@dataclass(frozen=True)
class Told:
    """A clause about a move of a position, parsed into its parts."""

    position: Position
    move: MoveCode
    words: dict[str, str]

    @property
    def after(self) -> Position:
        return self.position.after(self.move)

    @property
    def me(self) -> Mark:
        return self.position.mover

    def moves(self, part: str) -> list[MoveCode]:
        return [parse_cell(name, self.position.rules) for name in re.findall(SQUARE, self.words[part])]

    def one(self, part: str) -> MoveCode:
        (move,) = self.moves(part)
        return move

    def lines(self) -> set[Bits]:
        """Return the lines that are named, by their ends or by all squares."""
        rules, found = self.position.rules, set[Bits]()
        for name in re.split(r", | and ", self.words["lines"]):
            cells = [parse_cell(each, rules) for each in name.split("–")]
            found |= {
                line
                for line in rules.lines
                if line == bits_of(cells)
                or (len(cells) == 2 and rules.is_straight and line & bits_of(cells) == bits_of(cells))
            }
        return found

    def named_rightly(self) -> bool:
        """Return whether the players who are named are those of the sentence."""
        rules = self.position.rules
        rightly = {"me": rules.player(self.me), "you": rules.player(self.me.other)}
        return all(self.words.get(who) in (None, name) for who, name in rightly.items())


def value(position: Position) -> int:
    """Return 1 if the mover of a position wins, 0 for a draw, -1 if it loses, from the table or by the result."""
    if position.result is not None:
        return {"draw": 0, str(position.mover): 1}.get(str(position.result), -1)
    if not position.rules.is_small:
        return {"win": 1, "draw": 0, "loss": -1}[predict(position).outcome.value]
    score = look_up(position)
    return (score > DRAWN) - (score < DRAWN)


def full_lines(position: Position, before: Position) -> set[Bits]:
    """Return the lines of one mark that are full now and were not before."""

    def full(each: Position) -> set[Bits]:
        return {line for line in each.rules.lines for side in (each.x, each.o) if line & side == line}

    return full(position) - full(before)


def completes(told: Told) -> bool:
    lost = "loses" in told.words
    return full_lines(told.after, told.position) == told.lines() and value(told.after) == (1 if lost else -1)


def lets_fill(told: Told) -> bool:
    reply = told.one("reply")
    above = "above" not in told.words or (
        reply == told.move - told.position.rules.columns and told.position.rules.falls
    )
    freed = "freed" not in told.words or told.position.leaving == 1 << told.one("freed")
    then = told.after.after(reply)
    return (
        reply in told.after.legal_moves
        and told.lines() <= full_lines(then, told.after)
        and value(then) < 0
        and above
        and freed
    )


def no_safe(position: Position) -> bool:
    return all(full_lines(position.after(move), position) for move in position.legal_moves) and value(position) < 0


def runs_out(told: Told) -> bool:
    return told.one("reply") in told.after.legal_moves and no_safe(told.after.after(told.one("reply")))


def wins_at_once(position: Position) -> set[MoveCode]:
    return {move for move in position.legal_moves if str(position.after(move).result) == position.mover}


def threatens(told: Told) -> bool:
    size, targets = told.position.rules.size, told.moves("targets")
    elsewhere = (reply for reply in told.after.legal_moves if reply % size not in {target % size for target in targets})
    wins = {reply: wins_at_once(told.after.after(reply)) for reply in told.after.legal_moves}
    instead = told.moves("instead") if "instead" in told.words else []
    blocks = [reply for reply in wins if reply % size == targets[0] % size]
    return (
        all(wins.values())
        and all(set(targets) <= wins[reply] for reply in elsewhere)
        and all(set(instead) <= wins[reply] for reply in blocks if instead)
        and (len(targets) > 1 or bool(instead))
    )


def whatever(told: Told) -> bool:
    return all(wins_at_once(told.after.after(reply)) for reply in told.after.legal_moves)


def replies(position: Position) -> dict[MoveCode, int]:
    return {reply: value(position.after(reply)) for reply in position.legal_moves}


def every_reply_loses(told: Told) -> bool:
    plies = {reply: look_up_plies(told.after.after(reply)) for reply in told.after.legal_moves}
    return set(replies(told.after).values()) == {1} and plies[told.one("reply")] == max(plies.values())


def look_up_plies(position: Position) -> int:
    return 0 if position.result is not None else predict(position).outcome.plies or 0


def loses_to(told: Told) -> bool:
    then = told.after.after(told.one("reply"))
    return then.result is None and set(replies(then).values()) == {1}


def no_reply_wins(told: Told) -> bool:
    found = replies(told.after)
    return min(found.values()) >= 0 and found[told.one("reply")] == 0


def must_reply(told: Told) -> bool:
    return list(told.after.legal_moves) == [told.one("reply")]


def must_and_lose(told: Told) -> bool:
    return must_reply(told) and value(told.after.after(told.one("reply"))) == 1


def fills_board(told: Told) -> bool:
    return not told.after.playable and not full_lines(told.after, told.position)


def blocks(told: Told) -> bool:
    """Return whether the opponent would have won on this square by these lines, had it been its turn."""
    position, cell = told.position, told.move % told.position.rules.size
    marks = (Mark.X, Mark.O) if position.rules.is_wild else (told.me.other,)
    found = set()
    for mark in marks:
        stones = position.stones(mark)
        if position.rules.vanishes and stones.bit_count() == position.rules.k:
            stones &= ~(1 << next(age for age in position.ages if stones >> age & 1))
        found |= {line for line in position.rules.lines if line >> cell & 1 and not line & ~(stones | 1 << cell)}
    return not position.rules.completing_loses and told.lines() == found


def only_hold(told: Told) -> bool:
    others = [value(told.position.after(move)) for move in told.position.legal_moves if move != told.move]
    return value(told.after) == 0 and set(others) == {1}


def only_win(told: Told) -> bool:
    others = [value(told.position.after(move)) for move in told.position.legal_moves if move != told.move]
    return value(told.after) == -1 and bool(others) and min(others) >= 0


def all_lose(told: Told) -> bool:
    plies = {move: look_up_plies(told.position.after(move)) for move in told.position.legal_moves}
    longest = "longest" not in told.words or plies[told.move] == max(plies.values())
    return value(told.position) == -1 and longest


def only(told: Told) -> bool:
    """Return whether exactly these moves win, or draw where none wins, and this one is worse."""
    values = {move: -value(told.position.after(move)) for move in told.position.legal_moves}
    best = {move for move, each in values.items() if each == max(values.values())}
    said = len(best) == int(told.words["number"]) if "number" in told.words else set(told.moves("others")) == best
    return said and told.move not in best and max(values.values()) == ("win" in told.words["verb"])


CLAUSES: list[tuple[str, Callable[[Told], bool]]] = [
    (rf"completes (?P<lines>{LINE}(?:(?:, | and ){LINE})*)", completes),
    (rf"it completes (?P<lines>{LINE}(?:(?:, | and ){LINE})*), and a line (?P<loses>loses)", completes),
    (
        rf"(?:(?P<me>{WHO}) leaves (?P<freed>{SQUARE}), and )?(?P<you>{WHO}) fills (?P<lines>{LINE}) with"
        rf" (?P<reply>{SQUARE})(?P<above>, just above)?",
        lets_fill,
    ),
    (rf"leaves (?P<you>{WHO}) no safe square, because each one completes a line", lambda told: no_safe(told.after)),
    (
        rf"(?P<you>{WHO}) plays (?P<reply>{SQUARE}), and (?P<me>{WHO}) has no safe square left, because each one"
        " completes a line",
        runs_out,
    ),
    (rf"threatens (?P<targets>{SQUARE}(?:(?:, | and ){SQUARE})+) at once", threatens),
    (
        rf"threatens (?P<targets>{SQUARE}), and if (?P<you>{WHO}) blocks, (?P<me>{WHO}) wins with"
        rf" (?P<instead>{SQUARE})",
        threatens,
    ),
    (rf"whatever (?P<you>{WHO}) plays, (?P<me>{WHO}) completes a line next", whatever),
    (rf"every reply loses; (?P<reply>{SQUARE}) holds out longest", every_reply_loses),
    (rf"(?P<you>{WHO}) can only play (?P<reply>{SQUARE}), and that loses", must_and_lose),
    (rf"(?P<you>{WHO}) can only play (?P<reply>{SQUARE})", must_reply),
    (rf"(?P<you>{WHO}) answers (?P<reply>{SQUARE}), and then every square loses", loses_to),
    (rf"no reply wins, and (?P<reply>{SQUARE}) holds the draw", no_reply_wins),
    ("fills the board, and no line is complete", fills_board),
    (rf"blocks (?P<lines>{LINE}(?:(?:, | and ){LINE})*)", blocks),
    ("the only move that doesn't lose", only_hold),
    ("the only move that wins", only_win),
    ("every square loses(?P<longest>; none lasts longer)?", all_lose),
    (rf"only (?P<others>{SQUARE}(?:(?:, | and ){SQUARE})*) (?P<verb>wins?|holds? the draw)", only),
    (r"(?P<number>\d+) other squares (?P<verb>wins?|holds? the draw)", only),
]


def is_told_truly(position: Position, move: MoveCode, clause: str) -> bool:
    """Return whether a clause is one of those above and true of the move."""
    small = clause[0].lower() + clause[1:] if clause[:2] not in ("X ", "O ") else clause
    for pattern, is_true in CLAUSES:
        if parsed := re.fullmatch(pattern, small):
            told = Told(position, move, {name: text for name, text in parsed.groupdict().items() if text is not None})
            return told.named_rightly() and is_true(told)
    return False


def untrue(position: Position, move: MoveCode, reason: Reason) -> list[str]:
    """Return what is not true of a reason: its verdict, or any of its clauses."""
    verdict, _, sentences = reason.text.partition(": ")
    if not reason.verified:
        return []
    won = {"Wins": 1, "Draw": 0, "Lose": -1}[verdict[:4]]
    parts = [each.removeprefix("It ") for each in sentences.removesuffix(".").split(". ")]
    false = [part for part in parts if not is_told_truly(position, move, part)]
    return false if won == -value(position.after(move)) else [verdict, *false]


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.exhaustive)], ids=["some", "all"])
@pytest.mark.parametrize("board", SMALL)
def test_every_square_has_a_reason_and_every_word_of_it_is_true(board: str, whole: bool) -> None:
    rules = parse_rules(board)
    for position in unfinished(rules) if whole else met(rules, 40):
        for move, reason in all_reasons(predict(position)).items():
            assert reason.verified, (position, move)
            assert untrue(position, move, reason) == [], (position, move, reason.text)
            if reason.guarded:
                assert not re.search(r"[Oo]nly [XO]?[a-h]\d|other squares", reason.guarded)
            played = [position]
            for each in (move, *reason.refutation):
                played.append(played[-1].play(each))


LARGER = ["7x6x4-gravity", "4x4x3-misere", "4x4x3-wild", "4x4x4-notakto", "5x4x4-gravity-misere"]


@pytest.mark.parametrize("board", LARGER)
def test_on_larger_boards_too_what_is_said_is_true(board: str) -> None:
    rng, verified = random.Random(board), 0
    for _ in range(8):
        position = Position(parse_rules(board))
        while position.result is None and position.empty.bit_count() > 6:
            position = position.after(rng.choice(position.legal_moves))
        if position.result is None:
            for move, reason in all_reasons(predict(position)).items():
                assert untrue(position, move, reason) == [], (position, move, reason.text)
                verified += reason.verified
    assert verified


@pytest.mark.parametrize(
    ("board", "moves", "move", "drawn"),
    [
        ("3x3x3-misere", "a1a2b1b3", "c1", (Mark.X, "a1b1c1")),
        ("3x3x3-gravity", "a1b1a2b2", "c1", (Mark.O, "b1b2b3")),
        ("3x3x3-vanishing", "a3c3a2", "a1", (Mark.X, "a1a2a3")),
    ],
    ids=["completed", "let fill", "blocked"],
)
def test_the_line_that_a_reason_names_is_drawn(board: str, moves: str, move: str, drawn: tuple[Mark, str]) -> None:
    position = parse_game(board, None, moves).last
    reason = all_reasons(predict(position))[parse_cell(move, position.rules)]
    mark, cells = drawn
    assert (mark, bits_of(parse_cell(name, position.rules) for name in re.findall(SQUARE, cells))) in reason.lines


def test_a_ground_that_is_false_does_not_hold() -> None:
    rules = parse_rules("3x3x3-misere")
    wrong = 0
    for position in unfinished(rules)[::101]:
        for move in position.legal_moves:
            case = SquareCase(position, move, lambda each: predict(each).squares)
            after = position.after(move)
            for reply in after.legal_moves:
                values = {each: value(after.after(each)) for each in after.legal_moves}
                for ground, true in (
                    (LosesToReply(reply), after.after(reply).result is None and values[reply] == -1),
                    (EveryReplyLoses(reply, len(values) == 1), set(values.values()) == {1}),
                    (NoReplyWins(reply, len(values) == 1), min(values.values()) == 0 == values[reply]),
                    (RunsOut(reply), after.after(reply).result is None and no_safe(after.after(reply))),
                    (LetsFill(reply, rules.lines[0]), False),
                ):
                    wrong += not true
                    assert true or not holds(case, (ground,)), (position, move, ground)
    assert wrong


@pytest.mark.parametrize(
    "clause",
    [
        "completes a1–c1",
        "O fills a1–c1 with c1",
        "leaves O no safe square, because each one completes a line",
        "every reply loses; c1 holds out longest",
        "the second player answers c1, and then every square loses",
        "only c3 wins",
        "wins somehow",
    ],
)
def test_the_reader_takes_no_false_sentence(clause: str) -> None:
    position = parse_game("3x3x3-misere", None, "b2a1").last
    assert not is_told_truly(position, parse_cell("a3", position.rules), clause)
