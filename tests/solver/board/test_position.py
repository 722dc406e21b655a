"""Positions: play, results, validation, symmetry."""

from itertools import compress, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import parse_position, parse_rules
from solver.board.position import Position
from solver.board.rules import Bits, Marking, Rules, bits_of, cells_of
from solver.errors import ImpossiblePosition
from tests.marked import exhaustive, sampled
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, positions


def position(text: str, board: str = "3x3x3") -> Position:
    return parse_position(text, parse_rules(board))


def test_empty_boards_of_different_games_have_different_hashes() -> None:
    clauses = ("", "-torus", "-misere", "-wild", "-vanishing", "-holesa1", "-linesa1b1c1")
    games = [f"{columns}x{rows}x3{clause}" for columns, rows in product((3, 4, 5), repeat=2) for clause in clauses]
    assert len({hash(Position(game)) for game in games}) == len(games)


def test_positions_with_different_orders_of_stones_have_different_hashes() -> None:
    rules = parse_rules("3x3x3-vanishing")
    assert hash(Position(rules, 3, 12, (0, 2, 1, 3))) != hash(Position(rules, 3, 12, (1, 3, 0, 2)))


def test_rules_that_are_made_twice_are_one_entry_of_a_set() -> None:
    assert len({Rules(4, 3, 3), Rules(4, 3, 3), Rules(4, 3, 2)}) == 2


@given(positions())
def test_a_position_has_as_many_images_as_its_symmetries_leave(position: Position) -> None:
    assert position.images() == len({position.transformed(each) for each in position.rules.symmetries})


@given(positions(), positions())
def test_equal_positions_and_no_others_are_one_entry_of_a_set(one: Position, other: Position) -> None:
    same = (one.rules, one.x, one.o) == (other.rules, other.x, other.o)
    assert len({one, other, Position(one.rules, one.x, one.o)}) == (1 if same else 2)


OTHERS = sampled((rules for rules in SMALL_BOARDS if rules.size <= 8), 8)
SAMPLES = [f"3x3x3-{each}" for each in ("gravity", "wild", "notakto", "gravity-wild", "gravity-notakto")]
NINE_SQUARES = [
    "-".join(filter(None, (board, drop, goal, marks)))
    for drop in ("", "gravity")
    for board in (
        "3x3x1",
        "3x3x2",
        "3x3x3",
        "3x3x3-cylinder",
        *(() if drop else ("3x3x3-holesb2", "4x3x3-holesa1b2c3")),
    )
    for goal in ("", "misere")
    for marks in ("", "notakto", "wild")
    if not (goal and marks == "notakto")
]


def stones_after_play(rules: Rules) -> set[tuple[Bits, Bits]]:
    """Return the stones of X and O in every position that play reaches, by the clauses alone."""
    found, waiting = {(0, 0)}, [(0, 0)]
    while waiting:
        x, o = waiting.pop()
        if any(not line & ~x or not line & ~o for line in rules.lines):
            continue
        empty, by_x = rules.full & ~(x | o), (x | o).bit_count() % 2 == 0
        for cell in cells_of(empty):
            if rules.falls and cell + rules.columns in cells_of(empty):
                continue
            ways = {
                Marking.OWN: [(x | by_x << cell, o | (not by_x) << cell)],
                Marking.NOTAKTO: [(x | 1 << cell, o)],
                Marking.WILD: [(x | 1 << cell, o), (x, o | 1 << cell)],
            }
            new = {*ways[rules.marks]} - found
            found |= new
            waiting += new
    return found


@pytest.mark.parametrize(
    "rules",
    [
        TIC_TAC_TOE,
        *OTHERS,
        *map(parse_rules, SAMPLES[:2]),
        *exhaustive(*(parse_rules(name) for name in NINE_SQUARES if name not in SAMPLES[:2])),
    ],
    ids=str,
)
def test_exactly_the_reachable_positions_are_accepted(rules: Rules) -> None:
    accepted = set()
    for stones in product((0, 1, 2), repeat=rules.squares):
        x, o = (bits_of(compress(cells_of(rules.full), map(mark.__eq__, stones))) for mark in (1, 2))
        try:
            accepted.add((Position.checked(rules, x, o).x, o))
        except ImpossiblePosition:
            continue
    assert accepted == stones_after_play(rules)


@given(positions())
def test_play_alternates_and_never_touches_other_squares(it: Position) -> None:
    for cell in it.legal_moves:
        after = it.play(cell)
        assert after.mark_at(cell) is it.mover
        assert after.mover is it.mover.other
        assert (after.x | after.o) == (it.x | it.o) | 1 << cell


@given(positions())
def test_every_reached_position_is_accepted_from_outside(it: Position) -> None:
    assert Position.checked(it.rules, it.x, it.o) == it


@given(positions(), st.data())
def test_the_canonical_form_is_the_same_for_every_image(it: Position, data: st.DataObject) -> None:
    symmetry = data.draw(st.sampled_from(it.rules.symmetries))
    image = it.transformed(symmetry)
    assert image.canonical() == it.canonical()
    assert image.result is it.result
    assert image.mover is it.mover


@given(positions())
def test_the_orbits_share_out_the_legal_moves(it: Position) -> None:
    assert sorted(cell for orbit in it.orbits() for cell in orbit) == list(it.legal_moves)


@given(positions())
def test_threats_are_the_squares_where_the_mark_would_complete_a_line(it: Position) -> None:
    if it.result is None:
        wins = tuple(cell for cell in it.legal_moves if it.play(cell).winning_lines)
        assert it.threats(it.mover) == wins
        theirs = [it.other | 1 << cell for cell in it.legal_moves]
        won = [any(line & ~stones == 0 for line in it.rules.lines) for stones in theirs]
        assert it.threats() == it.threats(it.mover.other) == tuple(compress(it.legal_moves, won))


def test_a_player_with_a_line_threatens_nothing_more() -> None:
    assert parse_position("XXX/X.O/.OO").threats() == ()
