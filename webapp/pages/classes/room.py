"""A class as immutable values, and its referee as pure functions.

The teacher's seat and the pupils' seats are secrets, of which a class stores only digests. A room changes by what its
teacher asks for; answers are kept beside it, one for each pupil and question. A request says which point of the lesson
its page showed, so that one sent twice counts once, and one that comes too late is refused.
"""

import hmac
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from hashlib import sha256
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from solver.board.position import Result
from solver.errors import BadOption
from webapp.pages.classes.question import MOST_TASKS
from webapp.pages.live.game import NotNow

LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""The letters of codes. Without vowels, no code is a word; no two of these letters look alike."""

CODE_LENGTH: Final = 5

SEATS: Final = 60
"""The most pupils of a class."""

LONGEST_NAME: Final = 24
"""The most letters of a pupil's name."""

WALL: Final = "/wall"
"""The end of the address of a wall, and of the name under which it hears of news; pupils hear of less."""

LESSON: Final = 24 * 3600.0
"""Seconds after which a class is deleted."""

HOMEWORK: Final = 30 * LESSON
"""Seconds after which homework is deleted."""

IN_SIGHT: Final = 30.0
"""Seconds that a class has for a move against the computer."""

_ANIMALS: Final = """
Ant Badger Bat Bear Beaver Bee Beetle Bison Buffalo Camel Cat Cobra Cow Crab Crane Crow Deer Dingo Dog Dolphin Duck
Eagle Eel Elk Emu Falcon Fox Frog Gecko Goat Goose Hare Hawk Heron Horse Ibex Jackal Koala Lemur Lion Lizard Lynx
Mole Moose Moth Mouse Otter Owl Panda Pony Puffin Rabbit Raven Robin Seal Shark Sloth Swan Tiger Wolf"""

ANIMALS: Final = tuple(_ANIMALS.split())
"""The names that pupils go by, one for each seat."""


class Mode(StrEnum):
    """What a class does."""

    ASK = "ask"
    COMPUTER = "computer"
    TOURNAMENT = "tournament"
    HOMEWORK = "homework"


class Shows(IntEnum):
    """How much of a question's answers the wall shows."""

    ASKING = 0
    COUNTED = 1
    COLOURED = 2
    EXPLAINED = 3


class ClassGame(Struct, frozen=True, array_like=True):
    """A game of a tournament: its name in the store of live games, and the numbers of its players."""

    game: str
    x: int
    o: int


class Room(Struct, frozen=True):
    """The state of a lesson, as it is stored.

    `tasks` are its questions, and `at` is the number of the present one. `until` is the time by which the class has to
    move against the computer, whose level is `level`. `rounds` are those of a tournament.
    """

    mode: Mode
    tasks: tuple[str, ...] = ()
    at: int = 0
    stage: Shows = Shows.ASKING
    is_over: bool = False
    until: float = 0.0
    level: str = ""
    rounds: tuple[tuple[ClassGame, ...], ...] = ()

    @property
    def point(self) -> str:
        """The present point of the lesson, as forms send it."""
        return f"{self.at}.{int(self.stage)}.{len(self.rounds)}"

    @property
    def task(self) -> str:
        """The present question's task."""
        return self.tasks[self.at]

    @property
    def takes_answers(self) -> bool:
        """True while pupils may answer the present question."""
        return self.stage is Shows.ASKING and not self.is_over and self.mode in (Mode.ASK, Mode.COMPUTER)


@dataclass(frozen=True, slots=True)
class Pupil:
    """A pupil's seat: its digest, its number from 0, and the name. A pupil who was shown out stays `out`."""

    seat: str
    number: int
    name: str
    out: bool


@dataclass(frozen=True, slots=True)
class ClassRoom:
    """A stored class, with its pupils and their answers by task number and seat.

    `teacher` is the digest of the teacher's secret; `key` signs the seats of its live games. `version` grows with what
    pupils see, and `news` with every change. It is deleted after the time `ends`.
    """

    code: str
    teacher: str
    key: str
    room: Room
    ends: float
    version: int
    news: int
    pupils: tuple[Pupil, ...] = ()
    answers: Mapping[int, Mapping[str, str]] = field(default_factory=dict)

    @property
    def present(self) -> tuple[Pupil, ...]:
        """The pupils who were not shown out."""
        return tuple(pupil for pupil in self.pupils if not pupil.out)

    def pupil_of(self, seat: str) -> Pupil | None:
        """Return the pupil whose seat has this digest, unless shown out."""
        return next((pupil for pupil in self.present if pupil.seat == seat), None)

    def counts(self, task: int) -> "Counter[str]":
        """Return how many pupils have given each answer to a question, the most frequent first."""
        seats = {pupil.seat for pupil in self.present}
        return Counter(answer for seat, answer in self.answers.get(task, {}).items() if seat in seats)


def read_code(text: str) -> str:
    """Return a code that somebody typed, in capitals. Raises BadOption."""
    code = "".join(text.split()).upper()
    if len(code) == CODE_LENGTH and set(code) <= set(LETTERS):
        return code
    raise BadOption(f"A code has {CODE_LENGTH} letters, such as {LETTERS[:CODE_LENGTH]}. It stands on the wall.")


def check_point(room: Room, point: str) -> None:
    """Refuse a request from another point of the lesson. Raises NotNow."""
    if point != room.point:
        raise NotNow("The class has gone on. Here's where it stands.")


def show_more(room: Room, point: str) -> Room:
    """Return the room whose wall shows more of the answers: counts, colours, reasons. A repeat changes nothing."""
    if room.point != point or room.stage is Shows.EXPLAINED or room.is_over:
        return room
    return replace(room, stage=Shows(room.stage + 1))


def go_on(room: Room, point: str) -> Room:
    """Return the room at its next question, or over after the last one. A repeat changes nothing."""
    if room.point != point:
        return room
    if room.at + 1 >= len(room.tasks):
        return replace(room, is_over=True)
    return replace(room, at=room.at + 1, stage=Shows.ASKING)


def ask_next(room: Room, tasks: Sequence[str]) -> Room:
    """Return the room at new questions, before those that are left. Raises BadOption if it has too many."""
    asked = room.tasks[: room.at + 1]
    if len(asked) >= MOST_TASKS:
        raise BadOption(f"A class has at most {MOST_TASKS} questions. Begin another one.")
    return replace(
        room,
        tasks=(*asked, *tasks, *room.tasks[len(asked) :])[:MOST_TASKS],
        at=len(asked),
        stage=Shows.ASKING,
        is_over=False,
    )


def end(room: Room) -> Room:
    """Return the room after its lesson."""
    return replace(room, is_over=True)


def play_on(room: Room, after: str, is_over: bool, until: float) -> Room:
    """Return the room after the class's move and the computer's reply, with the game's next task."""
    is_over = is_over or len(room.tasks) + 1 >= MOST_TASKS
    return replace(
        room, tasks=(*room.tasks, after), at=len(room.tasks), is_over=is_over, until=0.0 if is_over else until
    )


def pair(pupils: int, number: int) -> list[tuple[int, int]]:
    """Return the pairs of a round, from 0, of a tournament in which everyone meets everyone; X comes first.

    This is the circle method: one place is fixed, the others turn. With an odd number of pupils, one of them rests.
    """
    places = list(range(pupils + pupils % 2))
    number %= max(len(places) - 1, 1)
    turned = [places[0], *places[len(places) - number :], *places[1 : len(places) - number]]
    pairs = [(turned[at], turned[-1 - at]) for at in range(len(turned) // 2)]
    even = [(b, a) if (at or number) % 2 else (a, b) for at, (a, b) in enumerate(pairs)]
    return [players for players in even if max(players) < pupils]


def pair_anew(room: Room, numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs of the next round among these pupils, with as few as can be who have met already.

    Between rounds, pupils come and go. While nobody does, these are the rounds of `pair` in their order.
    """
    met = {frozenset((pairing.x, pairing.o)) for games in room.rounds for pairing in games}
    first = len(room.rounds)
    rounds = [pair(len(numbers), number) for number in range(first, first + len(numbers))]
    pairs = [[(numbers[x], numbers[o]) for x, o in games] for games in rounds]
    return min(pairs, key=lambda games: sum(frozenset(players) in met for players in games))


def start_round(room: Room, pairings: Sequence[ClassGame]) -> Room:
    """Return the room with another round of games. Raises BadOption after as many as a full class needs."""
    if len(room.rounds) >= SEATS:
        raise BadOption(f"A tournament has at most {SEATS} rounds: everyone has met everyone.")
    return replace(room, rounds=(*room.rounds, tuple(pairings)))


@dataclass(frozen=True, slots=True)
class Standing:
    """A pupil's row in the table of a tournament."""

    number: int
    played: int
    won: int
    drawn: int

    @property
    def points(self) -> float:
        """One for a win, a half for a draw."""
        return self.won + self.drawn / 2


def table(room: Room, results: Mapping[str, Result | None], pupils: Sequence[int]) -> list[Standing]:
    """Return the table of a tournament, the best first, from the results of its games that are over."""
    played, won, drawn = Counter[int](), Counter[int](), Counter[int]()
    for pairing in (pairing for games in room.rounds for pairing in games):
        result = results.get(pairing.game)
        if result is not None:
            both = (pairing.x, pairing.o)
            played.update(both)
            drawn.update(both if result is Result.DRAW else ())
            won.update(() if result is Result.DRAW else (pairing.x if result is Result.X else pairing.o,))
    rows = [Standing(number, played[number], won[number], drawn[number]) for number in pupils]
    return sorted(rows, key=lambda row: (-row.points, row.played, row.number))


def game_secret(key: str, number: int, game: str) -> str:
    """Return the secret of a pupil's seat in a live game of the class: 32 letters, which only the class can tell."""
    return hmac.new(key.encode(), f"{number}/{game}".encode(), sha256).hexdigest()[:32]
