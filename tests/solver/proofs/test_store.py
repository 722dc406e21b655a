"""The store of proofs: its content, its place, and the processes that share it."""

import multiprocessing
import random
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial, reduce
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Event
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from platformdirs import user_cache_path

from solver.board.game import parse_game
from solver.board.outcome import LOST, WIN, Bounds
from solver.board.position import Position
from solver.proofs.file import write_book
from solver.proofs.store import Store, installed_store
from tests.solver.stored_proofs import LARGE, START, in_a_fork, many, only_trouble, proofs, rows, told, walk
from tests.strategies import TIC_TAC_TOE, boards, examples, positions

# What a store knows


@examples(20)
@given(positions(), st.data())
def test_mirrored_and_turned_positions_have_the_same_bounds(position: Position, data: st.DataObject) -> None:
    image = position.transformed(data.draw(st.sampled_from(position.rules.symmetries)))
    with TemporaryDirectory() as folder, Store(Path(folder, "proofs.sqlite")) as store:
        store.keep({position: Bounds(-7, 7)})
        assert store.bounds(image) == Bounds(-7, 7)


def test_proofs_that_are_filed_under_the_name_of_a_shape_without_its_lines_are_not_used(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = Position("4x4-klein-el")
    with Store(path) as store, monkeypatch.context() as patch:
        patch.setattr("solver.proofs.file.key_of", lambda each: (str(each.rules), each.x, each.o))
        store.keep({position: Bounds(0, 0)})
        assert store.bounds(position) == Bounds()


def test_where_stones_vanish_their_order_is_part_of_a_position(path: Path) -> None:
    early, late, mirrored = (
        parse_game("4x3x4-vanishing", None, moves).last for moves in ("a1a2b1b2", "b1b2a1a2", "d1d2c1c2")
    )
    with Store(path) as store:
        store.keep({early: Bounds(-7, 7)})
        assert [store.bounds(each) for each in (early, late, mirrored)] == [Bounds(-7, 7), Bounds(), Bounds(-7, 7)]


@examples(20)
@given(st.lists(st.builds(Bounds, st.integers(LOST, 0), st.integers(0, WIN)), max_size=4))
def test_proofs_narrow_what_is_known_and_never_widen_it(sequence: list[Bounds]) -> None:
    with TemporaryDirectory() as folder, Store(Path(folder, "proofs.sqlite")) as store:
        for bounds in sequence:
            store.keep({START: bounds})
        assert store.bounds(START) == reduce(Bounds.narrowed, sequence, Bounds())


@examples(20)
@given(st.dictionaries(positions(boards(max_side=3)), st.just(Bounds(-1, 1))), st.sets(positions(boards(max_side=3))))
def test_many_are_known_as_each_alone_also_of_other_boards(kept: dict[Position, Bounds], asked: set[Position]) -> None:
    with TemporaryDirectory() as folder, Store(Path(folder, "proofs.sqlite")) as store:
        store.keep(kept)
        assert store.bounds_of(kept) == kept
        assert store.bounds_of(asked) == {position: store.bounds(position) for position in asked}


@pytest.mark.parametrize(
    "position",
    [
        Position(LARGE, 1, 1 << 63),
        Position(LARGE, 1 | 1 << 63, 1 << 7 | 1 << 56),
        Position(LARGE, LARGE.full ^ 1 << 1, 1 << 1),
    ],
    ids=["O in the last corner", "both in two corners", "X almost everywhere"],
)
def test_the_last_cell_of_the_largest_board_is_a_cell_like_any_other(path: Path, position: Position) -> None:
    with Store(path) as store:
        store.keep({position: Bounds(1, 2)})
        assert store.bounds(position) == Bounds(1, 2)
        assert store.bounds(Position(LARGE, position.x & ~(1 << 63), position.o & ~(1 << 63))) == Bounds()


def test_proofs_that_contradict_each_other_undo_each_other(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Store(path) as store:
        store.keep({START: Bounds(5, 9), START.after(0): Bounds(0, 0)})
        store.keep({START: Bounds(-9, 4), START.after(1): Bounds(0, 0)})
        store.keep({START.after(2): Bounds(5, 9), START.after(5): Bounds(0, 4)})
        assert store.bounds(START) == store.bounds(START.after(2)) == Bounds()
        assert store.bounds(START.after(0)) == store.bounds(START.after(1)) == Bounds(0, 0)
        store.keep({START: Bounds(-9, 4)})
        assert store.bounds(START) == Bounds(-9, 4)
    assert "contradict" in only_trouble(caplog)


def test_where_nothing_new_is_proved_nothing_is_written(path: Path) -> None:
    with Store(path) as store:
        store.keep(many())
        written = Path(f"{path}-wal").stat()
        store.keep(many())
        store.keep(dict.fromkeys(many(), Bounds(LOST + 1, WIN - 1)))
        assert Path(f"{path}-wal").stat().st_mtime_ns == written.st_mtime_ns


def test_a_full_cache_takes_no_more_but_narrows_what_it_has(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.proofs.file.MAX_BYTES", 20_000)
    with Store(path) as store:
        store.keep({START: Bounds(0, 5)})
        for position, bounds in many().items():
            store.keep({position: bounds})
        assert store.bounds(START) == Bounds(0, 5)
        store.keep({START: Bounds(3, 9), next(walk(random.Random(1), TIC_TAC_TOE)): Bounds(0, 0)})
        assert store.bounds(START) == Bounds(3, 5)
    assert path.stat().st_size <= 20_000 + 4096
    assert "3x3x3" not in {board for board, *_ in rows(path)}


# Where it keeps it


def test_without_a_cache_nothing_is_kept() -> None:
    with Store(None) as store:
        store.keep({START: Bounds(0, 5)})
        assert store.bounds(START) == Bounds()


def test_who_only_reads_or_proves_nothing_leaves_no_trace(path: Path) -> None:
    with Store(path) as store:
        store.bounds(START)
        store.keep({})
        store.keep({START: Bounds()})
    assert not path.parent.exists()


def test_a_closed_store_leaves_one_file_and_can_be_used_again(path: Path) -> None:
    store = Store(path)
    store.keep({START: Bounds(0, 5)})
    store.close()
    assert list(path.parent.iterdir()) == [path]
    with store:
        assert store.bounds(START) == Bounds(0, 5)


def test_books_and_cache_are_known_together(path: Path, book: Path, tmp_path: Path) -> None:
    other = tmp_path / "more.sqlite"
    write_book(book, {START: Bounds(0, 7), START.after(0): Bounds(0, 0)})
    write_book(other, {START: Bounds(-1, 6), START.after(1): Bounds(1, 1)})
    with Store(path, [book, other]) as store:
        store.keep({START: Bounds(3, 9), START.after(2): Bounds(2, 2)})
        assert store.bounds(START) == Bounds(3, 6)
        assert [store.bounds(START.after(cell)).score for cell in range(3)] == [0, 1, 2]


def test_a_book_is_asked_for_no_other_boards_than_its_own(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [Position(board) for board in ("4x4x3", "4x4x4", "5x4x4", "3x3x3", "6x6x4")]
    write_book(book, dict.fromkeys(boards[:3], Bounds(0, 0)))
    with Store(None, [book]) as store:
        assert [store.bounds(board).score for board in boards] == [0, 0, 0, None, None]
        monkeypatch.setattr("solver.proofs.store.read", None)
        assert [store.bounds(board) for board in boards[3:]] == [Bounds()] * 2


def test_a_book_is_only_read(path: Path, book: Path) -> None:
    write_book(book, many())
    before = book.read_bytes()
    with Store(path, [book]) as store:
        store.keep(dict.fromkeys(many(), Bounds(0, 0)))
        assert set(store.bounds_of(many()).values()) == {Bounds(0, 0)}
        assert set(book.parent.iterdir()) == {book, path.parent}
    assert book.read_bytes() == before


def test_a_book_and_the_cache_that_contradict_each_other_say_nothing(
    path: Path, book: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_book(book, {START: Bounds(5, 9)})
    with Store(path, [book]) as store:
        store.keep({START: Bounds(0, 4)})
        assert store.bounds(START) == store.bounds(START) == Bounds()
    assert "contradict" in only_trouble(caplog)


def test_the_same_proofs_make_the_same_book_byte_for_byte(tmp_path: Path) -> None:
    one, other, chance = tmp_path / "one.sqlite", tmp_path / "other.sqlite", random.Random(0)
    write_book(one, many())
    for _ in range(3):
        shuffled = chance.sample(list(many()), len(many()))
        write_book(other, {each.transformed(chance.choice(LARGE.symmetries)): many()[each] for each in shuffled})
        assert one.read_bytes() == other.read_bytes()


def test_a_book_replaces_the_one_there_and_leaves_nothing_beside_it(book: Path) -> None:
    write_book(book, many())
    write_book(book, {START: Bounds(0, 5)})
    assert rows(book) == [("8x8x5", 0, 0, 0, 5)]
    assert list(book.parent.iterdir()) == [book]


def test_no_book_is_made_of_proofs_that_contradict_each_other(book: Path) -> None:
    with pytest.raises(ValueError, match="contradict"):
        write_book(book, {START.after(0): Bounds(5, 9), START.after(7): Bounds(0, 4)})
    assert list(book.parent.iterdir()) == []


def test_the_default_store_reads_the_shipped_books_and_keeps_in_the_users_cache_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOUGHTS_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    monkeypatch.setattr("solver.proofs.store.BOOKS", tmp_path)
    write_book(tmp_path / "openings.sqlite", {START: Bounds(0, 7)})
    with installed_store() as store:
        store.keep({START: Bounds(-7, 0)})
        assert store.bounds(START) == Bounds(0, 0)
    assert rows(user_cache_path("noughts", appauthor=False) / "proofs.sqlite") == [("8x8x5", 0, 0, -7, 0)]


def test_the_environment_names_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path / "elsewhere"))
    with installed_store() as store:
        store.keep({Position(LARGE): Bounds(0, 5)})
    assert rows(tmp_path / "elsewhere" / "proofs.sqlite") == [("8x8x5", 0, 0, 0, 5)]


def test_the_environment_switches_the_cache_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("NOUGHTS_CACHE", "off")
    with installed_store() as store:
        store.keep({START: Bounds(0, 5)})
    assert list(tmp_path.iterdir()) == []


# Who shares it


def keep_endlessly(path: Path, seed: int, started: Event) -> None:
    with Store(path) as store:
        for position in walk(random.Random(seed), LARGE):
            store.keep({position: told(position), position.after(63): told(position.after(63))})
            started.set()


def keep_all(path: Path, seed: int, count: int, started: Event) -> None:
    with Store(path) as store:
        for position, bounds in proofs(seed, count).items():
            store.keep({position: bounds})
            started.set()


@pytest.mark.slow
def test_a_writer_that_is_killed_leaves_a_sound_file_and_all_that_another_writes(path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")

    def begin(target: Callable[..., None], *arguments: object) -> SpawnProcess:
        started = spawn.Event()
        process = spawn.Process(target=target, args=(path, *arguments, started), daemon=True)
        process.start()
        begun.append(started)
        return process

    begun: list[Event] = []
    survivor = begin(keep_all, 1, 400)
    victims = [begin(keep_endlessly, seed) for seed in (2, 3)]
    assert all(started.wait(120) for started in begun)
    for victim in victims:
        victim.kill()
        victim.join()
    survivor.join()
    assert survivor.exitcode == 0
    with Store(path) as store:
        assert store.bounds_of(proofs(1, 400)) == proofs(1, 400)
    kept = {Position(LARGE, x % (1 << 64), o % (1 << 64)): Bounds(*bounds) for _, x, o, *bounds in rows(path)}
    assert kept == {position: told(position) for position in kept}
    assert len(kept) > len({position.canonical() for position in proofs(1, 400)})


def test_threads_share_a_store(path: Path) -> None:
    with Store(path) as store, ThreadPoolExecutor(8) as threads:
        parts = [proofs(seed, 50) for seed in range(8)]
        list(threads.map(store.keep, parts))
        assert list(threads.map(store.bounds_of, parts)) == parts


def test_a_forked_process_and_its_parent_go_on_with_the_same_store(path: Path) -> None:
    with Store(path) as store:
        store.keep({START: Bounds(0, 9)})

        def narrow() -> None:
            assert store.bounds(START) == Bounds(0, 9)
            store.keep({START: Bounds(0, 7)})

        in_a_fork(narrow)
        assert store.bounds(START) == Bounds(0, 7)
        store.keep({START: Bounds(3, 7)})
        assert store.bounds(START) == Bounds(3, 7)
    assert len(rows(path)) == 1


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_process_may_fork_while_its_threads_use_the_store(path: Path) -> None:
    with Store(path) as store, ThreadPoolExecutor(4) as threads:
        working = [threads.submit(store.keep, {position: bounds}) for position, bounds in many().items()]
        for seed in range(1, 4):
            in_a_fork(partial(store.keep, proofs(seed, 20)))
        for work in working:
            work.result()
        for seed in range(1, 4):
            assert store.bounds_of(proofs(seed, 20)) == proofs(seed, 20)
        assert store.bounds_of(many()) == many()


def test_who_waits_too_long_for_another_writer_loses_proofs_and_nothing_else(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("solver.proofs.file.LOCK_TIMEOUT", 0.01)
    with Store(path) as store:
        store.keep({START: Bounds(0, 9)})
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        store.close()
        store.keep({START: Bounds(0, 7)})
        assert store.bounds(START) == Bounds(0, 9)
        other.close()
        store.keep({START: Bounds(1, 9)})
        assert store.bounds(START) == Bounds(1, 9)
    assert "locked" in only_trouble(caplog)
