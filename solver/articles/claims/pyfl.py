"""The claims of the PyFL article: its list of rules is unbeatable, and its program plays by the list.

The computer's wins, draws and losses are counted over all games. The games branch at every move of the opponent, and
wherever a rule of the program picks one of several squares at random.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache, partial
from typing import Final

from solver.analysis.trial import Trial, met, trial
from solver.articles.claims.claim import Computation, Json, claim
from solver.board.notation import format_cell, format_moves, format_position
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import STRATEGIES, Strategy
from solver.players.decision import Rule, following
from solver.players.handbook import HANDBOOK
from solver.players.lists import PROSE_RULES
from solver.players.program import AS_MEANT, BLOCK, CENTRE, CORNER, RANDOM, SIDE, THREATENED, WIN, first_winning
from solver.search.tablebase import unfinished

PROSE: Final = STRATEGIES["seven-rules"]
PROGRAM: Final = STRATEGIES["pyfl-program"]
LITERAL: Final = STRATEGIES["pyfl-literal"]
NONE_LOST: Final[Json] = {"lost": 0}
"""The published figure for "unbeatable": no lost games."""

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
    return [each for each in corners if position.empty >> each & 1 and position.mark_at(8 - each) is enemy][:1]


rulebook_claim = partial(claim, page="rulebook")
"""A decorator for claims about lists of rules, which have a lesson."""

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
def tried(strategy: Strategy, mark: Mark) -> Trial:
    """Try a player against all play of an opponent on 3×3."""
    return trial(strategy, mark, TIC_TAC_TOE)


def _results(strategy: Strategy) -> str:
    """Format the results of a player's games as O."""
    counts = tried(strategy, Mark.O).counts
    return f"{counts.won:,} won, {counts.drawn:,} drawn, {counts.lost:,} lost"


def _lost(strategy: Strategy, mark: Mark) -> str:
    """Format the number of games that a player loses, e.g. "8 of 656 games as X"."""
    counts = tried(strategy, mark).counts
    return f"{counts.lost:,} of {counts.games:,} games as {mark}"


def _proved(strategy: Strategy, besides: str) -> Computation:
    """Count a player's results as O, and explain them by the shortest game that it loses, and by what we saw besides.

    Raise ValueError for a player that never loses.
    """
    found = tried(strategy, Mark.O)
    if found.refutation is None or found.refutation.erred is None:
        raise ValueError(f"{strategy.title} makes no mistake")
    plies = found.refutation.plies
    moves, ply = format_moves(tuple(ply.cell for ply in plies), TIC_TAC_TOE), plies[found.refutation.erred]
    return Computation(
        found.counts._asdict(),
        f"{_lost(strategy, Mark.O)} are lost. A shortest one is {moves}. The mistake is O"
        f" {format_cell(ply.cell, TIC_TAC_TOE)} in {format_position(ply.position)} ({ply.reason}). {besides}",
    )


@claim(
    "pyfl.unbeatable-prose",
    "The list of rules, with any of the squares that satisfy a rule, never loses as O.",
    NONE_LOST,
    page="trial?strategy=seven-rules&side=O",
)
def _prose() -> Computation:
    return _proved(PROSE, f"Our own trial, of which the article says nothing: it loses {_lost(PROSE, Mark.X)}.")


@claim(
    "pyfl.unbeatable-program",
    "The program, with the test of lines as the article explains it, never loses as O.",
    NONE_LOST,
    page="trial?strategy=pyfl-program&side=O",
)
def _program() -> Computation:
    return _proved(
        PROGRAM,
        "Our own trials, of which the article says nothing: with the marks exchanged it loses"
        f" {_lost(PROGRAM, Mark.X)}. The appendix prints a semicolon that ends the test of a line before it counts"
        f" the empty cells; taken at its word, that program loses {_lost(LITERAL, Mark.O)}.",
    )


def _outside(position: Position, allowed: Iterable[Cell]) -> bool:
    """Return whether the program can choose a square other than these."""
    return not set(PROGRAM.decide(position).choices) <= set(allowed)


@claim(
    "pyfl.plays-the-list",
    "The rest of the program codes up the list of rules.",
    page="trial?strategy=pyfl-program&side=O",
)
def _plays_the_list() -> Computation:
    positions = [position for position in unfinished(TIC_TAC_TOE) if position.mover is Mark.O]
    apart = [each for each in positions if _outside(each, PROSE.decide(each).choices)]
    best = min(tried(each, Mark.O).counts.lost for each in WITH_OPPOSING_CORNER)
    return Computation(
        not apart,
        f"In {len(apart):,} of the {len(positions):,} positions with O to move it takes a square that the list doesn't"
        " allow. It also has an eighth rule, the corner across from one of the opponent's, but never asks it. Put that"
        f" rule anywhere after win and block, and it still loses {best:,} games or more.",
    )


@rulebook_claim("pyfl.win-first", "The program makes a winning move if there is one; only then does it block.")
def _win_first() -> Computation:
    at_hand = [position for position in met(PROGRAM, Mark.O, TIC_TAC_TOE) if position.threats(Mark.O)]
    missed = [each for each in at_hand if _outside(each, each.threats(Mark.O))]
    return Computation(
        not missed,
        f"It looks for the opponent's winning square before its own. So it blocks in {len(missed)} of the"
        f" {len(at_hand)} positions where it could win at once. As printed: {_results(PROGRAM)};"
        f" with the win first: {_results(WIN_FIRST)}.",
    )


@rulebook_claim("pyfl.side-rule", "If no earlier rule applies, the program takes the middle of a side if one is free.")
def _side_rule() -> Computation:
    apart = [
        each
        for each in met(PROGRAM, Mark.O, TIC_TAC_TOE)
        if PROGRAM.decide(each).reason in (CORNER.name, RANDOM.name)
        and (sides := HANDBOOK["edge"].cells(each))
        and _outside(each, sides)
    ]
    return Computation(
        not apart,
        f"The program takes no side while the opponent holds the centre. The list doesn't say so. In {len(apart)} of"
        f" its positions it takes another square though a side is free. As printed:"
        f" {_results(PROGRAM)}; without that condition: {_results(ANY_SIDE)}.",
    )


@rulebook_claim("pyfl.half-dozen", "The program uses half a dozen rules.", 6)
def _number_of_rules() -> Computation:
    deciding = {PROSE.decide(position).reason for position in unfinished(TIC_TAC_TOE)}
    return Computation(
        len(PROSE_RULES),
        f"The list has {len(PROSE_RULES)} rules, but only {len(deciding)} of them ever decide in the"
        f" {len(unfinished(TIC_TAC_TOE)):,} unfinished positions.",
        deviating=len(deciding),
    )


@rulebook_claim("pyfl.last-rule", "The last rule takes one of the squares that are left.")
def _last_rule() -> Computation:
    open_positions = unfinished(TIC_TAC_TOE)
    fired = sum(PROSE.decide(position).reason == PROSE_RULES[-1].reason(position) for position in open_positions)
    random = sum(PROGRAM.decide(position).reason == RANDOM.name for position in open_positions)
    return Computation(
        fired > 0,
        f"Every square is the centre, a side or a corner, so an earlier rule always applies: the last one decides in"
        f" {fired} of {len(open_positions):,} positions. The article doesn't say that it is needed. In the program,"
        f" whose side rule has a condition, it decides in {random}.",
        deviating=random > 0,
    )


@claim("pyfl.at-random", "Among several moves that satisfy a rule one is taken at random.")
def _at_random() -> Computation:
    several = [position for position in met(PROGRAM, Mark.O, TIC_TAC_TOE) if _rivals(position) > 1]
    alone = [position for position in several if len(PROGRAM.decide(position).choices) == 1]
    return Computation(
        not alone,
        f"Only sides, open corners and the rest are random. For wins, blocks and threatened corners it takes the first"
        f" in a list. As O it meets {len(several)} positions where its rule has several squares; in {len(alone)} of"
        " them it always takes the same one.",
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


@claim("pyfl.corner-lists", "The lists of corners in text and appendix mean the same.")
def _corner_lists() -> Computation:
    pairs = [[_threatened(each, corners) for corners in (CORNERS, TEXT_CORNERS)] for each in unfinished(TIC_TAC_TOE)]
    threatened = sum(bool(appendix) for appendix, _ in pairs)
    return Computation(
        all(appendix == text for appendix, text in pairs),
        f"The two neighbours of one corner have changed places between the text and the appendix, and both must be the"
        f" opponent's: the lists find the same corners in all {len(pairs):,} positions, {threatened:,} of them with a"
        " threatened corner.",
    )


@claim("pyfl.winning-square", "A winning move is the open cell of a line whose other two cells are the player's.")
def _winning_squares() -> Computation:
    def agrees(position: Position) -> bool:
        found, winning = first_winning(position, position.mover), position.threats(position.mover)
        return set(found) <= set(winning) and bool(found) == bool(winning)

    right = sum(map(agrees, unfinished(TIC_TAC_TOE)))
    return Computation(
        right == len(unfinished(TIC_TAC_TOE)),
        f"The rule finds a square where a line can be completed, and none where none can, in {right:,} of"
        f" {len(unfinished(TIC_TAC_TOE)):,} unfinished positions.",
    )
