"""The store of proofs: no trouble with its files raises an error or falsifies an answer."""

import multiprocessing
import os
import random
import resource
import shutil
import sqlite3
from collections.abc import Callable
from functools import cache
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solver.board.notation import parse_rules
from solver.board.outcome import Bounds
from solver.board.position import Position
from solver.proofs.file import write_book
from solver.proofs.store import FULL, Store
from tests.solver.stored_proofs import START, in_a_fork, kept, many, only_trouble, proofs, rows, troubles
from tests.strategies import examples

PARTS = ("", "-wal", "-shm")
"""The suffixes of a database in use."""


@cache
def small_book() -> tuple[dict[Position, Bounds], bytes]:
    """Return some proofs and a book of them, of two pages."""
    with TemporaryDirectory() as folder:
        book = Path(folder, "openings.sqlite")
        write_book(book, proofs(1, 50))
        return proofs(1, 50), book.read_bytes()


def run(path: Path, *statements: str) -> None:
    """Run statements on a database behind the store's back."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        for statement in statements:
            connection.execute(statement)
    finally:
        connection.close()


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "garbage": lambda content: random.Random(0).randbytes(len(content)),
    "garbage in the middle": lambda content: content[:20_000] + random.Random(0).randbytes(4096) + content[24_096:],
    "a zeroed page": lambda content: content[: 5 * 4096] + bytes(4096) + content[6 * 4096 :],
    "half of it": lambda content: content[: len(content) // 8192 * 4096],
    "half a page": lambda content: content[:2000],
    "a few bytes": lambda content: content[:10],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_cache_is_begun_anew_with_one_warning(
    path: Path, damage: Callable[[bytes], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    with Store(path) as store:
        store.keep(many())
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    with Store(path) as store:
        for _ in range(2):
            known = store.bounds_of(many())
            assert all(bounds in (many()[position], Bounds()) for position, bounds in known.items())
        store.keep(many())
        assert store.bounds_of(many()) == many()
    assert "begun anew" in only_trouble(caplog)
    assert Path(f"{path}.old").read_bytes() == damaged


@pytest.mark.parametrize("damage", [*DAMAGES.values(), lambda _: b""], ids=[*DAMAGES, "empty"])
def test_a_damaged_book_is_left_out_with_one_warning(
    path: Path, book: Path, damage: Callable[[bytes], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    write_book(book, many())
    damaged = damage(book.read_bytes())
    book.write_bytes(damaged)
    with Store(path, [book]) as store:
        store.keep({START: Bounds(0, 5)})
        for _ in range(2):
            known = store.bounds_of(many())
            assert all(bounds in (many()[position], Bounds()) for position, bounds in known.items())
            assert store.bounds(START) == Bounds(0, 5)
    assert "left out" in only_trouble(caplog)
    assert book.read_bytes() == damaged


def test_a_book_that_was_left_out_is_not_opened_again(book: Path) -> None:
    book.write_bytes(b"no book")
    with Store(None, [book]) as store:
        assert store.bounds(START) == Bounds()
        write_book(book, {START: Bounds(0, 5)})
        assert store.bounds(START) == Bounds()


def test_a_cache_that_is_damaged_while_it_is_in_use_is_begun_anew(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Store(path) as store, Store(path) as other:
        store.keep(many())
        assert store.bounds(START) == other.bounds(START) == Bounds()
        run(path, "PRAGMA wal_checkpoint(TRUNCATE)")
        os.truncate(path, 3 * 4096)
        for each in (store, other):
            each.bounds_of(many())
        store.keep({START: Bounds(0, 5)})
        assert store.bounds(START) == other.bounds(START) == Bounds(0, 5)
    assert rows(path) == [("8x8x5", 0, 0, 0, 5)]
    assert all("begun anew" in trouble for trouble in troubles(caplog))


@pytest.mark.parametrize("as_store", [Store, lambda path: Store(None, [path])], ids=["cache", "book"])
@examples(100)
@example(at=4064, change=128)  # in the text of the table's definition
@given(at=st.integers(0, 8191), change=st.integers(1, 255))
def test_no_wrong_byte_makes_an_answer_false(as_store: Callable[[Path], Store], at: int, change: int) -> None:
    some, whole = small_book()
    content = bytearray(whole)
    content[at] ^= change
    with TemporaryDirectory() as folder, as_store(path := Path(folder, "proofs.sqlite")) as store:
        path.write_bytes(content)
        assert all(bounds in (some[position], Bounds()) for position, bounds in store.bounds_of(some).items())


def test_a_row_that_another_program_changed_is_not_believed(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Store(path) as store:
        store.keep({START: Bounds(0, 5)})
        run(path, "UPDATE proof SET lower = 5")
        assert store.bounds(START) == Bounds()
        store.keep({START: Bounds(0, 4)})
        assert store.bounds(START) == Bounds(0, 4)
    assert "begun anew" in only_trouble(caplog)


@pytest.mark.parametrize(
    "statement",
    [
        "PRAGMA user_version = 0",
        "PRAGMA application_id = 1",
        "DROP TABLE proof",
        "ALTER TABLE proof ADD more",
    ],
)
def test_another_format_is_not_read(path: Path, book: Path, statement: str, caplog: pytest.LogCaptureFixture) -> None:
    write_book(book, {START: Bounds(0, 5)})
    with Store(path, [book]) as store:
        store.keep({START: Bounds(0, 4)})
    for each in (path, book):
        run(each, statement)
    with Store(path, [book]) as store:
        assert store.bounds(START) == Bounds()
        store.keep({START: Bounds(-5, 0)})
        assert store.bounds(START) == Bounds(-5, 0)
    assert [trouble.partition(": ")[0] for trouble in troubles(caplog)] == [
        f"the book {book} is left out",
        f"{path} is put aside and begun anew",
    ]


def newer(file: Path) -> str:
    """Turn a file of proofs into one by a newer Noughts; return the warning that is due."""
    run(file, "PRAGMA journal_mode = DELETE", "PRAGMA user_version = 1000", "ALTER TABLE proof ADD more")
    return f"{file} was written by a newer Noughts (version 1000); it is left alone"


def test_a_cache_of_a_newer_version_is_left_alone_with_a_warning(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    kept(path)
    warning, before = newer(path), path.read_bytes()
    with Store(path) as store:
        for _ in range(2):
            store.keep({START: Bounds(0, 4)})
            assert store.bounds(START) == Bounds()
        assert "newer Noughts" in store.trouble()
    assert troubles(caplog) == [warning]
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_newer_book_is_left_out_with_one_warning(path: Path, book: Path, caplog: pytest.LogCaptureFixture) -> None:
    write_book(book, {START: Bounds(0, 5)})
    warning, before = newer(book), book.read_bytes()
    with Store(path, [book]) as store:
        store.keep({START: Bounds(0, 9)})
        for _ in range(2):
            assert store.bounds(START) == Bounds(0, 9)
    assert troubles(caplog) == [warning]
    assert book.read_bytes() == before


def test_a_newer_cache_that_takes_the_place_of_one_in_use_is_left_alone(
    path: Path, book: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_book(book, {START: Bounds(0, 5)})
    newer(book)
    with Store(path) as store:
        store.keep(many())
        assert store.bounds_of(many()) == many()
        before = book.read_bytes()
        os.replace(book, path)
        for part in PARTS[1:]:
            Path(f"{path}{part}").unlink(missing_ok=True)
        assert store.bounds_of(many()) == dict.fromkeys(many(), Bounds())
        store.keep(many())
    assert troubles(caplog) == [f"{path} was written by a newer Noughts (version 1000); it is left alone"]
    assert path.read_bytes() == before


@pytest.mark.parametrize("version", [0, 1000])
def test_a_database_of_somebody_else_is_put_aside_as_it_was(path: Path, version: int) -> None:
    path.parent.mkdir()
    run(path, "CREATE TABLE diary (day TEXT)", f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with Store(path) as store:
        store.keep({START: Bounds(0, 5)})
        store.keep({START: Bounds(0, 5)})
        assert store.bounds(START) == Bounds(0, 5)
    assert Path(f"{path}.old").read_bytes() == before


@pytest.mark.parametrize("deleted", [PARTS, PARTS[:1]], ids=["with all parts", "alone"])
def test_a_file_that_is_deleted_while_it_is_in_use_is_begun_anew(
    path: Path, deleted: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    with Store(path) as store, Store(path) as other:
        store.keep(many())
        assert other.bounds_of(many()) == many()
        for part in deleted:
            os.unlink(f"{path}{part}")
        assert store.bounds(next(iter(many()))) == Bounds()
        store.keep({START: Bounds(0, 5)})
        other.keep({START: Bounds(3, 9)})
        assert store.bounds(START) == other.bounds(START) == Bounds(3, 5)
    assert rows(path) == [("8x8x5", 0, 0, 3, 5)]
    assert troubles(caplog) == []


def test_a_file_that_is_deleted_while_another_process_uses_it_is_begun_anew(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fork = multiprocessing.get_context("fork")
    in_use, deleted = fork.Event(), fork.Event()

    def use() -> None:
        with Store(path) as store:
            store.keep(many())
            in_use.set()
            assert deleted.wait(30)
            store.keep({START: Bounds(3, 9)})
            assert store.bounds(START) == Bounds(3, 5)
        assert troubles(caplog) == []

    process = fork.Process(target=use, daemon=True)
    process.start()
    assert in_use.wait(30)
    path.unlink()
    with Store(path) as store:
        store.keep({START: Bounds(0, 5)})
        assert store.bounds(START) == Bounds(0, 5)
        deleted.set()
        process.join(30)
        assert process.exitcode == 0
        assert store.bounds(START) == Bounds(3, 5)
    assert troubles(caplog) == []


def test_a_folder_that_is_deleted_while_in_use_is_made_again(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Store(path) as store:
        store.keep({START: Bounds(0, 5)})
        shutil.rmtree(path.parent)
        assert store.bounds(START) == Bounds()
        store.keep({START: Bounds(0, 4)})
        assert store.bounds(START) == Bounds(0, 4)
    assert troubles(caplog) == []


def test_where_there_can_be_no_file_nothing_is_kept_and_one_warning_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    with Store(tmp_path / "file" / "proofs.sqlite") as store:
        for _ in range(2):
            store.keep({START: Bounds(0, 5)})
            assert store.bounds(START) == Bounds()
    assert "cannot be used" in only_trouble(caplog)


def without_rights(folder: Path, action: Callable[[], None], rights: int = 0o555) -> None:
    """Call a function in a process that can only read a folder, even if the tests run as root."""

    def as_somebody_else() -> None:
        if os.getuid() == 0:
            os.setuid(65534)
        action()

    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(rights)
    in_a_fork(as_somebody_else)
    folder.chmod(0o755)


@pytest.mark.parametrize(
    ("rights", "copied", "known"),
    [(0o555, "", Bounds(0, 5)), (0o555, "-wal", Bounds()), (0, "", Bounds())],
    ids=["read", "not whole without its log", "not even looked into"],
)
def test_where_nothing_can_be_written_what_is_there_and_whole_is_read(
    path: Path, rights: int, copied: str, known: Bounds, caplog: pytest.LogCaptureFixture
) -> None:
    with TemporaryDirectory() as folder:
        copy = Path(folder, path.name)

        def look() -> None:
            with Store(copy) as store:
                assert store.bounds(START) == known
                store.keep({START: Bounds(0, 4)})
                assert store.bounds(START) == known
            assert "cannot be used" in only_trouble(caplog)

        kept(path)
        with Store(path) as store:
            if copied:
                store.keep({START: Bounds(0, 4)})
            shutil.copy(path, copy)
            if copied:
                shutil.copy(f"{path}{copied}", f"{copy}{copied}")
        without_rights(copy.parent, look, rights)


def test_a_file_that_another_process_locks_is_read_once_it_is_free(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("solver.proofs.file.LOCK_TIMEOUT", 0.01)
    path.parent.mkdir()
    write_book(path, {START: Bounds(0, 9)})
    with Store(path) as store:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        assert store.bounds(START) == Bounds()
        other.close()
        assert store.bounds(START) == Bounds(0, 9)
        store.keep({START: Bounds(0, 7)})
        assert store.bounds(START) == Bounds(0, 7)
    assert "locked" in only_trouble(caplog)


def test_on_a_full_disk_proofs_are_lost_and_nothing_else(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    large = proofs(0, 2000)

    def with_little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
        with Store(path) as store:
            for _ in range(2):
                store.keep(large)
                assert store.bounds_of([START, *large]) == {START: Bounds(0, 5), **dict.fromkeys(large, Bounds())}
            store.keep({START: Bounds(0, 4)})
            assert store.bounds(START) == Bounds(0, 4)
        assert "cannot be used" in only_trouble(caplog)

    kept(path)
    in_a_fork(with_little_room)
    assert rows(path) == [("8x8x5", 0, 0, 0, 4)]


def test_a_file_that_another_process_has_begun_anew_is_not_put_aside(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replacement = tmp_path / "replacement.sqlite"
    kept(replacement)

    def opened_too_late(path: Path) -> sqlite3.Connection:
        os.replace(replacement, path)
        raise sqlite3.DatabaseError

    path.parent.mkdir()
    path.write_bytes(b"damaged")
    monkeypatch.setattr("solver.proofs.store.open_cache_to_read", opened_too_late)
    with Store(path) as store:
        store.bounds(START)
    assert rows(path) == [("8x8x5", 0, 0, 0, 5)]


def test_a_full_cache_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(path) as store:
        store.keep({START: Bounds(0, 5)})
        assert store.trouble() == ""
        monkeypatch.setattr("solver.proofs.store.MAX_BYTES", 1)
        assert store.trouble() == FULL


def test_a_cache_in_which_another_process_has_made_room_forgets_nothing_more(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = proofs(1, 50)
    with Store(path) as store:
        store.keep(known)
        monkeypatch.setattr("solver.proofs.store.MAX_BYTES", 1)  # as it was when this process looked
        for _ in range(20):
            store.make_room()
        assert store.bounds_of(known) == known


def test_a_full_cache_forgets_an_eighth_when_told_to_make_room(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(parse_rules("8x8x5"))
    first = {position.after(a).after(b).after(c): Bounds(0, 0) for a, b, c in permutations(range(18), 3)}
    with Store(path) as store:
        store.keep(first)
        before = len(rows(path))
        monkeypatch.setattr("solver.proofs.file.MAX_BYTES", 1)
        monkeypatch.setattr("solver.proofs.store.MAX_BYTES", 1)
        assert store.is_full()
        store.make_room()
        assert 1 / 16 < 1 - len(rows(path)) / before < 3 / 16
        monkeypatch.undo()
        assert not store.is_full()
