"""The positions that drills are made of, with the outcomes of their squares.

Any position whose squares are quickly proved makes drills, in any game in which a stone never harms. In other games
only people's own mistakes do. Lists of drills are made of

- all unfinished positions, one of each symmetry class, on those of the chosen boards that have up to nine squares;
- shipped positions on the other chosen boards, which `lines_of_file` in `drill.py` found in games. Each has a text file
  with a position in each line, followed by the outcomes of its open squares in reading order: `D` is a draw, `W5` a win
  in five plies and `L4` a loss in four;
- a sample of positions of a few games on any other board.

The games are played by rule-based opponents with fixed seeds, so the positions look like those of people's games, and
nothing depends on the machine.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Final

from solver.board.families import ANIMALS, Surface
from solver.board.notation import format_outcomes, format_position, parse_outcomes, parse_position, parse_rules
from solver.board.position import Position
from solver.board.rules import Rules, rules_of
from solver.errors import NoSuchDrill
from solver.players.handbook import RULEBOOK, SEVEN_RULES, player_of
from solver.players.match import play_game
from solver.proofs.predict import IN_PASSING, look_up_in_table, predict
from solver.proofs.prediction import Prediction
from solver.proofs.study import Study
from solver.search.budget import Budget, Meter
from solver.search.exact import narrowing
from solver.search.solver import Solver
from solver.search.tablebase import unfinished

DATA: Final = Path(__file__).parent / "data"
"""The folder of the shipped positions."""

LADDER: Final = tuple(map(parse_rules, ("3x3x3", "4x4x4", "5x4x4", "5x5x4", "6x5x4", "6x6x5")))
"""The boards of the ladder and of the daily drills, small ones first."""

BOARDS: Final = (
    *LADDER,
    *(rules_of(3, 3, 3, surface) for surface in Surface if surface is not Surface.FLAT),
    *(rules_of(3, 3, ANIMALS[name].squares, shape=ANIMALS[name]) for name in ("el", "elly", "tippy", "knobby")),
    *map(parse_rules, ("4x4x4-torus", "4x4x4-klein", "5x5-tippy", "3x3x3x3")),
)
"""The chosen boards, which have the most drills. On those that are not on the ladder, edges meet, an animal wins or
lines run through layers."""


def having_drills(rules: Rules) -> Rules:
    """Return the rules of a game that has drills. Raises NoSuchDrill for a game in which a stone may harm."""
    if rules.stones_never_harm:
        return rules
    raise NoSuchDrill(
        f"There are no drills on {rules}: they are for games in which each player has a mark, which stays where it is"
        " placed, and whoever completes a line wins. Choose another, such as 3x3x3."
    )


def listed_board(rules: Rules) -> Rules:
    """Return the game whose lists of drills go with a game: itself, or tic-tac-toe where a stone may harm."""
    return rules if rules.stones_never_harm else LADDER[0]


@lru_cache(maxsize=64)
def predictions(rules: Rules) -> tuple[Prediction, ...]:
    """Return the canonical positions that make a board's drills, with the outcomes of their squares.

    Raises NoSuchDrill for a game in which a stone may harm.
    """
    if having_drills(rules) not in BOARDS:
        return tuple(sample(rules))
    if rules.is_small:
        return tuple(map(predict, dict.fromkeys(position.canonical() for position in unfinished(rules))))
    return tuple(_read_shipped(rules).values())


def prediction_of(position: Position) -> Prediction:
    """Return the outcomes of a canonical position's squares. Raises NoSuchDrill if they are not quickly proved."""
    rules = having_drills(position.rules)
    canonical = position.canonical()
    if canonical != position:
        raise NoSuchDrill(
            f"Positions that can be turned or mirrored into each other share one drill: {format_position(canonical)}"
            f" stands for {format_position(position)}."
        )
    if rules.is_small:
        return predict(position)
    prediction = (_read_shipped(rules).get(position) if rules in BOARDS else None) or _prove(position)
    if prediction is None:
        raise NoSuchDrill(
            f"{format_position(position)} makes no drill: its squares are not quickly proved. Try a later position."
        )
    return prediction


def format_known(prediction: Prediction) -> str:
    """Return a position with its outcomes as a line of a file."""
    return f"{format_position(prediction.position)} {format_outcomes(prediction.squares.values())}"


def parse_known(lines: Iterable[str], rules: Rules) -> Iterator[Prediction]:
    """Parse the lines of a file that `format_known` wrote; skip lines that begin with #."""
    for line in lines:
        if not line.startswith("#"):
            text, outcomes = line.split()
            position = parse_position(text, rules)
            proved = parse_outcomes(outcomes, position.plies_left)
            squares = dict(zip(position.legal_moves, proved, strict=True))
            yield Prediction(position, MappingProxyType(squares), 0)


@cache
def _read_shipped(rules: Rules) -> Mapping[Position, Prediction]:
    with (DATA / f"{rules}.txt").open(encoding="ascii") as lines:
        return {prediction.position: prediction for prediction in parse_known(lines, rules)}


@lru_cache(maxsize=1 << 10)
def _prove(position: Position) -> Prediction | None:
    if position.result is not None:
        return predict(position)
    return look_up_in_table(position, IN_PASSING) or proved_prediction(position)


PLAYERS: Final[tuple[tuple[str, ...], ...]] = ((), ("win", "block"), SEVEN_RULES, RULEBOOK)
"""The lists of rules that the players follow. Each list plays against every list, itself included."""

SEED: Final = "drills"

PROOF: Final = Budget(nodes=4_000)
"""The budget for proving a position's squares. A position that exceeds it gets no drill."""

DRILL_ENTRIES: Final = 1 << 14
"""The number of positions that the search remembers while it proves a position's squares."""

SAMPLE: Final = 60
"""The number of positions at which a sample ends."""

SAMPLE_ROUNDS: Final = 4
"""The most rounds of games that a sample is taken from."""

LAST: Final = 8
"""The most positions that a sample takes from a game."""


def games_of(rules: Rules, rounds: int) -> Iterator[list[list[Position]]]:
    """Yield rounds of games, one for each pair of players: their unfinished positions, turned to be canonical."""
    players = [player_of(names).remembering() for names in PLAYERS]
    for number in range(rounds):
        games = [play_game(rules, x, o, SEED, number) for x, o in product(players, players)]
        yield [[position.canonical() for position in game.positions[:-1]] for game in games]


def sample(rules: Rules) -> Iterator[Prediction]:
    """Yield about `SAMPLE` positions with the outcomes of all their squares, each position once.

    Each game is followed back from its end, where proofs are short, until a proof exceeds its budget. That makes at
    most one such proof a game, and so bounds the cost.
    """
    seen: set[Position] = set()
    for games in games_of(rules, SAMPLE_ROUNDS):
        for game in games:
            for position in reversed(game[-LAST:]):
                if position not in seen:
                    seen.add(position)
                    prediction = proved_prediction(position)
                    if prediction is None:
                        break
                    yield prediction
        if len(seen) >= SAMPLE:
            return


def proved_prediction(position: Position) -> Prediction | None:
    """Return the outcomes of all open squares, or None if the proof exceeds its budget."""
    study = Study(position)
    study.learn(dict(narrowing(Solver(position.rules, max_entries=DRILL_ENTRIES), study.bounds, Meter(PROOF))))
    return study.prediction() if study.complete else None
