"""The measures of the PyFL article's claims: its list of rules is unbeatable, and its program plays by the list.

The computer's wins, draws and losses are counted over all games. The games branch at every move of the opponent, and
wherever a rule of the program picks one of several squares at random.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Final

from solver.analysis.trial import Trial, positions_met, trial
from solver.board.notation import format_cell, format_moves, format_position
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import STRATEGIES, Strategy
from solver.players.decision import Rule, following
from solver.players.handbook import HANDBOOK, PROSE_RULES
from solver.players.program import AS_MEANT, BLOCK, CENTRE, CORNER, RANDOM, SIDE, THREATENED, WIN, first_winning
from solver.search.tablebase import unfinished

PROSE: Final = STRATEGIES["seven-rules"]
PROGRAM: Final = STRATEGIES["pyfl-program"]
LITERAL: Final = STRATEGIES["pyfl-literal"]

CORNERS: Final[tuple[tuple[Cell, Cell, Cell], ...]] = ((0, 1, 3), (2, 5, 1), (6, 3, 7), (8, 7, 5))
"""The corners, each with its two neighbours, as in the article's appendix."""
TEXT_CORNERS: Final[tuple[tuple[Cell, Cell, Cell], ...]] = (CORNERS[0], (2, 1, 5), *CORNERS[2:])
"""The corners as in the article's text, where two neighbours are swapped."""


def variant(*rules: Rule) -> Strategy:
    """Return the program with other rules, or with its rules in another order."""
    return replace(PROGRAM, name="variant", title="Variant", decide=following(rules))


def opposing_corner(position: Position) -> list[Cell]:
    """Return the first open corner opposite an opponent's stone. The program defines this rule but never uses it."""
    corners, enemy = (0, 8, 6, 2), position.mover.other
    return [cell for cell in corners if position.empty >> cell & 1 and position.mark_at(8 - cell) is enemy][:1]


WIN_FIRST: Final = variant(WIN, BLOCK, CENTRE, THREATENED, SIDE, CORNER, RANDOM)
ANY_SIDE: Final = variant(
    *(BLOCK, WIN, CENTRE, THREATENED), Rule("its rule “side”", "", HANDBOOK["edge"].cells), *(CORNER, RANDOM)
)
WITH_OPPOSING_CORNER: Final = tuple(
    variant(*AS_MEANT[:place], Rule("its rule “opposing corner”", "", opposing_corner), *AS_MEANT[place:])
    for place in range(2, len(AS_MEANT))
)
"""Variants of the program with its unused rule added, one variant for each place after block and win."""


@cache
def trial_of(strategy: Strategy, mark: Mark) -> Trial:
    """Try a player against all play of an opponent on 3×3."""
    return trial(strategy, mark, TIC_TAC_TOE)


def _results(strategy: Strategy) -> str:
    """Format the results of a player's games as O."""
    counts = trial_of(strategy, Mark.O).counts
    return f"{counts.won:,} won, {counts.drawn:,} drawn, {counts.lost:,} lost"


def _lost(strategy: Strategy, mark: Mark) -> str:
    """Format the number of games that a player loses, e.g. "8 of 656 games as X"."""
    counts = trial_of(strategy, mark).counts
    return f"{counts.lost:,} of {counts.games:,} games as {mark}"


def _beaten() -> dict[str, SimpleNamespace]:
    """Return the figures of the list of rules and of the program as O, with a shortest game that it loses."""
    return {"prose": _trial_figures(PROSE), "program": _trial_figures(PROGRAM)}


def _trial_figures(strategy: Strategy) -> SimpleNamespace:
    """Return the figures of a player. Raise ValueError if it never loses."""
    tried = trial_of(strategy, Mark.O)
    if tried.refutation is None or tried.refutation.erred is None:
        raise ValueError(f"{strategy.title} makes no mistake")
    plies = tried.refutation.plies
    mistake = plies[tried.refutation.erred]
    return SimpleNamespace(
        counts=tried.counts._asdict(),
        lost=_lost(strategy, Mark.O),
        game=format_moves(tuple(ply.cell for ply in plies), TIC_TAC_TOE),
        square=format_cell(mistake.cell, TIC_TAC_TOE),
        position=format_position(mistake.position),
        rule=mistake.reason,
        as_x=_lost(strategy, Mark.X),
        literal=_lost(LITERAL, Mark.O),
    )


def _outside(position: Position, allowed: Iterable[Cell]) -> bool:
    """Return whether the program can choose a square other than these."""
    return not set(PROGRAM.decide(position).choices) <= set(allowed)


def _program() -> SimpleNamespace:
    positions = [position for position in unfinished(TIC_TAC_TOE) if position.mover is Mark.O]
    apart = [position for position in positions if _outside(position, PROSE.decide(position).choices)]
    met = list(positions_met(PROGRAM, Mark.O, TIC_TAC_TOE))
    at_hand = [position for position in met if position.threats(Mark.O)]
    missed = [position for position in at_hand if _outside(position, position.threats(Mark.O))]
    sideless = [
        position
        for position in met
        if PROGRAM.decide(position).reason in (CORNER.name, RANDOM.name)
        and (sides := HANDBOOK["edge"].cells(position))
        and _outside(position, sides)
    ]
    several = [position for position in met if _rivals(position) > 1]
    alone = [position for position in several if len(PROGRAM.decide(position).choices) == 1]
    return SimpleNamespace(
        as_listed=not apart,
        apart=len(apart),
        positions=len(positions),
        best=min(trial_of(player, Mark.O).counts.lost for player in WITH_OPPOSING_CORNER),
        wins_first=not missed,
        missed=len(missed),
        at_hand=len(at_hand),
        printed=_results(PROGRAM),
        win_first=_results(WIN_FIRST),
        takes_sides=not sideless,
        sideless=len(sideless),
        any_side=_results(ANY_SIDE),
        at_random=not alone,
        several=len(several),
        alone=len(alone),
    )


def _rivals(position: Position) -> int:
    """Count the squares that satisfy the rule that decides the program's move."""
    for mark in (position.mover.other, position.mover):
        if not _outside(position, first_winning(position, mark)):
            return len(position.threats(mark))
    decision = PROGRAM.decide(position)
    return len(_threatened(position, CORNERS) if "thrd corner" in decision.reason else decision.choices)


def _threatened(position: Position, corners: Iterable[tuple[Cell, Cell, Cell]]) -> list[Cell]:
    """Return the open corners that have a stone of the opponent on both neighbours."""
    enemy = position.stones(position.mover.other)
    return [corner for corner, one, two in corners if position.empty >> corner & 1 and enemy >> one & enemy >> two & 1]


def _rules() -> SimpleNamespace:
    positions = unfinished(TIC_TAC_TOE)
    decisions = {position: PROSE.decide(position).reason for position in positions}
    last = sum(reason == PROSE_RULES[-1].reason(position) for position, reason in decisions.items())
    random = sum(PROGRAM.decide(position).reason == RANDOM.name for position in positions)
    threatened, from_text = (
        [_threatened(position, corners) for position in positions] for corners in (CORNERS, TEXT_CORNERS)
    )
    right = sum(map(_agrees, positions))
    return SimpleNamespace(
        number=len(PROSE_RULES),
        deciding=len(set(decisions.values())),
        positions=len(positions),
        last_decides=last > 0,
        last=last,
        random_decides=random > 0,
        random=random,
        same_corners=threatened == from_text,
        threatened=sum(map(bool, threatened)),
        always_right=right == len(positions),
        right=right,
    )


def _agrees(position: Position) -> bool:
    """Return whether the rule for a winning move finds such a square, or none where there is none."""
    named, winning = first_winning(position, position.mover), position.threats(position.mover)
    return set(named) <= set(winning) and bool(named) == bool(winning)
