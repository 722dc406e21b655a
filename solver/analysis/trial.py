"""Trials of strategies, and proofs of players from outside, such as a program or a table of moves.

A trial counts all games of a strategy against every choice of an opponent.

Each square that the strategy may play is a branch, and so is each of the opponent's moves. Many games pass through the
same position, so each position is visited only once. Symmetric positions count as one if the strategy treats them
alike.

A proof asks the player for its square in every position that can arise, and tries its answers against every line of
play.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias, TypeVar

from solver.board.game import Counts, Game
from solver.board.notation import format_moves, format_position, quoted, split_moves
from solver.board.outcome import DRAWN, bounds_by_rules
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, Rules
from solver.errors import BadNotation, NoughtsError, TooLarge
from solver.players import playing_on
from solver.players.decision import Decision, Strategy
from solver.players.match import after_in_class, results
from solver.proofs.predict import predict
from solver.proofs.tables import score_at_hand
from solver.search.budget import UNLIMITED, Budget, BudgetExhausted, Meter
from solver.search.fold import fold, itself, reached

FEASIBLE = Budget(nodes=100_000, seconds=60)
"""The budget of a trial: positions (symmetric ones count once) and processor seconds. 3×3 takes less than one."""


_images_of = lru_cache(maxsize=1 << 13)(Position.images)


@dataclass(frozen=True, slots=True)
class Ply:
    """A move of a game, and the position before it. `reason` is the strategy's, and empty for the opponent's moves."""

    position: Position
    cell: Cell
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Refutation:
    """A game that the strategy loses. `erred` is the number of the ply with the error, counted from 0.

    The error is the strategy's last move from a position in which it could still draw or win. `erred` is None if there
    is no such position, because perfect play beats every strategy with this mark.
    """

    plies: tuple[Ply, ...]
    erred: int | None

    @property
    def game(self) -> Game:
        """The plies as a game."""
        game = Game.starting(self.plies[0].position)
        for ply in self.plies:
            game = game.play(ply.cell)
        return game


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of a trial.

    `positions` is the number of positions in which the strategy had to decide. `slips` counts the positions in which it
    could win, but may play a square that gives the win away. `slip` is such a move, from a position with the fewest
    stones.
    """

    strategy: Strategy
    mark: Mark
    rules: Rules
    counts: Counts
    positions: int
    refutation: Refutation | None
    slips: int
    slip: Ply | None

    @property
    def unbeatable(self) -> bool:
        """True if no game is lost."""
        return not self.counts.lost


def trial(strategy: Strategy, mark: Mark, rules: Rules, budget: Budget = FEASIBLE) -> Trial:
    """Let a strategy play `mark` against every choice of an opponent. Raises TooLarge if the budget runs out."""
    side = Side(strategy, mark, rules)
    play = side.play(budget)
    counts, lost, slips = side.count(play), side.shortest_loss(play), side.slips(play)
    return Trial(
        strategy,
        mark,
        rules,
        counts,
        sum(map(side.images, side.own_turns(play))),
        Refutation(lost, side.last_error(lost)) if lost else None,
        sum(map(side.images, slips)),
        side.slip(slips[0]) if slips else None,
    )


def positions_met(strategy: Strategy, mark: Mark, rules: Rules, budget: Budget = FEASIBLE) -> tuple[Position, ...]:
    """Return the positions in which the strategy has to decide. Raises TooLarge.

    Of images that the strategy treats alike, return only one.
    """
    side = Side(strategy, mark, rules)
    return side.own_turns(side.play(budget))


def wins(position: Position, meter: Meter | None = None) -> bool:
    """Return whether the mover wins by perfect play, on any board that can be solved.

    If a search would exceed the meter, raises BudgetExhausted.
    """
    return _decided(position, True, meter)


def loses(position: Position, meter: Meter | None = None) -> bool:
    """Return whether the mover loses against perfect play, or has lost, on any board that can be solved.

    If a search would exceed the meter, raises BudgetExhausted.
    """
    return _decided(position, False, meter)


def _decided(position: Position, won: bool, meter: Meter | None) -> bool:
    """Return whether the mover wins, if `won`, else whether the mover loses."""
    score = bounds_by_rules(position).lower if position.result else score_at_hand(position)
    if score is not None:
        return score > DRAWN if won else score < DRAWN
    from solver.search.solver import shared_solver  # noqa: PLC0415 - it loads the kernel

    odd = won != position.rules.completing_loses  # as the plies of such games are
    plies = position.plies_left - (position.plies_left % 2 != odd)
    return plies > 0 and shared_solver(position.rules).decided(position, plies, meter or Meter(UNLIMITED))


@dataclass(frozen=True, slots=True)
class Side:
    """A strategy that plays one mark against everything.

    A position in which the strategy decides on no square is left open: no game goes on from it, and none is counted.
    """

    strategy: Strategy
    mark: Mark
    rules: Rules

    def play(self, budget: Budget) -> Mapping[Position, tuple[Position, ...]]:
        """Return all positions, ply by ply, each with its successors. Raises TooLarge.

        Of images that the strategy treats alike, return only one.
        """
        meter = Meter(budget)

        def following(position: Position) -> list[Position]:
            if meter.exhausted:
                raise TooLarge(
                    f"Not counted: as {self.mark} on {self.rules}, {self.strategy.title} meets more positions than"
                    f" there is time for; {meter.nodes:,} were visited. Boards of up to nine squares can be counted."
                )
            began = time.thread_time()
            after = [self.after(position, cell) for cell in self.moves(position)]
            meter.count(1, time.thread_time() - began)
            return after

        return reached(Position(self.rules), following)

    def own_turns(self, play: Mapping[Position, tuple[Position, ...]]) -> tuple[Position, ...]:
        """Return the positions in which the strategy has to decide, by ply."""
        return tuple(position for position, following in play.items() if following and position.mover is self.mark)

    def after(self, position: Position, cell: Cell) -> Position:
        """Return the position after a move, or the image that stands for it if the strategy treats images alike."""
        return (after_in_class if self.strategy.symmetric(self.rules) else Position.after)(position, cell)

    def images(self, position: Position) -> int:
        """Return the number of positions that this one stands for."""
        return _images_of(position) if self.strategy.symmetric(self.rules) else 1

    def moves(self, position: Position) -> tuple[Cell, ...]:
        """Return the branches of a position: the strategy's choices, or all moves of the opponent.

        Raises TooLarge if the strategy needs a proof that took too long.
        """
        if position.mover is not self.mark or not position.legal_moves:
            return position.legal_moves
        if not (self.strategy.settled or self.rules.is_small or predict(position).best):
            raise TooLarge(
                f"Not counted: {self.strategy.title} goes by what is proved, and on {self.rules} a position was not"
                " proved in time."
            )
        return tuple(sorted(self.strategy.decide(position).choices))

    def end(self, position: Position) -> Counts:
        """Return the count of one game that is over."""
        return Counts.of([position.result], self.mark)

    def ply(self, position: Position, cell: Cell) -> Ply:
        """Return a move, with the strategy's reason if the strategy made it."""
        own = position.mover is self.mark
        return Ply(position, cell, self.strategy.decide(position).reason if own else "")

    def slips(self, play: Mapping[Position, tuple[Position, ...]], meter: Meter | None = None) -> list[Position]:
        """Return the positions in which the strategy may give a win away.

        If a search would exceed the meter, raises BudgetExhausted.
        """
        return [
            position
            for position in self.own_turns(play)
            if wins(position, meter) and not all(loses(after, meter) for after in play[position])
        ]

    def slip(self, position: Position) -> Ply:
        """Return the first move in reading order that lets the win slip."""
        return next(self.ply(position, cell) for cell in self.moves(position) if not loses(position.after(cell)))

    def count(self, play: Mapping[Position, tuple[Position, ...]]) -> Counts:
        """Return the counts of all games."""

        def add(_: Position, following: Sequence[Counts]) -> Counts:
            return Counts(*map(sum, zip(*following, strict=True)))

        return fold(self.end, add, play.__getitem__, itself)(Position(self.rules))

    def shortest_loss(self, play: Mapping[Position, tuple[Position, ...]]) -> tuple[Ply, ...]:
        """Return the shortest lost game, of several the first in reading order; empty if no game is lost.

        Games need not end.
        """
        before = defaultdict[Position, list[Position]](list)
        for position, following in play.items():
            for after in following:
                before[after].append(position)
        lost = [position for position in play if position.result is Result(self.mark.other)]
        plies_to_loss = dict.fromkeys(lost, 0)
        for after in lost:  # which grow meanwhile
            for position in before[after]:
                if position not in plies_to_loss:
                    plies_to_loss[position] = plies_to_loss[after] + 1
                    lost.append(position)
        position, plies = Position(self.rules), list[Ply]()
        for left in reversed(range(plies_to_loss.get(position, 0))):
            moves = self.moves(position)
            cell = next(cell for cell in moves if plies_to_loss.get(self.after(position, cell)) == left)
            plies.append(self.ply(position, cell))
            position = position.after(cell)
        return tuple(plies)

    def last_error(self, plies: Sequence[Ply], meter: Meter | None = None) -> int | None:
        """Return the number of the ply of a lost game with the strategy's last error, None if no ply is one."""
        own = [number for number, ply in enumerate(plies) if ply.position.mover is self.mark]
        return next((number for number in reversed(own) if not loses(plies[number].position, meter)), None)


T = TypeVar("T")

MOST_ENTRIES: Final = 5478
"""The most entries of a table of moves: the positions of 3×3."""

ASKED: Final = Budget(nodes=20_000)
"""The budget of a table's proof in positions reached. 3×3 has 5,478 positions."""

JUDGED: Final = Budget(seconds=3.0)
"""The processor time of the search for the move to blame and the wins let slip, on boards without a table."""


class BotVerdict(StrEnum):
    """The result of a proof."""

    UNBEATABLE = "unbeatable"
    BEATEN = "beaten"
    UNDECIDED = "undecided"
    """No game is lost, but the budget ran out, or the player draws by chance and was only sampled."""
    BROKEN = "broken"
    """The player gave no legal answer to a position."""


class NoAnswer(Exception):
    """The player has no answer; the message says why, in a sentence. `answer` is what it said instead, if anything."""

    def __init__(self, message: str, answer: str | None = None) -> None:
        super().__init__(message)
        self.answer = answer


Answerer: TypeAlias = Callable[[Position], str]
"""A function that returns the name of the square a player takes in a position. Raises NoAnswer."""


class Problem(NamedTuple):
    """A position without a legal answer. `answer` is the player's text, None if there was none."""

    position: Position
    answer: str | None
    message: str


class Blame(NamedTuple):
    """The move that lost a game, and the squares that would have held: at least a draw with perfect play."""

    position: Position
    cell: Cell
    better: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class BotProof:
    """The verdict on a player, and all its answers in the order of asking.

    `counts` is None if not all games were played, and `slips` also if the search for them took too long. `game` is a
    shortest lost game. `blame` is None if there is no lost game, or no move of it erred. `samples` is the number of
    times that each position was asked, 0 for a player that does not draw by chance.
    """

    mark: Mark
    rules: Rules
    verdict: BotVerdict
    answers: Mapping[Position, Decision]
    samples: int
    problem: Problem | None
    counts: Counts | None
    game: Game | None
    blame: Blame | None
    slips: int | None
    slip: Ply | None

    @property
    def asked(self) -> int:
        """The number of positions that the player was asked."""
        return len(self.answers) + (self.problem is not None)

    @property
    def unbeatable(self) -> bool:
        """True if it is proved that nobody beats the player."""
        return self.verdict is BotVerdict.UNBEATABLE

    @property
    def strategy(self) -> Strategy:
        """The player as it has answered. Elsewhere its decision has no squares."""
        return _player(lambda position: self.answers.get(position, _OPEN))


def prove(answer: Answerer | Strategy, mark: Mark, rules: Rules, samples: int = 0, budget: Budget = ASKED) -> BotProof:
    """Prove that a player is unbeatable with a mark, or find a shortest game that it loses.

    Asks each position once, ply by ply and in reading order of the moves; or `samples` times, for a player that draws
    by chance. All squares that a strategy may play are tried. The budget limits the positions that are reached, and the
    seconds that the player takes for its answers.
    """
    answers: dict[Position, Decision] = {}
    side = Side(_player(lambda position: answers.get(position, _OPEN)), mark, rules)
    meter, complete, problem = Meter(replace(budget, floor=0)), True, None  # a player can take long for each position

    def following(position: Position) -> Iterable[Position]:
        nonlocal complete, problem
        if not position.legal_moves:
            return ()
        if problem is not None or meter.exhausted:
            complete = False
            return ()
        began = time.monotonic()
        try:
            if position.mover is mark:
                answers[position] = _decision(answer, position, samples)
        except NoAnswer as error:
            problem = Problem(position, error.answer, str(error))
        moves = side.moves(position)
        meter.count(len(moves), time.monotonic() - began)
        return map(position.after, moves)

    play = reached(Position(rules), following)
    complete = complete and problem is None
    counts, lost = None if rules.vanishes else side.count(play), side.shortest_loss(play)
    if problem is not None:
        verdict, lost = BotVerdict.BROKEN, ()
    elif lost:
        verdict = BotVerdict.BEATEN
    else:
        verdict = BotVerdict.UNBEATABLE if complete and not samples else BotVerdict.UNDECIDED
    judged = Meter(JUDGED)
    slips = _within(lambda: side.slips(play, judged)) if complete else None
    return BotProof(
        mark,
        rules,
        verdict,
        MappingProxyType(answers),
        samples,
        problem,
        counts if complete else None,
        Refutation(lost, None).game if lost else None,
        _within(lambda: _blame(side, lost, judged)),
        None if slips is None else len(slips),
        side.slip(slips[0]) if slips else None,
    )


def results_against(proof: BotProof) -> Mapping[str, Mapping[Result, Fraction]]:
    """Return the probability of each result against every opponent, by its title, but for those that differ in depth.

    There are none on boards without a table of all positions, or if not all games were played.
    """
    if proof.counts is None or not proof.rules.is_small:
        return {}
    own, opponents = proof.strategy, [player for player in playing_on(proof.rules) if player.depth is None]
    pairs = {other.title: (own, other) if proof.mark is Mark.X else (other, own) for other in opponents}
    return {title: results(proof.rules, *pair) for title, pair in pairs.items()}


def table(moves: Mapping[str, str], rules: Rules) -> Answerer:
    """Return the player that looks its moves up by the text of the position, as `asked_as` writes it.

    Raises TooLarge for a table with too many entries, and BadNotation if a position does not have the squares of the
    board. No other position is checked: those that no game reaches are never looked up.
    """
    if len(moves) > MOST_ENTRIES:
        raise TooLarge(f"A table has at most {MOST_ENTRIES:,} entries, and this one has {len(moves):,}.")
    known = {_squares(text): move for text, move in moves.items()}
    for text in moves:
        if rules.vanishes:
            tuple(split_moves(text.removeprefix(NO_MOVES), rules))  # raises BadNotation
        elif len(_squares(text)) != rules.size or not _SQUARES.issuperset(text):
            raise BadNotation(f"{quoted(text)} isn't a position on {rules}. Write its rows from the top down.")

    def answer(position: Position) -> str:
        move = known.get(_squares(asked_as(position)))
        if move is None:
            raise NoAnswer("The table has no move for this position.")
        return move

    return answer


NO_MOVES: Final = "-"
"""The text for the empty board where stones vanish."""

_SQUARES: Final = frozenset("XxOo.#/|")


def asked_as(position: Position) -> str:
    """Write a position for a player that is asked for its move: its rows or, where stones vanish, its moves.

    The moves are those of the stones on the board, the oldest first; `-` if there are none. The last one is the
    opponent's.
    """
    if position.rules.vanishes:
        return format_moves(position.ages, position.rules) or NO_MOVES
    return format_position(position)


def _squares(text: str) -> str:
    return text.replace("/", "").replace("|", "").upper()


_OPEN: Final = Decision(MappingProxyType({}), "")
"""The decision in a position that was not asked."""


def _player(decide: Callable[[Position], Decision]) -> Strategy:
    return Strategy("prove", "Your player", "", "", "search", decide, symmetric=lambda _: False)


def _decision(answer: Answerer | Strategy, position: Position, samples: int) -> Decision:
    """Ask for a position. Its squares get their shares of the chances in all samples. Raises NoAnswer."""
    shares: defaultdict[Cell, Fraction] = defaultdict(Fraction)
    for _ in range(max(1, samples)):
        for cell, chance in _choices(answer, position).items():
            shares[cell] += chance / max(1, samples)
    return Decision(MappingProxyType(shares), "")


def _choices(answer: Answerer | Strategy, position: Position) -> Mapping[Cell, Fraction]:
    said = None
    try:
        if isinstance(answer, Strategy):
            choices = answer.decide(position).choices
        else:
            said = answer(position)
            choices = {position.move_of(said): Fraction(1)}
        for cell in choices:
            position.play(cell)
    except NoughtsError as error:
        raise NoAnswer(str(error), said) from error
    return choices


def _within(judge: Callable[[], T]) -> T | None:
    """Return a judgement, None if it is not found in time."""
    try:
        return judge()
    except BudgetExhausted:
        return None


def _blame(side: Side, lost: tuple[Ply, ...], meter: Meter) -> Blame | None:
    """Return the last error of a lost game with the moves that hold, None if there is none."""
    error = side.last_error(lost, meter)
    if error is None:
        return None
    position, played = lost[error].position, lost[error].cell
    better = tuple(cell for cell in position.legal_moves if not wins(position.after(cell), meter))
    return Blame(position, played, better)
