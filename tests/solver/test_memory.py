"""What the kernel remembers of positions, seen in the interpreted source, which can be looked into."""

import random
from collections.abc import Iterator
from dataclasses import astuple
from itertools import islice
from typing import Any, TypeAlias

from solver.notation import parse_rules
from solver.search.engine import interpreted
from solver.search.solver import ALL

Key: TypeAlias = tuple[int, int]

DEFENDING, ATTACKING, WEAKLY = 1, 3, 7
"""Marks: the defender is to move, the attacker is, the attacker is where the defender can complete no line in time."""


def prover(max_places: int = 1 << 20) -> Any:
    return interpreted()(parse_rules("6x6x5"), astuple(ALL), max_places)


def keys(seed: int = 0) -> Iterator[Key]:
    rng = random.Random(seed)
    while True:
        yield rng.getrandbits(36), rng.getrandbits(36)


def recalled(known: Any, key: Key) -> int:
    """The plies within which the attacker to move is known not to win; 0 where nothing is known."""
    return int(known.recalled(*key, ATTACKING)) >> 8 & 255


def plies(key: Key) -> int:
    """What the tests say of a position, a different number for most."""
    return 1 + key[0] % 60


def remember(known: Any, key: Key) -> None:
    known.remember(*key, ATTACKING, plies(key), False)


def places(known: Any) -> list[Key]:
    """The positions that have a place."""
    memory = known.memory
    return [(memory[place], memory[place + 1]) for place in range(0, len(memory), 3) if memory[place + 2]]


def test_a_memory_that_may_grow_keeps_nearly_all() -> None:
    known, all_keys = prover(), list(islice(keys(), 20_000))
    for key in all_keys:
        remember(known, key)
    kept = [key for key in all_keys if recalled(known, key)]
    assert len(kept) > 0.999 * len(all_keys)
    assert all(recalled(known, key) == plies(key) for key in kept)


def test_a_full_memory_forgets_some_positions_and_says_nothing_false_of_any() -> None:
    known = prover(max_places=1024)
    for key in islice(keys(), 5000):
        remember(known, key)
        assert recalled(known, key) == plies(key)
    assert len(places(known)) > 1000
    assert {recalled(known, key) for key in islice(keys(seed=1), 5000)} == {0}
    assert all(recalled(known, key) in {0, plies(key)} for key in islice(keys(), 5000))


def test_a_position_that_finds_no_room_when_the_memory_grows_is_forgotten() -> None:
    known, grown, seen = prover(), prover(), list[Key]()
    small = known.places
    grown.places = 2 * small
    some = list(islice(keys(), 80_000))
    # Some stand at the end of the small memory and just beyond, others at its beginning. Once it has grown, both want
    # the same places.
    at_end = [key for key in some if known.home(*key) == grown.home(*key) == 3 * (small - 1)]
    at_start = [key for key in some if known.home(*key) == 0 and grown.home(*key) == 3 * small]
    for pair in zip(at_end, at_start, strict=False):
        for key in pair:
            remember(known, key)
            seen.append(key)
        if known.places > small:
            break
    assert set(places(known)) <= set(seen)
    assert 0 < sum(recalled(known, key) == 0 for key in seen) < len(seen)
    assert all(recalled(known, key) in {0, plies(key)} for key in seen)


def test_what_is_remembered_of_a_position_only_gets_narrower() -> None:
    known, key = prover(), next(keys())
    for answered, won in [(5, False), (3, False), (11, True), (13, True)]:
        known.remember(*key, ATTACKING, answered, won)
    assert known.entries() == [(5, 11)]


def test_a_position_is_remembered_apart_for_each_player_to_move_and_for_the_weak_game() -> None:
    known, key = prover(), next(keys())
    for mark in (DEFENDING, ATTACKING, WEAKLY):
        known.remember(*key, mark, 5 + mark, True)
    known.grow()
    assert known.entries() == [(0, 6), (0, 8), (0, 12)]
