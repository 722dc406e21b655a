"""The store of classes, in the database of live games.

What the teacher does is a compare-and-set on the room. An answer is a row of its own: the database takes only one for
each seat and question, in a transaction that also sees that the question is still open.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Final

import msgspec
import sqlalchemy as sql

from webapp.pages.classes.question import LONGEST_ANSWER, MOST_TASKS
from webapp.pages.classes.room import (
    ANIMALS,
    CODE_LENGTH,
    LONGEST_NAME,
    SEATS,
    WALL,
    ClassRoom,
    Mode,
    Pupil,
    Room,
    check_point,
)
from webapp.pages.live.game import Full, NoGame, NotNow, TooManyGames, Unreachable
from webapp.pages.live.store import CHANGES, TOGETHER, TRIES, LiveStore, next_change
from webapp.pages.live.visitors import Networks

TABLES = sql.MetaData()
CODE = sql.String(CODE_LENGTH)
ROOMS = sql.Table(
    "class_rooms",
    TABLES,
    sql.Column("code", CODE, primary_key=True),
    sql.Column("teacher", sql.String(40), nullable=False),
    sql.Column("key", sql.String(64), nullable=False),
    sql.Column("room", sql.Text, nullable=False),
    sql.Column("is_homework", sql.Boolean, nullable=False),
    *(sql.Column(net, sql.String(24), nullable=False, index=True) for net in Networks._fields),
    sql.Column("ends", sql.Double, nullable=False, index=True),
    sql.Column("version", sql.Integer, nullable=False),
    sql.Column("news", sql.Integer, nullable=False),
    sql.Column("change", sql.BigInteger, nullable=False, index=True),
)
PUPILS = sql.Table(
    "class_pupils",
    TABLES,
    sql.Column("code", CODE, primary_key=True),
    sql.Column("seat", sql.String(40), primary_key=True),
    sql.Column("number", sql.Integer, nullable=False),
    sql.Column("name", sql.String(LONGEST_NAME), nullable=False),
    sql.Column("out", sql.Boolean, nullable=False),
)
ANSWERS = sql.Table(
    "class_answers",
    TABLES,
    sql.Column("code", CODE, primary_key=True),
    sql.Column("task", sql.Integer, primary_key=True),
    sql.Column("seat", sql.String(40), primary_key=True),
    sql.Column("answer", sql.String(LONGEST_ANSWER), nullable=False),
)

AT_ONCE: Final[Mapping[bool, tuple[int, int, int]]] = {False: (30, 60, 120), True: (300, 600, 1200)}
"""The most classes and the most homework of an address, of its wider network, and of the widest, at a time."""


class ClassStore:
    """A store of at most `most` classes, in the database of live games. Any thread may use it."""

    def __init__(self, games: LiveStore, most: int) -> None:
        self._database, self._clock, self._clocks, self._most = games.database, games.clock, games.clocks, most
        self._database.also(TABLES.create_all)

    def add(self, made: ClassRoom, networks: Networks) -> bool:
        """Store a new class that a visitor from these networks made; return False if another class has its code.

        Raises TooManyGames, Full or Unreachable.
        """
        is_homework = made.room.mode is Mode.HOMEWORK

        def add(connection: sql.Connection) -> bool:
            change = next_change(connection)
            key = connection.scalar(sql.select(ROOMS.c.key).where(ROOMS.c.code == made.code))
            if key is not None:
                return bool(key == made.key)  # if so, the first try stored it, but the database's answer was lost
            for net, network, most in zip(Networks._fields, networks, AT_ONCE[is_homework], strict=True):
                of_net = sql.and_(ROOMS.c[net] == network, ROOMS.c.is_homework == is_homework)
                if _number(connection, of_net) >= most:
                    raise TooManyGames(0)
            if _number(connection, sql.true()) >= self._most:
                raise Full
            row = {"code": made.code, "teacher": made.teacher, "key": made.key, "is_homework": is_homework}
            values = row | networks._asdict() | {"room": _written(made.room), "ends": made.ends}
            connection.execute(sql.insert(ROOMS).values(**values, version=1, news=1, change=change))
            return True

        return self._database.do(add, writes=True)

    def find(self, code: str, every: bool = False) -> ClassRoom:
        """Return a class with the answers to the present question; to all if `every` or if it is homework.

        Raises NoGame or Unreachable.
        """
        return self._database.do(lambda connection: _read(connection, code, every))

    def change(self, code: str, judge: Callable[[ClassRoom], Room]) -> ClassRoom:
        """Store the room that the referee's `judge` returns, and return the class.

        `judge` runs again if another change was faster. Raises NoGame, Unreachable, and the errors of `judge`.
        """

        def change(connection: sql.Connection) -> ClassRoom | None:
            before = _read(connection, code, every=True)
            after = judge(before)
            if after is before.room:
                return before
            changed = _touch(connection, code, seen=before.version, room=_written(after), version=before.version + 1)
            return _read(connection, code, every=True) if changed else None

        for _ in range(TRIES):
            changed = self._database.do(change, writes=True)
            if changed is not None:
                return changed
        raise Unreachable

    def join(self, code: str, seat: str, name: str) -> Pupil:
        """Give a pupil a seat, or return the one that this digest has already.

        Without a name, it is that of a free animal. Raises NoGame, NotNow for a full class or a pupil who was shown
        out, or Unreachable.
        """

        def join(connection: sql.Connection) -> Pupil:
            next_change(connection)  # others who join wait here, so that no two get the same number
            found = _read(connection, code)
            if (known := next((pupil for pupil in found.pupils if pupil.seat == seat), None)) is not None:
                if known.out:
                    raise NotNow("Your teacher has shown this seat out.")
                return known
            if len(found.present) >= SEATS or len(found.pupils) >= 2 * SEATS:
                raise NotNow(f"This class is full: {SEATS} pupils are in.")
            taken = {pupil.name for pupil in found.present}
            free = (animal for animal in ANIMALS if animal not in taken)
            pupil = Pupil(seat, len(found.pupils), name if name and name not in taken else next(free), False)
            row = {"seat": seat, "number": pupil.number, "name": pupil.name, "out": False}
            connection.execute(sql.insert(PUPILS).values(code=code, **row))
            _touch(connection, code)
            return pupil

        return self._database.do(join, writes=True)

    def show_out(self, code: str, number: int | None) -> None:
        """Take a pupil's seat away. Raises NoGame or Unreachable."""

        def leave(connection: sql.Connection) -> None:
            of_pupil = sql.and_(PUPILS.c.code == code, PUPILS.c.number == number)
            connection.execute(sql.update(PUPILS).where(of_pupil).values(out=True))
            _touch(connection, code, version=ROOMS.c.version + 1)

        self._database.do(leave, writes=True)

    def answer(self, code: str, seat: str, task: int, point: str, answer: str) -> None:
        """Store a pupil's answer to a question. The same answer again changes nothing.

        `point` is the point of the lesson, or "" where each pupil goes at an own pace. Raises NoGame, NotNow or
        Unreachable.
        """

        def store(connection: sql.Connection) -> None:
            _touch(connection, code)  # the room stays as it is until this transaction ends
            of_seat = sql.and_(PUPILS.c.code == code, PUPILS.c.seat == seat, ~PUPILS.c.out)
            if connection.scalar(sql.select(PUPILS.c.number).where(of_seat)) is None:
                raise NotNow("Join the class first.")
            given = sql.and_(ANSWERS.c.code == code, ANSWERS.c.task == task, ANSWERS.c.seat == seat)
            before = connection.scalar(sql.select(ANSWERS.c.answer).where(given))
            if before == answer:
                return
            if before is not None:
                raise NotNow("You have answered already, and the first answer counts.")
            room = _room_in(connection.execute(sql.select(ROOMS.c.room).where(ROOMS.c.code == code)).scalar_one())
            if point:
                check_point(room, point)
            if point and not room.takes_answers:
                raise NotNow("The answers are on the wall already, so yours came too late.")
            connection.execute(sql.insert(ANSWERS).values(code=code, task=task, seat=seat, answer=answer))

        self._database.do(store, writes=True)

    def delete(self, code: str) -> None:
        """Delete a class with all that was kept of it. Raises Unreachable."""
        self._database.do(lambda connection: _delete(connection, [code]), writes=True)

    # What a newsroom asks for.

    def last_change(self) -> int:
        """Return the number of the last change of any class. Raises Unreachable."""
        return self._database.do(lambda connection: connection.scalar(sql.select(CHANGES.c.last))) or 0

    def changes(self, since: int, besides: Collection[str]) -> tuple[int, Mapping[str, tuple[int, str, str]]]:
        """Return the number of the last change, and the classes that changed after `since` or are in `besides`.

        A class comes twice: with the version that its pupils see, and with all its news for the wall. There are no
        seats whose players come and go. Raises Unreachable.
        """
        columns = (ROOMS.c.code, ROOMS.c.version, ROOMS.c.news, ROOMS.c.change)
        wanted = ROOMS.c.change > since
        if besides:
            wanted |= ROOMS.c.code.in_({name.removesuffix(WALL) for name in besides})
        rows = self._database.do(lambda connection: connection.execute(sql.select(*columns).where(wanted)).all())
        told: dict[str, tuple[int, str, str]] = {}
        for code, version, news, _ in rows:
            told |= {code: (version, "", ""), code + WALL: (news, "", "")}
        return max((since, *(row.change for row in rows))), told

    def beat(self, seats: Collection[str], left: Mapping[str, float]) -> None:
        """Note nothing: a class does not tell who is away."""

    def all_here(self) -> Mapping[str, set[str]]:
        """Return nothing: a class does not tell who is away."""
        return {}

    def sweep(self) -> int:
        """Delete the classes whose time is over, once the clock can be trusted; return how many. Raises Unreachable."""
        now = self._clock()

        def sweep(connection: sql.Connection) -> int:
            over = sql.select(ROOMS.c.code).where(ROOMS.c.ends < now).limit(TOGETHER // (SEATS * MOST_TASKS) + 1)
            return _delete(connection, connection.scalars(over).all())

        deleted = 0
        while self._clocks.is_trusted() and (some := self._database.do(sweep, writes=True)):
            deleted += some
        return deleted


def _read(connection: sql.Connection, code: str, every: bool = False) -> ClassRoom:
    """Return a class with the answers to the present question; to all if `every` or homework. Raises NoGame."""
    row = connection.execute(sql.select(ROOMS).where(ROOMS.c.code == code)).mappings().first()
    if row is None:
        raise NoGame
    room = _room_in(row["room"])
    pupils = connection.execute(sql.select(PUPILS).where(PUPILS.c.code == code).order_by(PUPILS.c.number))
    asked = ANSWERS.c.code == code
    if not every and room.mode is not Mode.HOMEWORK:
        asked &= ANSWERS.c.task == room.at
    given = connection.execute(sql.select(ANSWERS).where(asked))
    answers: dict[int, dict[str, str]] = {}
    for each in given:
        answers.setdefault(each.task, {})[each.seat] = each.answer
    return ClassRoom(
        room=room,
        pupils=tuple(Pupil(each.seat, each.number, each.name, each.out) for each in pupils),
        answers=answers,
        **{name: row[name] for name in ("code", "teacher", "key", "ends", "version", "news")},
    )


def _touch(connection: sql.Connection, code: str, seen: int | None = None, **values: object) -> bool:
    """Change a room and note that it has news; return False if its version is not the one that was `seen`.

    Raises NoGame.
    """
    change, same = next_change(connection), ROOMS.c.code == code
    if seen is not None:
        same &= ROOMS.c.version == seen
    told = sql.update(ROOMS).where(same).values(news=ROOMS.c.news + 1, change=change, **values)
    if connection.execute(told).rowcount:
        return True
    if seen is None:
        raise NoGame
    return False


def _delete(connection: sql.Connection, codes: Collection[str]) -> int:
    for of in (ANSWERS, PUPILS, ROOMS):
        connection.execute(sql.delete(of).where(of.c.code.in_(codes)))
    return len(codes)


def _number(connection: sql.Connection, of: "sql.ColumnElement[bool]") -> int:
    return int(connection.scalar(sql.select(sql.func.count()).select_from(ROOMS).where(of)) or 0)


def _written(room: Room) -> str:
    return msgspec.json.encode(room).decode()


def _room_in(text: str) -> Room:
    return msgspec.json.decode(text, type=Room)
