"""Drills: positions with a task, each with a difficulty.

The difficulty of a drill has three parts, each from 0 to 1:

- *depth*: (d - 1) / (d + 3), where d is the number of plies to look ahead to tell the right squares from the wrong
  ones: 1 for a win at once, 2 for a block, 3 for a fork. In a drill to hold a draw, d is the length of the slowest
  refutation. In a drill that asks who wins, d is the number of plies until the game ends. Each further ply adds less.
- *wrong*: the share of the open squares that are wrong.
- *failing*: the exact probability of a wrong square, averaged over two players. One knows only the rules win and block,
  the other knows all seven rules. Where a stone can harm, such rules don't hold: it is the share of wrong squares.

A square that isn't proved right counts as wrong, and a win or a loss of at most n plies as one of n plies.

The difficulty is 1 + 99 × (0.5 × depth + 0.2 × wrong + 0.3 × failing), rounded down. It is computed in fractions, so it
is the same on every machine.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import lru_cache, partial
from hashlib import sha256
from itertools import product
from typing import Final, TypeAlias

from solver.analysis.drills.kinds import LISTED, DrillKind, kind_named
from solver.analysis.drills.known import LADDER, format_known, games_of, prediction_of, predictions, proved_prediction
from solver.analysis.review import PredictionOf
from solver.board.game import game_to, parse_game
from solver.board.names import as_rules
from solver.board.notation import (
    FROM_PATH,
    TO_PATH,
    SaidInNotebooks,
    format_moves,
    format_position,
    parse_position,
    parse_rules,
    quoted,
)
from solver.board.outcome import Outcome, Value
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell, MoveCode, Rules
from solver.errors import BadNotation, BadOption, NoSuchDrill
from solver.players.decision import following
from solver.players.handbook import SEVEN_RULES, listed
from solver.players.searching import seen_within
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction

DEPTH, WRONG, FAILING = Fraction(5, 10), Fraction(2, 10), Fraction(3, 10)
"""The weights of the parts of a difficulty."""

TRIED_BY: Final = (following(listed(("win", "block"))), following(listed(SEVEN_RULES)))
"""The opponents whose chance of a wrong square counts as *failing*."""

DAILY: Final = tuple(kind for kind in LISTED if kind is not DrillKind.EVALUATE)
"""The kinds of the daily drills, in rotation."""


@dataclass(frozen=True, slots=True)
class Drill(SaidInNotebooks):
    """A position with something to find.

    `id` is the board, the position with `_` between its rows (`~` between layers, `!` for a hole), and the kind:
    `3x3x3-X.O_.X._..O-block`. Where stones vanish, it has moves that lead to the position. Everything else follows from
    the id, so drills need no storage. An id needs no escape in an address. It ends with a letter, because programs that
    turn text into links drop a final full stop. `answers` are the right squares in reading order. In a drill that asks
    who wins, `answers` are the squares of best play. `difficulty` goes from 1 to 100.
    """

    id: str
    kind: DrillKind
    prediction: Prediction = field(compare=False, repr=False)
    answers: tuple[MoveCode, ...]
    difficulty: int

    def __str__(self) -> str:
        return f"{self.position}\n{self.task}"

    @property
    def position(self) -> Position:
        """The position, for whose mover there is something to find."""
        return self.prediction.position

    @property
    def outcome(self) -> Outcome:
        """The position's value for its mover."""
        return self.prediction.outcome

    @property
    def title(self) -> str:
        """The kind in a few words, such as "Win in 3"."""
        return self.kind.title_in(self.outcome)

    @property
    def task(self) -> str:
        """The task as a sentence, such as "You're X: block O's line."."""
        position = self.position
        return f"You're {position.rules.player(position.mover)}: {self.kind.task_in(position, self.outcome)}."


def drill_for(kind: DrillKind, here: Prediction) -> Drill | None:
    """Return a position's drill of this kind, or None if the position has no such drill."""
    if kind.why_not(here):
        return None
    answers = kind.answers(here)
    difficulty = difficulty_of(here, answers, outcome_asked=kind is DrillKind.EVALUATE)
    return Drill(_id_of(kind, here.position), kind, here, answers, difficulty)


def _id_of(kind: DrillKind, position: Position) -> str:
    rules, stones = position.rules, format_position(position).translate(TO_PATH)
    return f"{rules}-{format_moves(game_to(position).moves, rules) if rules.vanishes else stones}-{kind}"


def drill_of(id: str, predict: PredictionOf = predict) -> Drill:  # noqa: A002 - the name that is used everywhere
    """Return the drill with this id. `predict` proves the position before somebody's own mistake, as far as it can.

    Raises BadRules, BadNotation, IllegalMove, ImpossiblePosition or NoSuchDrill.
    """
    name = max((kind for kind in DrillKind if id.strip().endswith(f"-{kind}")), key=len, default=None)
    if name is None:
        raise BadNotation(
            f"{quoted(id, 80)} isn't a drill. Write its board, its position and its kind, such as"
            f" 3x3x3-X.O_.X._..O-block; the kinds are {', '.join(DrillKind)}."
        )
    kind, (board, _, stones) = name, id.strip().removesuffix(f"-{name}").rpartition("-")
    rules, rows = parse_rules(board), stones.translate(FROM_PATH)
    position = parse_game(rules, None, stones).last if rules.vanishes else parse_position(rows, rules)
    here = predict(position) if kind is DrillKind.KEEP else prediction_of(position)
    drill = drill_for(kind, here)
    if drill is None:
        raise NoSuchDrill(f"{format_position(position)} isn't a drill of the kind {kind}. {kind.why_not(here)}")
    return drill


def keeping_drill(prediction: Prediction) -> Drill | None:
    """Return the drill to keep the win or the draw of a position; None if it has none, or too little is proved."""
    return drill_for(DrillKind.KEEP, prediction)


def drills(
    board: Rules | str = TIC_TAC_TOE,
    kind: DrillKind | str | None = None,
    seed: int | str | None = None,
    count: int | None = None,
) -> tuple[Drill, ...]:
    """Return the drills of a board, of one kind or of all kinds.

    The board and the kind can be texts, such as "4x3x3" and "only-move".

    Without a seed they go from easy to hard. With a seed they are shuffled, always in the same way, and the kinds
    alternate until they run out. If `count` is given, return only the first ones. On a board that is not among `BOARDS`
    they are made of positions of a few games, which takes a search. Raises NoSuchDrill for a game in which a stone may
    harm, BadRules, and BadOption for a kind that isn't one or a count less than 1.

    >>> for drill in drills("3x3x3", "block", seed=1, count=1):
    ...     print(drill)
    .XX
    X.O
    O..
    You're O: block X's line.
    """
    rules, kind = as_rules(board), None if kind is None else kind_named(kind)
    if count is not None and count < 1:
        raise BadOption(f"Ask for 1 drill or more, not {count}.")
    return (_of_kind(rules, kind) if seed is None else _shuffle_kind(rules, kind, str(seed)))[:count]


def daily(day: date) -> Drill:
    """Return the drill of a day, which asks for a square. Kinds and boards take turns, and so do the drills of each."""
    number = day.toordinal()
    kind, turn = DAILY[number % len(DAILY)], number // len(DAILY)
    choice = drills(LADDER[(number + turn) % len(LADDER)], kind, seed="daily")
    return choice[turn // len(LADDER) % len(choice)]


@lru_cache(maxsize=512)
def _of_kind(rules: Rules, kind: DrillKind | None) -> tuple[Drill, ...]:
    """Return the drills of a kind, or of all kinds if it is None, from easy to hard."""
    if kind is None:
        every = [drill for one in LISTED for drill in _of_kind(rules, one)]
    else:
        every = [drill for here in predictions(rules) if (drill := drill_for(kind, here))]
    return tuple(sorted(every, key=lambda drill: (drill.difficulty, drill.id)))


@lru_cache(maxsize=64)
def _shuffle_kind(rules: Rules, kind: DrillKind | None, seed: str) -> tuple[Drill, ...]:
    return shuffle(_of_kind(rules, kind), seed)


def shuffle(drills: Collection[Drill], seed: str) -> tuple[Drill, ...]:
    """Shuffle drills, always in the same way for a seed; the kinds alternate until they run out."""
    return tuple(in_rounds(drills, lambda drill: drill.kind, f"{seed}/"))


def in_rounds(drills: Collection[Drill], group: Callable[[Drill], object], seed: str = "") -> list[Drill]:
    """Shuffle drills by digests, then put the first of each group before the second of each, and so on."""
    place = {drill.id: sha256(f"{seed}{drill.id}".encode(errors="surrogateescape")).digest() for drill in drills}
    rounds: dict[str, int] = {}
    met: Counter[object] = Counter()
    for drill in sorted(drills, key=lambda drill: place[drill.id]):
        rounds[drill.id] = met[group(drill)]
        met[group(drill)] += 1
    return sorted(drills, key=lambda drill: (rounds[drill.id], place[drill.id]))


def difficulty_of(prediction: Prediction, right: Collection[Cell], *, outcome_asked: bool = False) -> int:
    """Return the difficulty of finding one of the `right` squares, or of telling the outcome, from 1 to 100."""
    depth = prediction.outcome.plies if outcome_asked else look_ahead(prediction, right)
    wrong, rules = 1 - Fraction(len(right), len(prediction.squares)), prediction.position.rules
    return weigh(depth or 1, wrong, failing(prediction.position, right) if rules.stones_never_harm else wrong)


def weigh(depth: int, wrong: Fraction, failing: Fraction) -> int:
    """Return the difficulty from its parts."""
    return 1 + int(99 * (DEPTH * Fraction(depth - 1, depth + 3) + WRONG * wrong + FAILING * failing))


def look_ahead(prediction: Prediction, right: Collection[Cell]) -> int:
    """Return the fewest plies to look ahead, the mover's own included, to tell the right squares from the wrong ones.

    A square that is not decided within these plies looks like a draw. If all squares are right, return 0.
    """
    squares = {
        cell: outcome if outcome.is_exact else Outcome(outcome.value, outcome.at_most)
        for cell, outcome in prediction.squares.items()
        if outcome.value is not Value.UNKNOWN
    }
    good = [outcome for cell, outcome in squares.items() if cell in right]
    bad = [outcome for cell, outcome in squares.items() if cell not in right]
    if not bad:
        return 0
    depths = sorted({outcome.plies or 0 for outcome in squares.values()})
    seen = ((depth, partial(seen_within, depth)) for depth in depths)
    return next(depth for depth, score in seen if min(map(score, good)) > max(map(score, bad)))


def failing(position: Position, right: Collection[Cell]) -> Fraction:
    """Return the probability that an opponent plays none of these squares, averaged over `TRIED_BY`."""
    chances = [chance for choices in _decisions_on(position) for cell, chance in choices.items() if cell not in right]
    return sum(chances, Fraction(0)) / len(TRIED_BY)


@lru_cache(maxsize=1 << 10)
def _decisions_on(position: Position) -> tuple[Mapping[Cell, Fraction], ...]:
    """Return each opponent's squares with their probabilities. Cached, since a position may make several drills."""
    return tuple(decide(position).choices for decide in TRIED_BY)


ROUNDS: Final = 200
"""The most games of each pair."""

ENOUGH: Final = 60
"""The number of drills at which the games end. Each kind needs this many for each side."""

EACH: Final = 25
"""The number of drills that are chosen from each group."""

DrillGroup: TypeAlias = tuple[DrillKind, Mark, Value | None]
"""A kind of drill, the side to move, and the answer if the drill asks who wins. Drills of every group are chosen."""


def lines_of_file(rules: Rules) -> Iterator[str]:
    """Yield the lines of a board's file of positions: those of games that make a spread of good drills.

    Raises BadOption for a board whose positions are all known.
    """
    if rules.is_small:
        raise BadOption(f"Every position of {rules} is looked up, so there is nothing to search for.")
    groups = groups_of(rules)
    chosen = {
        drill.position for group in groups.values() for drill in in_rounds(group, lambda drill: drill.difficulty)[:EACH]
    }
    yield f"# Made by: noughts drills {rules} --make {rules}.txt"
    yield "# A position, and the outcomes of its open squares in reading order. Read by drills/known.py."
    yield from sorted(format_known(prediction) for prediction in filter(None, map(proved_prediction, chosen)))


def groups_of(rules: Rules) -> dict[DrillGroup, list[Drill]]:
    """Play the games and return the drills of their positions, by group."""
    groups: dict[DrillGroup, list[Drill]] = defaultdict(list)
    seen: set[Position] = set()
    for games in games_of(rules, ROUNDS):
        new = dict.fromkeys(position for game in games for position in game)
        for prediction in filter(None, map(proved_prediction, (position for position in new if position not in seen))):
            for drill in filter(None, (drill_for(kind, prediction) for kind in LISTED)):
                asked = drill.outcome.value if drill.kind is DrillKind.EVALUATE else None
                groups[drill.kind, drill.position.mover, asked].append(drill)
        seen |= new.keys()
        sought = product(set(LISTED) - {DrillKind.EVALUATE}, Mark)
        if all(len(groups[kind, mark, None]) >= ENOUGH for kind, mark in sought):
            break
    return groups
