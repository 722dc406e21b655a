"""Hypothesis strategies and exhaustive lists that many tests draw positions from."""

import random
from dataclasses import fields, replace
from functools import cache

from hypothesis import reject, settings
from hypothesis import strategies as st

from solver.board.families import ANIMALS, Surface
from solver.board.notation import parse_rules
from solver.board.outcome import DRAWN, LOST, WIN, Outcome, Score, Value, to_parent
from solver.board.position import Position, Result
from solver.board.rules import MAX_SIDE, Rules, bits_of, cells_of, rules_of
from solver.errors import BadRules
from solver.search.solver import ALL, Techniques

TIC_TAC_TOE = parse_rules("3x3x3")
SMALL_BOARDS = tuple(
    Rules(columns, rows, k)
    for columns in range(1, 10)
    for rows in range(1, 10)
    if columns * rows <= 9 and max(columns, rows) <= MAX_SIDE
    for k in range(1, max(columns, rows) + 1)
)
"""Every board of up to nine cells."""
SMALL_FAMILIES = tuple(
    rules_of(columns, rows, k, surface)
    for surface in Surface
    if surface is not Surface.FLAT
    for columns, rows, k in ((2, 2, 2), (3, 2, 2), (3, 2, 3), (2, 3, 3), (4, 2, 3), (2, 4, 3), (3, 3, 2), (3, 3, 3))
) + tuple(
    rules_of(columns, rows, shape.squares, surface, shape)
    for surface in Surface
    for columns, rows, shape in (
        (2, 2, ANIMALS["domino"]),
        (3, 2, ANIMALS["el"]),
        (3, 3, ANIMALS["el"]),
        (3, 3, ANIMALS["tic"]),
        (3, 3, ANIMALS["elly"]),
        (3, 3, ANIMALS["tippy"]),
        (3, 3, ANIMALS["knobby"]),
        (4, 2, ANIMALS["skinny"]),
        (3, 3, ANIMALS["fatty"]),
        (5, 2, ANIMALS["snaky"]),
    )
)
"""A game on each surface and for each shape, of up to ten cells."""
SMALL_DRAWN = tuple(
    map(
        parse_rules,
        (
            "3x3x3-holesb2",
            "3x3x2-holesb2",
            "3x3x2-holesa1b2c1",
            "3x3x3-holesa1a2b1",
            "3x3x1-holesa1",
            "4x3x3-holesb2c2",
            "4x3x3-holesa1a2a3",
            "3x3x3-torus-holesb2",
            "3x3x3-klein-holesa1c3",
            "3x3-el-holesb2",
            "3x3-tippy-cylinder-holesa1",
            "3x3x3-linesa1b1c1",
            "3x3x3-linesa1b2c3a2b1c3a3b3c2",
            "3x3x3-linesa1a2a3a1b1c1a1b2c3a2b2c2a3b2c1a3b3c3b1b2b3c1c2c3",
            "3x3x2-linesa1b3a1c2b3c2",
            "3x3x5-linesa1b2c3a3c1a1b2c3a2b3",
            "3x3x4-linesa1a3c1c3a2b1b3c2-holesb2",
            "3x2x1-linesb2",
            "3x3x3-linesa1a3c1a1a3c3a1c1c3a3c1c3",
        ),
    )
)
"""Games with holes in the board, and with drawn lines."""
EACH_LEFT_OUT = tuple(replace(ALL, **{technique.name: False}) for technique in fields(Techniques))
"""All techniques of the exact search but one."""


def examples(most: int) -> settings:
    """Return an expensive property's settings: at most `most` examples, as great a share of them as in the profile."""
    share = {"some": 2, "many": 1}.get(settings.get_current_profile_name(), 8)  # few, and processes that tests start
    return settings(max_examples=max(5, most // share))


@st.composite
def boards(draw: st.DrawFn, max_side: int = MAX_SIDE) -> Rules:
    """Draw a board."""
    columns, rows = draw(st.integers(1, max_side)), draw(st.integers(1, max_side))
    return Rules(columns, rows, draw(st.integers(1, max(columns, rows))))


@st.composite
def families(draw: st.DrawFn, max_cells: int = MAX_SIDE**2) -> Rules:
    """Draw a game on another surface, for a shape, or both."""
    sides = st.integers(1, MAX_SIDE)
    columns, rows = draw(st.tuples(sides, sides).filter(lambda board: board[0] * board[1] <= max_cells))
    shape = draw(st.sampled_from((None, *ANIMALS.values())))
    surface = draw(st.sampled_from([each for each in Surface if shape or each is not Surface.FLAT]))
    k = shape.squares if shape else draw(st.integers(1, max(columns, rows)))
    try:
        return rules_of(columns, rows, k, surface, shape)
    except BadRules:  # the shape does not fit, or in too many ways
        reject()


@st.composite
def drawn_games(draw: st.DrawFn, max_cells: int = 16) -> Rules:
    """Draw a board with holes, or with lines that somebody drew, or with both."""
    board = draw(boards(4).filter(lambda each: 2 < each.size <= max_cells))
    holes = bits_of(draw(st.sets(st.integers(0, board.size - 1), max_size=4)))
    squares = [*cells_of(board.full & ~holes)]
    k = draw(st.integers(1, min(4, len(squares)))) if squares else reject()
    a_line = st.sets(st.sampled_from(squares), min_size=k, max_size=k).map(bits_of)
    some_lines = st.lists(a_line, min_size=1, max_size=9, unique=True).map(tuple)
    winning = draw(st.none() | some_lines if holes else some_lines)
    try:
        return rules_of(board.columns, board.rows, k if winning else board.k, holes=holes, winning=winning)
    except BadRules:  # no line is left
        reject()


@st.composite
def positions(draw: st.DrawFn, rules: st.SearchStrategy[Rules] | None = None, max_empty: int = 64) -> Position:
    """Draw a reachable position with at most `max_empty` empty cells, or more if its game has ended."""
    board = draw(rules if rules is not None else boards())
    position = Position(board)
    least = max(0, board.squares - max_empty)
    plies = draw(st.integers(least, max(least, board.squares)))
    for _ in range(plies):
        if not position.legal_moves:
            break
        position = position.play(draw(st.sampled_from(position.legal_moves)))
    return position


@cache
def minimax_score(position: Position) -> Score:
    """Return the score by plain minimax; it is remembered, for many positions of a small board."""
    if position.result is not None:
        return DRAWN if position.result is Result.DRAW else LOST
    return max(to_parent(minimax_score(after)) for after in position.successors())


@cache
def reachable(rules: Rules) -> tuple[Position, ...]:
    """Return each position that play from the empty board reaches, by the number of stones."""
    found, layer = dict[Position, None](), {Position(rules)}
    while layer:
        found |= dict.fromkeys(layer)
        layer = {position.play(cell) for position in layer for cell in position.legal_moves} - found.keys()
    return tuple(found)


def met(rules: Rules, games: int) -> list[Position]:
    """Return unfinished positions of games played at random, one of each game, the same every time."""
    rng, chosen = random.Random(str(rules)), dict[Position, None]()
    for _ in range(games):
        played = [Position(rules)]
        while len(played) < 30 and (following := played[-1].legal_moves):
            played.append(played[-1].after(rng.choice(following)))
        chosen[rng.choice([each for each in played if each.result is None])] = None
    return list(chosen)


def scores_by_the_rules(rules: Rules) -> dict[Position, Score]:
    """Return the score of every position, from the rules alone.

    In each round one more ply is looked ahead. Where stones vanish, the rounds end as no score changes.
    """
    reached = reachable(rules)
    known: dict[Position, Score] = {}
    for position in reached:
        result = position.result
        known[position] = DRAWN if result in {None, Result.DRAW} else WIN if str(result) == position.mover else LOST
    unfinished = {each: each.successors() for each in reached if each.result is None}
    while changed := {
        position: score
        for position, after in unfinished.items()
        if (score := max(to_parent(known[each]) for each in after)) != known[position]
    }:
        known |= changed
    return known


UNKNOWN = Outcome(Value.UNKNOWN, None)
"""An outcome of which nothing is proved."""
