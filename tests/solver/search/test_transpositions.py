"""The transposition table, inspected in the interpreted source."""

import random
from collections.abc import Iterator
from dataclasses import astuple
from itertools import islice, product
from typing import Any, TypeAlias

import pytest

from solver.board.notation import parse_rules
from solver.kernel.engine import interpreted
from solver.kernel.transpositions import TranspositionTable
from solver.search.solver import ALL

Key: TypeAlias = tuple[int, int]

DEFENDING, ATTACKING, ALONE = 1, 3, 7
"""Marks: the defender is to move, the attacker is, the attacker is and the defender cannot complete a line in time."""

LONGEST = 64


def prover(table: TranspositionTable | None = None) -> Any:
    return interpreted().Prover(parse_rules("6x6x5"), astuple(ALL), table or TranspositionTable(1 << 20))


def keys(seed: int = 0) -> Iterator[Key]:
    rng = random.Random(seed)
    while True:
        yield rng.getrandbits(36), rng.getrandbits(36)


def recalled(known: Any, key: Key) -> int:
    """Return the plies within which the attacker to move cannot win; 0 where nothing is known."""
    return next(plies for plies in range(LONGEST, -1, -1) if plies == 0 or known.known(*key, ATTACKING, plies))


def plies(key: Key) -> int:
    """Return the proof that the tests give for a position, a different number for most."""
    return 1 + key[0] % 60


def remember(known: Any, key: Key) -> None:
    known.remember(*key, ATTACKING, plies(key), False)


def slot(known: Any, key: Key) -> int:
    """Return the first slot in which a position can be."""
    return int(known.home(known.mixed(*key)))


def remembered(known: Any) -> list[Key]:
    """Return the positions that have a slot."""
    table = known.table
    return [(table[at], table[at + 1]) for at in range(0, len(table), 3) if table[at + 2]]


def test_positions_that_differ_in_the_last_squares_of_the_largest_board_are_spread_too() -> None:
    known = prover()
    for row in range(0, 64, 8):
        spread = {known.mixed(stones << row, other << row) & 0xFFFF for stones in range(64) for other in range(64)}
        assert len(spread) > 3500


def test_a_table_that_may_grow_keeps_nearly_all() -> None:
    known, all_keys = prover(), list(islice(keys(), 20_000))
    for key in all_keys:
        remember(known, key)
    kept = [key for key in all_keys if known.known(*key, ATTACKING, 1)]
    assert len(kept) > 0.999 * len(all_keys)
    assert all(known.known(*key, ATTACKING, plies(key)) for key in kept)
    assert not any(known.known(*key, ATTACKING, plies(key) + 1) for key in kept)


def test_a_full_table_forgets_some_positions_and_says_nothing_false_of_any() -> None:
    known = prover(TranspositionTable(1024))
    for key in islice(keys(), 5000):
        remember(known, key)
        assert known.known(*key, ATTACKING, plies(key))
    assert len(remembered(known)) > 1000
    assert not any(known.known(*key, ATTACKING, 1) for key in islice(keys(seed=1), 5000))
    assert not any(known.known(*key, ATTACKING, plies(key) + 1) for key in islice(keys(), 5000))


def test_a_position_that_finds_no_room_when_the_table_grows_is_forgotten() -> None:
    known, grown, seen = prover(), prover(), list[Key]()
    small = known.capacity
    grown.capacity = 2 * small
    some = list(islice(keys(), 80_000))
    # Some stand at the end of the small table and just beyond, others at its beginning. Once it has grown, both want
    # the same slots.
    at_end = [key for key in some if slot(known, key) == slot(grown, key) == 3 * (small - 1)]
    at_start = [key for key in some if slot(known, key) == 0 and slot(grown, key) == 3 * small]
    for pair in zip(at_end, at_start, strict=False):
        for key in pair:
            remember(known, key)
            seen.append(key)
        if known.capacity > small:
            break
    assert set(remembered(known)) <= set(seen)
    assert 0 < sum(recalled(known, key) == 0 for key in seen) < len(seen)
    assert all(recalled(known, key) in {0, plies(key)} for key in seen)


def test_what_is_remembered_of_a_position_only_gets_narrower() -> None:
    known, key = prover(), next(keys())
    for answered, won in [(5, False), (3, False), (11, True), (13, True)]:
        known.remember(*key, ATTACKING, answered, won)
    assert known.entries() == [(5, 11)]


def test_a_position_is_remembered_apart_for_each_player_to_move_and_where_the_defender_has_no_line() -> None:
    known, key = prover(), next(keys())
    for mark in (DEFENDING, ATTACKING, ALONE):
        known.remember(*key, mark, 5 + mark, True)
    known.grow()
    assert known.entries() == [(0, 6), (0, 8), (0, 12)]


def test_who_shares_a_table_knows_what_the_others_remember() -> None:
    table = TranspositionTable(1 << 20)
    one, other = prover(table), prover(table)
    for key in islice(keys(), 100):
        remember(one, key)
        assert recalled(other, key) == plies(key)


def test_a_table_that_another_had_grow_is_taken_over_at_the_next_look() -> None:
    table = TranspositionTable(1 << 20)
    one, other = prover(table), prover(table)
    early, late, lost = islice(keys(), 3)
    remember(one, early)
    one.grow()
    remember(one, late)
    remember(other, lost)
    assert recalled(other, early) == plies(early)
    other.look_again()
    assert [recalled(other, key) for key in (early, late, lost)] == [plies(early), plies(late), 0]


def test_a_table_that_another_had_grow_grows_no_further() -> None:
    table = TranspositionTable(1 << 20)
    one, other = prover(table), prover(table)
    remember(one, key := next(keys()))
    one.grow()
    other.grow()
    assert other.capacity == one.capacity == 2 * prover().capacity
    assert recalled(other, key) == plies(key)


def test_a_table_grows_to_its_size_and_no_further() -> None:
    known = prover(TranspositionTable(4096))
    for key in islice(keys(), 10_000):
        remember(known, key)
    assert known.capacity == 4096


@pytest.mark.parametrize("whose", list(product((0, 1), repeat=3)))
def test_a_slot_with_words_of_two_positions_says_nothing(whose: tuple[int, int, int]) -> None:
    one, other = islice(keys(), 2)
    words = []
    for key in (one, other):
        known = prover()
        remember(known, key)
        words.append(known.table[slot(known, key) :][:3])
    for key in (one, other, (one[0], other[1]), (other[0], one[1])):
        known = prover()
        for word, of in enumerate(whose):
            known.table[slot(known, key) + word] = words[of][word]
        is_its_own = len(set(whose)) == 1 and key == (one, other)[whose[0]]
        assert recalled(known, key) == (plies(key) if is_its_own else 0)


def test_a_slot_with_words_of_two_positions_is_dropped_when_the_table_grows() -> None:
    known, (one, other) = prover(), islice(keys(), 2)
    remember(known, one)
    known.table[slot(known, one) + 1] = other[1]
    known.grow()
    assert remembered(known) == []
