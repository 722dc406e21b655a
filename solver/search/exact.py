"""Exact scores on any board, as far as a budget of nodes or seconds reaches.

For odd n, a position is decided in n plies if its mover can force a line within n plies. For even n, it is decided if
the opponent can. The search asks whether the position is decided, with n growing: the first yes gives the score and its
distance. If the answer is no for all n, the position is a draw. Questions about few plies come first: they are cheap,
and on many boards they settle the score.

Where completing a line loses, even n are about wins and odd n about losses.

Every answer narrows the bounds of the score, and the bounds determine the next question. So a proof can stop after any
answer, and another process can go on with it later. If the positions come from different moves in the same position, a
question is first asked about all of them together: see `Siblings`.

`narrowing_together` has several threads, each with a solver of its own. The compiled kernel releases the interpreter,
so the threads run in parallel. All share one transposition table.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import reduce
from itertools import count
from math import inf
from operator import and_
from queue import SimpleQueue
from threading import Lock
from typing import TypeAlias

from solver.board.outcome import DRAWN, WIN, Bounds, Score, bounds_by_rules, to_child
from solver.board.position import Position
from solver.board.rules import LONGEST, Bits, Cell, Rules
from solver.kernel.potential import danger
from solver.search import vanishing
from solver.search.budget import UNLIMITED, Budget, BudgetExhausted, Meter
from solver.search.plain import FallingSearch
from solver.search.solver import ALL, MAX_ENTRIES, Attack, Solver, Techniques, best_move

SHORT = 11
"""The most plies of a short question. Every position gets all short questions before any long one."""

CROWDED = 1.75
"""The lines per cell from which a board counts as crowded: nearly every position on it has a winner.

7x7x4 has 1.8 lines per cell, 6x6x4 has 1.5.

On crowded boards the question about a draw comes last, because it is hard. A win one ply later is soon found or
excluded.
"""

FIRST_SHARE = 30_000
"""The nodes that each position gets in the first round of long questions."""

FIRST_SHARE_FALLING = 200_000
"""The same where the kernel's search for falling stones answers, whose nodes are cheap."""

GROWTH = 4
"""The factor by which each further round allows more nodes."""

NONE = -1
"""The plies of no question: the score is known, or the search cannot find it."""

Answers: TypeAlias = Generator[tuple[Position, Bounds], None, None]
"""A generator of positions with narrower bounds, in the order found. The caller can stop it at any time."""

Narrowing: TypeAlias = Callable[[Mapping[Position, Bounds], Meter], Answers]
"""A search that narrows the bounds of positions as far as a meter reaches."""


@dataclass(frozen=True, slots=True)
class Proofs:
    """Bounds of the scores of moves, for the player who makes them, and the nodes searched."""

    bounds: Mapping[Cell, Bounds]
    nodes: int

    @property
    def scores(self) -> dict[Cell, Score]:
        """The exact scores, by move."""
        return {cell: bounds.score for cell, bounds in self.bounds.items() if bounds.score is not None}


@dataclass(frozen=True, slots=True)
class ProvedScore:
    """Bounds of a position's score for its mover, and the nodes searched."""

    bounds: Bounds
    nodes: int

    @property
    def score(self) -> Score | None:
        """The exact score; None if the budget ran out first."""
        return self.bounds.score


def prove_score(
    position: Position, budget: Budget = UNLIMITED, techniques: Techniques = ALL, max_entries: int = MAX_ENTRIES
) -> ProvedScore:
    """Prove the score of a position with a new solver."""
    meter = Meter(budget)
    return ProvedScore(narrow(Solver(position.rules, techniques, max_entries), position, meter), meter.nodes)


def narrow(solver: Solver, position: Position, meter: Meter) -> Bounds:
    """Return the bounds of a position's score, as narrow as the meter allows."""
    known = {position: at_first(position)}
    known |= narrowing(solver, known, meter)
    return known[position]


def prove_moves(
    position: Position, moves: Iterable[Cell], budget: Budget = UNLIMITED, techniques: Techniques = ALL
) -> Proofs:
    """Prove the scores of moves with a new solver."""
    reached = {cell: position.after(cell) for cell in moves}
    bounds = {after: at_first(after) for after in reached.values()}
    solver, meter = Solver(position.rules, techniques), Meter(budget)
    bounds |= narrowing(solver, bounds, meter)
    return Proofs({cell: bounds[after].to_parent() for cell, after in reached.items()}, meter.nodes)


def at_first(position: Position) -> Bounds:
    """Return the bounds of a position's score before any search."""
    rules = position.rules
    if rules.vanishes and rules.is_small:
        return Bounds(score := vanishing.look_up(position), score)
    if rules.stones_never_harm and position.empty == rules.full:
        return Bounds(lower=DRAWN)  # An extra stone never harms, so the first player could steal a winning strategy.
    return bounds_by_rules(position)


@dataclass(frozen=True, slots=True)
class Siblings:
    """The positions after different moves from the same position.

    One search can answer a question with no for all of them. For a question about a win of the player to move, the
    search leaves the last stone out. An extra stone never harms its owner, so if there is no win without that stone,
    there is none with it. For a question about a loss, the search starts one move earlier, with the other player to
    move. If that player cannot force a line from there, none of its moves forces one.
    """

    mover: Bits
    other: Bits
    """The stones of the player who moved last, without the last one."""

    @classmethod
    def of(cls, positions: Iterable[Position]) -> "Siblings | None":
        """Return the siblings. None if they are fewer than two, or not siblings, or if an extra stone can harm."""
        known = list(positions)
        if len(known) < 2 or not known[0].rules.stones_never_harm:
            return None
        mover, other = known[0].own, reduce(and_, (position.other for position in known))
        alike = all(position.own == mover and (position.other ^ other).bit_count() == 1 for position in known)
        return cls(mover, other) if alike else None

    def decided(self, solver: Solver, plies: int, meter: Meter, helper: int = 0) -> bool:
        """Return False if no position is decided within `plies` plies. True means that some positions may be."""
        within = Attack(self.mover, self.other, plies) if plies % 2 else Attack(self.other, self.mover, plies + 1)
        return solver.succeeds(within, meter, helper)


def narrowing_siblings(solver: Solver, known: Mapping[Position, Bounds], meter: Meter, won: bool) -> Answers:
    """Narrow the bounds of siblings by asking about all of them at once.

    The questions are about wins if `won`, else about losses. The search ends at the first yes, when the meter runs out,
    or when fewer than two siblings are open.
    """
    siblings, bounds = Siblings.of(known), dict(known)

    def within(position: Position) -> int | None:
        """Return the plies of the next question about a position, None if no question is left."""
        limits = bounds[position]
        if limits.closed or limits.lower > DRAWN or limits.upper < DRAWN:
            return None
        return _win_within(limits) if won else _loss_within(limits)

    while siblings:
        asked = {position: within(position) for position in bounds}
        waiting = {position: plies for position, plies in asked.items() if plies is not None}
        if len(waiting) < 2:
            return
        least, plies_left = min(waiting.values()), next(iter(waiting)).plies_left
        plies = least if least <= SHORT else plies_left - (plies_left % 2 != won)
        try:
            if siblings.decided(solver, plies, meter):
                return
        except BudgetExhausted:
            return
        for position in waiting:
            bounds[position] = after_answer(bounds[position], plies, False, plies_left)
            yield position, bounds[position]


def narrowing(solver: Solver, known: Mapping[Position, Bounds], meter: Meter, helper: int = 0) -> Answers:
    """Narrow the bounds of all these positions: ask the short questions first, then the long ones in turns.

    The search ends when all bounds are exact or the meter has run out. A later search can go on from the answers so
    far. For `helper` see `Solver.succeeds`.
    """
    questions = _Questions(solver, known, meter, helper)
    try:
        for plies in range(questions.short + 1):
            questions.ask_of_all(plies, FIRST_SHARE)
            for place in questions.places:
                if questions.following[place] == plies:
                    yield from questions.tell()
                    yield questions.ask(place, plies, meter)
        yield from questions.tell()
        share = FIRST_SHARE_FALLING if questions.falling else FIRST_SHARE
        while waiting := questions.waiting():
            asked_of_all: set[int] = set()
            while later := {questions.following[place] for place in waiting} - asked_of_all - {NONE}:
                asked_of_all.add(min(later))
                questions.ask_of_all(min(later), share)
                yield from questions.tell()
            for place in waiting:
                part = meter.part(share)
                try:
                    while (plies := questions.following[place]) != NONE:
                        yield questions.ask(place, plies, part)
                except BudgetExhausted:
                    if meter.exhausted:
                        raise
            share *= GROWTH
    except BudgetExhausted:
        yield from questions.tell()


def narrowing_score(
    search: Narrowing, solver: Solver, position: Position, known: Mapping[Position, Bounds], meter: Meter
) -> Answers:
    """Narrow the bounds of a position's moves until they prove its score: no move exceeds it, and one reaches it."""
    moves = [bounds.to_parent() for bounds in known.values()]
    least = max(bounds.lower for bounds in moves)
    limits = at_first(position).narrowed(Bounds(least, max(bounds.upper for bounds in moves)))
    for _, narrower in search({position: limits}, meter):
        limits = narrower
        yield from [(after, bounds.narrowed(Bounds(lower=limits.to_child().lower))) for after, bounds in known.items()]
    if limits.score is not None and limits.score > least:
        with suppress(BudgetExhausted):
            score, best = to_child(limits.score), best_move(solver.decided, position, limits.score, meter)
            first = next(orbit[0] for orbit in position.orbits() if best in orbit)
            yield position.after(first), Bounds(score, score)


class _Questions:
    """The questions about positions, which are known by their places, and the bounds that the answers have proved.

    Answers in common are told later than others, since the next such answer may replace them.
    """

    def __init__(self, solver: Solver, known: Mapping[Position, Bounds], meter: Meter, helper: int) -> None:
        self._solver, self._meter, self._helper = solver, meter, helper
        rules, self.falling = solver.rules, isinstance(solver.plain, FallingSearch)
        ply_by_ply = solver.plain is not None and not self.falling
        self.short = LONGEST if ply_by_ply else SHORT
        self._one_by_one = LONGEST if ply_by_ply or is_crowded(rules) else SHORT
        self._siblings = Siblings.of(known)
        self._in_common = {0, 1} if self._siblings else set()
        self._positions = tuple(known)
        self._loses, self._endless = rules.completing_loses, rules.endless
        self._bounds = [at_first(position).narrowed(known[position]) for position in self._positions]
        self._left = [position.plies_left for position in self._positions]
        self._untold: dict[int, None] = {}
        self.places = range(len(self._positions))
        self.following = [self._next(place) for place in self.places]
        """The plies of the next question about each position, or NONE."""

    def waiting(self) -> list[int]:
        """Return the places of the positions about which there is a question."""
        return [place for place in self.places if self.following[place] != NONE]

    def ask(self, place: int, plies: int, share: Meter) -> tuple[Position, Bounds]:
        """Ask a question about one position, and return the position with narrower bounds. Raises BudgetExhausted."""
        position = self._positions[place]
        self._answer(place, plies, self._solver.decided(position, plies, share, self._helper))
        return position, self._bounds[place]

    def ask_of_all(self, plies: int, share: int) -> None:
        """Ask one question about all positions that have it next, with the sum of their shares.

        Questions are about wins or about losses. After one yes to a question about wins, skip all further questions
        about wins, because the answer is probably yes again. The same goes for losses. Raises BudgetExhausted.
        """
        asked = [place for place in self.places if self.following[place] == plies]
        if self._siblings is None or len(asked) < 2 or plies % 2 not in self._in_common:
            return
        try:
            yes = self._siblings.decided(self._solver, plies, self._meter.part(share * len(asked)), self._helper)
        except BudgetExhausted:
            if self._meter.exhausted:
                raise
            return
        if yes:
            self._in_common.remove(plies % 2)
            return
        for place in asked:
            self._answer(place, plies, yes)
        self._untold.update(dict.fromkeys(asked))

    def tell(self) -> Answers:
        """Yield the positions with answers in common, with their narrower bounds."""
        for place in self._untold:
            yield self._positions[place], self._bounds[place]
        self._untold.clear()

    def _answer(self, place: int, plies: int, yes: bool) -> None:
        last = inf if self._endless else self._left[place]
        self._bounds[place] = after_answer(self._bounds[place], plies, yes, last, self._loses)
        self.following[place] = self._next(place)

    def _next(self, place: int) -> int:
        bounds, left = self._bounds[place], self._left[place]
        if self.falling:
            plies = falling_question(bounds, left)
        else:
            plies = question(bounds, left, self._one_by_one, self._loses)
        return NONE if plies is None or plies > left else plies


def is_crowded(rules: Rules) -> bool:
    """Return whether the board has enough lines that nearly every position has a winner."""
    return len(rules.lines) >= CROWDED * rules.size


def question(bounds: Bounds, plies_left: int, one_by_one: int = SHORT, loses: bool = False) -> int | None:
    """Return n for the next question "is it decided within n plies?". Return None if the score is known.

    Odd n are about wins and even n about losses; where completing a line `loses`, it is the other way round. Up to
    `one_by_one`, n grows ply by ply; then it is as large as possible.
    """
    if bounds.closed:
        return None
    win, loss = _win_within(bounds, loses), _loss_within(bounds, loses)
    short = min(plies for plies in (win, loss) if plies is not None)
    decided = bounds.lower > DRAWN or bounds.upper < DRAWN
    if decided or short <= one_by_one:
        return short
    return next(plies for plies in (plies_left, plies_left - 1) if (win if plies % 2 else loss) is not None)


def falling_question(bounds: Bounds, plies_left: int) -> int | None:
    """Return the next question where stones fall: a short one, any win, any loss, or one that halves what is left."""
    short = question(bounds, plies_left)
    if short is None or short <= SHORT:
        return short
    if bounds.lower > DRAWN or bounds.upper < DRAWN:
        return short + (bounds.upper - bounds.lower) // 4 * 2
    return plies_left - ((plies_left % 2 == 0) == (bounds.upper > DRAWN))


def _win_within(bounds: Bounds, loses: bool = False) -> int | None:
    """Return the fewest plies in which a win is still possible, or None."""
    plies = WIN - bounds.upper
    return plies + (plies % 2 == loses) if bounds.upper > DRAWN else None


def _loss_within(bounds: Bounds, loses: bool = False) -> int | None:
    """Return the fewest plies in which a loss is still possible, or None."""
    return max(2 - loses, WIN + bounds.lower) if bounds.lower < DRAWN else None


def after_answer(bounds: Bounds, plies: int, yes: bool, plies_left: float, loses: bool = False) -> Bounds:
    """Return the bounds after the answer to the question "is it decided within `plies` plies?"."""
    later = plies + 2 <= plies_left
    if plies % 2 != loses:
        proved = Bounds(lower=WIN - plies) if yes else Bounds(upper=WIN - plies - 2 if later else DRAWN)
    else:
        proved = Bounds(upper=plies - WIN) if yes else Bounds(lower=plies + 2 - WIN if later else DRAWN)
    return bounds.narrowed(proved)


ALONE = 3_000
"""Nodes that one thread searches before the others start. Most positions need no more."""


def narrowing_together(solvers: Sequence[Solver], known: Mapping[Position, Bounds], meter: Meter) -> Answers:
    """Narrow the bounds of all these positions, as `narrowing` does, with one thread for each solver.

    If the nodes are limited, a single thread searches, so that the result is reproducible.
    """
    if len(solvers) == 1 or meter.nodes_left < inf:
        yield from narrowing(solvers[0], known, meter)
        return
    bounds = {position: at_first(position).narrowed(limits) for position, limits in known.items()}
    for position, narrower in narrowing(solvers[0], bounds, meter.part(ALONE)):
        bounds[position] = narrower
        yield position, narrower
    # Positions of similar danger lead to many of the same positions, so threads that search them at once share work.
    waiting = sorted((position for position, limits in bounds.items() if not limits.closed), key=danger)
    if waiting and not meter.exhausted:
        yield from _Turns({position: bounds[position] for position in waiting}, meter.part(inf)).answers(solvers)


@dataclass(slots=True, eq=False)
class _Turn:
    """A position whose score is open, or siblings that are asked about together.

    `share` is the number of nodes for the next turn. `parts` holds the meter of each current searcher by its number.
    """

    positions: tuple[Position, ...]
    share: int
    won: bool | None = None
    """True for siblings that are asked about wins, False for losses, None for a position by itself."""
    parts: dict[int, Meter] = field(default_factory=dict)


class _Turns:
    """The queue of open positions. A searcher takes the first one; if none waits, it helps another searcher."""

    def __init__(self, bounds: dict[Position, Bounds], meter: Meter) -> None:
        self._bounds = bounds
        self._alone = {position: _Turn((position,), FIRST_SHARE) for position in bounds}
        self._waiting = list(self._alone.values())
        positions = tuple(bounds)
        rules = positions[0].rules
        if Siblings.of(positions) and not is_crowded(rules):
            self._waiting[:0] = (_Turn(positions, FIRST_SHARE * len(positions), won) for won in (True, False))
        self._taken: list[_Turn] = []
        self._meter = meter
        self._lock = Lock()
        self._answers: SimpleQueue[tuple[Position, Bounds] | None] = SimpleQueue()

    def answers(self, solvers: Sequence[Solver]) -> Answers:
        """Start a thread for each solver and yield the answers as they come."""
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - small boards need no threads

        with ThreadPoolExecutor(len(solvers)) as executor:
            threads = [executor.submit(self._work, solver) for solver in solvers]
            try:
                for _ in threads:
                    yield from iter(self._answers.get, None)
            finally:
                self._meter.cancel()
        for thread in threads:
            thread.result()

    def _work(self, solver: Solver) -> None:
        """Take turns until none is left, then put None into the queue of answers. This is the work of each thread."""
        try:
            while (taken := self._take()) is not None:
                turn, searcher = taken
                try:
                    for position, bounds in self._search(solver, turn, searcher):
                        self._answer(position, bounds, turn.parts[searcher])
                finally:
                    self._give_back(turn, searcher)
        finally:
            self._answers.put(None)

    def _search(self, solver: Solver, turn: _Turn, searcher: int) -> Answers:
        known, part = {position: self._bounds[position] for position in turn.positions}, turn.parts[searcher]
        if turn.won is None:
            return narrowing(solver, known, part, searcher)
        return narrowing_siblings(solver, known, part, turn.won)

    def _is_open(self, turn: _Turn) -> bool:
        """Return whether a turn has a position whose score is open."""
        return any(not self._bounds[position].closed for position in turn.positions)

    def _take(self) -> tuple[_Turn, int] | None:
        """Return a turn and the number of its new searcher; None if the work is done.

        The turn is the first that waits, or else the one with the fewest searchers.
        """
        with self._lock:
            self._waiting = [turn for turn in self._waiting if self._is_open(turn)]
            helped = [turn for turn in self._taken if turn.won is None and self._is_open(turn)]
            if self._meter.exhausted or not (self._waiting or helped):
                return None
            if self._waiting:
                turn = self._waiting.pop(0)
                self._taken.append(turn)
            else:
                turn = min(helped, key=lambda turn: len(turn.parts))
            searcher = next(number for number in count() if number not in turn.parts)
            turn.parts[searcher] = self._meter.part(turn.share if searcher == 0 else inf)
            return turn, searcher

    def _answer(self, position: Position, bounds: Bounds, by: Meter) -> None:
        """Queue an answer, unless another searcher was faster, and stop the other searchers of its position."""
        with self._lock:
            narrower = self._bounds[position].narrowed(bounds)
            if narrower != self._bounds[position]:
                self._bounds[position] = narrower
                self._answers.put((position, narrower))
                for part in self._alone[position].parts.values():
                    if part is not by:
                        part.cancel()

    def _give_back(self, turn: _Turn, searcher: int) -> None:
        """Remove a searcher from a turn. If it was the last one, queue the turn again.

        If the nodes are spent, the turn gets a larger share. Siblings with nodes left are done: their last answer was
        yes.
        """
        with self._lock:
            part = turn.parts.pop(searcher)
            if not part.nodes_left:
                turn.share *= GROWTH
            if not turn.parts:
                self._taken.remove(turn)
                if turn.won is None or not part.nodes_left:
                    self._waiting.append(turn)
