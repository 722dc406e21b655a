"""The checks of the Clojure article's second part, about openings, scores of the reduced tree, and drawn patterns."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Final

from solver.articles.claims.claim import Evidence, check
from solver.articles.claims.clojure_tree import EMPTY, OPENED
from solver.articles.graph import Kind, forced_moves, graph_of
from solver.articles.openings import (
    Move,
    distinct_moves,
    distinct_ways,
    forced_wins,
    place_name,
    square_name,
    tic_tac_toe_openings,
    winning_moves,
    worth,
)
from solver.articles.patterns import best_play, fair_without, force_values, forceable
from solver.articles.reduced import (
    TREE_RULES,
    best_path,
    best_replies,
    holds_by_blocking,
    is_settled,
    reduced_tree,
    scores,
)
from solver.board.game import PATTERNS, Pattern, pattern_of
from solver.board.notation import parse_rules
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell, cells_of

CORNER_CENTRE: Final = OPENED["corner"].after(4)
"""X in the top left corner, O in the centre."""

OPPOSITE_EDGE: Final = CORNER_CENTRE.after(5)
"""X in the top left corner and on the right edge, O in the centre."""

WORTHS: Final = {1: "X wins", 0: "draw", -1: "O wins"}
"""Words for the results of perfect play."""


def _by_opening(counts: Mapping[str, int]) -> str:
    """Format counts by opening, e.g. "5 after corner, 5 after edge, 2 after centre"."""
    return ", ".join(f"{count} after {name}" for name, count in counts.items())


def _draw() -> Evidence:
    counts = Counter(worth(node) for node in graph_of(EMPTY).nodes)
    return Evidence.of(worth(EMPTY) == 0, positions=counts.total(), x=counts[1], o=counts[-1])


def _openings_draw() -> Evidence:
    openings = tic_tac_toe_openings().items()
    safe = {name: len(opening.safe) for name, opening in openings}
    return Evidence.of({name: opening.move.worth for name, opening in openings}, safe=_by_opening(safe))


def _openings_must_draw() -> Evidence:
    sizes = [(columns, rows) for columns in range(1, 9) for rows in range(1, 9) if columns * rows <= TIC_TAC_TOE.size]
    boards = [parse_rules(f"{c}x{r}x{k}") for c, r in sizes for k in range(1, max(c, r) + 1)]
    drawn = [board for board in map(Position, boards) if worth(board) == 0]
    misere = Position(parse_rules("3x3x3-misere"))
    losing = sum(worth(after) < 0 for after in misere.successors())
    return Evidence.of(
        not losing and worth(misere) == 0,
        deviating=all(worth(after) == 0 for board in drawn for after in board.successors()),
        losing=losing,
        moves=misere.plies_left,
        drawn=len(drawn),
        squares=TIC_TAC_TOE.size,
    )


def _replies() -> Evidence:
    counts = {name: len(opening.replies) for name, opening in tic_tac_toe_openings().items()}
    return Evidence.of(sum(counts.values()), counts=_by_opening(counts))


def _losing_replies() -> Evidence:
    counts = {name: len(opening.losing) for name, opening in tic_tac_toe_openings().items()}
    return Evidence.of(sum(counts.values()), counts=_by_opening(counts))


def _losing_share() -> Evidence:
    openings = tic_tac_toe_openings().values()
    replies = [(opening.move.cells, reply) for opening in openings for reply in opening.replies]
    losing = [(first, reply) for first, reply in replies if reply.worth == 1]
    bad, played = (sum(len(first) * len(reply.cells) for first, reply in moves) for moves in (losing, replies))
    return Evidence.of(
        round(100 * len(losing) / len(replies)),
        losing=len(losing),
        replies=len(replies),
        bad=bad,
        played=played,
        percent=round(100 * bad / played),
    )


def _corner_replies() -> Evidence:
    opening = tic_tac_toe_openings()["corner"]
    safe = ", ".join(square_name(reply.cell) for reply in opening.safe)
    losing = ", ".join(place_name(reply.cell, opening.move.cell) for reply in opening.losing)
    return Evidence.of([len(opening.safe), len(opening.losing)], safe=safe, losing=losing)


@check("clojure.corner-needs-centre", "corner", lambda safe: safe == {"centre"})
@check("clojure.centre-needs-corner", "centre", lambda safe: safe == {"corner"})
@check("clojure.edge-leaves-options", "edge", lambda safe: len(safe) > 1 and "centre" in safe)
def _safe_squares(name: str, holds: Callable[[Collection[str]], bool]) -> Evidence:
    opening = tic_tac_toe_openings()[name]
    kinds = dict.fromkeys(square_name(reply.cell) for reply in opening.safe)
    safe, whole = (sum(len(reply.cells) for reply in part) for part in (opening.safe, opening.replies))
    return Evidence.of(holds(kinds.keys()), safe=safe, whole=whole, kinds=", ".join(kinds))


def _centre_else_corner() -> Evidence:
    played = {name: "corner" if name == "centre" else "centre" for name in OPENED}
    replies = [
        reply
        for name, opening in tic_tac_toe_openings().items()
        for reply in opening.replies
        if square_name(reply.cell) == played[name]
    ]
    return Evidence.of(not any(reply.worth for reply in replies))


def _forcing_start() -> Evidence:
    lost = [reply.position for opening in tic_tac_toe_openings().values() for reply in opening.losing]
    winning = {(position, cell) for position in lost for cell in winning_moves(position)}
    threats = {(at, cell) for at in lost for cell in at.legal_moves if at.after(cell).threats(Mark.X)}
    begun = {(way.start, way.moves[0]) for at in lost for way in forced_wins(at)}
    return Evidence.of(
        winning <= threats and begun == winning, lost=len(lost), threats=len(threats), winning=len(winning)
    )


def _ways() -> list[int]:
    """Return, for each losing reply, the number of distinct forced wins after it."""
    openings = tic_tac_toe_openings().values()
    return [len(distinct_ways(reply.position)) for opening in openings for reply in opening.losing]


def _lost_by_forks() -> Evidence:
    ways = _ways()
    return Evidence.of(all(ways), replies=len(ways), sum=sum(ways), ways=", ".join(map(str, ways)))


def _several_forks() -> Evidence:
    ways = _ways()
    several = sum(count > 1 for count in ways)
    return Evidence.of(several > len(ways) / 2, several=several, replies=len(ways), ways=", ".join(map(str, ways)))


def _leaves(root: Position, worth_to_x: int) -> list[Position]:
    """Return the leaves of the reduced tree with this worth to X: 1 for a win, 0 for a draw, -1 for a loss."""
    tree = reduced_tree(root)
    return [node for node in tree.nodes if not tree.children(node) and worth(node) == worth_to_x]


def _reduced_under_200() -> Evidence:
    whole = len(reduced_tree(EMPTY).nodes)
    counts = ", ".join(f"{len(reduced_tree(OPENED[name]).nodes)} below the {name}" for name in OPENED)
    return Evidence.of(whole < 200, whole=whole, counts=counts)


def _edge_tree_95() -> Evidence:
    counts = {name: len(reduced_tree(OPENED["edge"], reading).nodes) for name, reading in TREE_RULES.items()}
    (reading, count), *others = counts.items()
    return Evidence.of(count, reading=reading, others=", ".join(f"{count} ({name})" for name, count in others))


def _edge_in_three() -> Evidence:
    safe = tic_tac_toe_openings()["edge"].safe
    sizes = {square_name(reply.cell): len(reduced_tree(reply.position).nodes) for reply in safe}
    return Evidence.of(len(safe), sizes=", ".join(f"{name} with {size} nodes" for name, size in sizes.items()))


def _reduced_by_blocking() -> Evidence:
    drawn = _leaves(EMPTY, 0)
    held = [leaf for leaf in drawn if holds_by_blocking(leaf, Mark.X) and holds_by_blocking(leaf, Mark.O)]
    return Evidence.of(held == drawn, drawn=len(drawn), held=len(held))


def _corner_four_responses() -> Evidence:
    settled = [is_settled(move.position) for move in distinct_moves(CORNER_CENTRE)]
    words = ["draw" if draws else "forks ahead" for draws in settled]
    return Evidence.of(words, moves=len(settled), settled=sum(settled))


def _opposite_corner_trap() -> Evidence:
    replies = distinct_moves(CORNER_CENTRE.after(8))
    ends = {square_name(reply.cell): [WORTHS[reply.worth], is_settled(reply.position)] for reply in replies}
    return Evidence.of(ends == {"corner": ["X wins", True], "edge": ["draw", True]}, replies=_outcomes(replies))


def _opposite_edge_traps() -> Evidence:
    plies = Counter(TIC_TAC_TOE.size - leaf.plies_left for leaf in _leaves(OPPOSITE_EDGE, 1))
    return Evidence.of({f"level {ply}": plies[ply] for ply in sorted(plies)})


def _o_trap_in_corner_branch() -> Evidence:
    reply = OPPOSITE_EDGE.after(8)
    lost, below = _leaves(OPENED["corner"], -1), _leaves(reply, -1)
    losing = sum(worth(after) == -1 for after in reply.successors())
    only = len(lost) == 1 and [leaf.canonical() for leaf in below] == [leaf.canonical() for leaf in lost]
    return Evidence.of(only, lost=len(lost), below=len(below), losing=losing, moves=len(reply.legal_moves))


def _centre_standard_draws() -> Evidence:
    moves = distinct_moves(OPENED["centre"].after(0))
    ends = [sorted(words for value, words in WORTHS.items() if _leaves(move.position, value)) for move in moves]
    return Evidence.of(ends, moves=len(moves))


def _centre_corner_again() -> Evidence:
    replies = distinct_moves(OPENED["centre"].after(0).after(8))
    safe = {square_name(reply.cell) for reply in replies if reply.worth < 1}
    return Evidence.of(safe == {"corner"}, replies=_outcomes(replies))


def _outcomes(replies: tuple[Move, ...]) -> str:
    """Name each reply of O with its outcome."""
    return ", ".join(f"{square_name(reply.cell)} {WORTHS[reply.worth]}" for reply in replies)


def _score(position: Position, distinct: bool = False) -> Fraction:
    """Return the score of a position of the reduced tree."""
    return scores(position, distinct)[position]


def _format_score(name: str, distinct: bool) -> str:
    """Format the score of an opening as a fraction and a decimal number."""
    score = _score(OPENED[name], distinct)
    return f"{score.numerator}/{score.denominator} = {float(score):.4f}"


def _best(position: Position, distinct: bool = False) -> tuple[Position, ...]:
    """Return the positions that the mover can reach with the best score."""
    return best_replies(reduced_tree(position), scores(position, distinct), position)


def _move_between(before: Position, after: Position) -> Cell:
    """Return the cell of the move between two positions."""
    (cell,) = cells_of(before.empty & ~after.empty)
    return cell


@check("clojure.corner-score-0.89", "corner")
def _rounded_score(name: str) -> Evidence:
    every, distinct = (_format_score(name, distinct) for distinct in (False, True))
    return Evidence.of(round(float(_score(OPENED[name])), 2), every=every, distinct=distinct)


@check("clojure.corner-highest", max, "corner")
@check("clojure.edge-weakest", min, "edge")
def _extreme(choose: Callable[..., str], name: str) -> Evidence:
    """Evidence that an opening has the best (`choose` is max) or worst (min) score, for both ways of counting moves."""
    chosen = {choose(OPENED, key=lambda opening: _score(OPENED[opening], distinct)) for distinct in (False, True)}
    every, distinct = (
        ", ".join(f"{opening} {_format_score(opening, distinct)}" for opening in OPENED) for distinct in (False, True)
    )
    return Evidence.of(chosen == {name}, every=every, distinct=distinct)


def _places(distinct: bool) -> str:
    """Name the squares on the best path (corner, edge or centre), up to the first choice."""
    names = []
    for step in best_path(EMPTY, distinct):
        if len(step.best) > 1:
            names.append(f"a choice of {len(step.best)}")
            break
        following = step.best[0].canonical()
        moves = step.position.legal_moves
        names.append(square_name(next(cell for cell in moves if step.position.after(cell).canonical() == following)))
    return ", ".join(names)


def _best_path() -> Evidence:
    steps = best_path(EMPTY)
    choices = [len(step.best) for step in steps]
    single = next((number for number, count in enumerate(choices) if count > 1), len(choices))
    last = steps[-1].best
    drawn = all(worth(position) == 0 and is_settled(position) for position in last)
    computed = [single, len(last)] if drawn and single == len(steps) - 1 else choices
    return Evidence.of(computed, path=_places(distinct=False))


def _best_path_distinct() -> Evidence:
    ways = [[step.best[0].canonical() for step in best_path(EMPTY, distinct)] for distinct in (False, True)]
    common = next((number for number, pair in enumerate(zip(*ways, strict=False)) if pair[0] != pair[1]), len(ways[0]))
    replies = [reply.position for opening in tic_tac_toe_openings().values() for reply in opening.replies]
    return Evidence.of(
        ways[0] != ways[1] and {way[0] for way in ways} == {OPENED["corner"].canonical()},
        every=_places(distinct=False),
        distinct=_places(distinct=True),
        parts=common + 1,
        flips=sum(_score(reply) * _score(reply, distinct=True) < 0 for reply in replies),
    )


def _best_reply_to_edge() -> Evidence:
    edge = OPENED["edge"]
    (first,) = cells_of(edge.x)

    def place(reply: Position) -> str:
        return place_name(_move_between(edge, reply), first)

    best = {place(reply) for distinct in (False, True) for reply in _best(edge, distinct)}
    values = scores(edge)
    replies = sorted(reduced_tree(edge).children(edge), key=values.__getitem__)
    lowest_first = ", ".join(f"{place(reply)} {values[reply]}" for reply in replies)
    return Evidence.of(" or ".join(sorted(best)), scores=lowest_first)


def _edge_better_than_centre() -> Evidence:
    centre, (best,) = OPENED["edge"].after(4), _best(OPENED["edge"])
    better = _score(best) < _score(centre) and worth(best) == worth(centre) == 0
    return Evidence.of(better, best=_score(best), centre=_score(centre))


def _edge_three_losing() -> Evidence:
    (reply,) = _best(OPENED["edge"])
    replies = reply.successors()
    return Evidence.of([sum(worth(after) == -1 for after in replies), len({after.canonical() for after in replies})])


def _edge_best_answer() -> Evidence:
    edge = OPENED["edge"]
    (reply,) = _best(edge)
    (answer,) = _best(reply)
    (last,) = _best(answer)
    (first,) = cells_of(edge.x)
    corner, taken = _move_between(reply, answer), _move_between(edge, reply)
    same_side = edge.rules.column_row(corner)[0] == edge.rules.column_row(taken)[0]
    place, square = place_name(corner, first), square_name(_move_between(answer, last))
    expected = ("corner on the opposite edge", True, "centre", 0, True)
    return Evidence.of(
        (place, same_side, square, worth(last), is_settled(last)) == expected,
        score=_score(answer),
        place=place,
        square=square,
        moves=len(answer.legal_moves),
        losing=sum(worth(after) == 1 for after in answer.successors()),
    )


def _edge_forks() -> Evidence:
    forks = {}
    for name, opened in OPENED.items():
        kinds = graph_of(opened, forced_moves).nodes.items()
        forks[name] = Counter(str(node.mover.other) for node, kind in kinds if kind is Kind.FORK)
    most = all(forks["edge"][mark] == max(counts[mark] for counts in forks.values()) for mark in "XO")
    told = ", ".join(f"{name} {counts['X']} of X and {counts['O']} of O" for name, counts in forks.items())
    return Evidence.of(most, forks=told)


def _pattern_forcing() -> Evidence:
    table = forceable().items()
    return Evidence.of({name: ["Yes" if row[pattern] else "No" for pattern in Pattern] for name, row in table})


def _initial_patterns() -> Evidence:
    table = forceable()
    ways = {pattern: [name for name, row in table.items() if row[pattern] and name != "initial"] for pattern in Pattern}
    told = "; ".join(f"the {pattern} by opening with the {' or the '.join(names)}" for pattern, names in ways.items())
    return Evidence.of(all(table["initial"].values()), ways=told.capitalize())


def _island_by_centre() -> Evidence:
    patterns = {pattern_of(node) for node in graph_of(OPENED["centre"]).nodes if node.result is Result.DRAW}
    forced = forceable()["centre"][Pattern.ISLAND]
    return Evidence.of(forced and patterns == {Pattern.ISLAND}, patterns=", ".join(patterns))


def _pattern_not_sufficient() -> Evidence:
    table = forceable()
    slips = {}
    for pattern in (Pattern.ARROW, Pattern.SCORPION):
        (opened,) = (position for name, position in OPENED.items() if table[name][pattern])
        values = force_values(opened, pattern)
        turns = [at for at in values if at.mover is Mark.X and values[at] == 1 and at.result is None]
        slips[pattern] = sum(any(values[at.after(cell)] == 0 for cell in at.legal_moves) for at in turns), len(turns)
    told = ", ".join(f"{lost} of {turns} for the {pattern}" for pattern, (lost, turns) in slips.items())
    return Evidence.of(all(lost for lost, _ in slips.values()), slips=told)


def _scoring_scheme() -> Evidence:
    starts = {"the empty board": EMPTY} | {f"the {name} opening": position for name, position in OPENED.items()}
    plays = {name: best_play(position) for name, position in starts.items()}
    best = plays["the empty board"].lead
    return Evidence.of(
        best > 0,
        points="; ".join(f"from {name} {x}–{o}" for name, play in plays.items() for x, o in play.points),
        best=best,
        openings=" or ".join(name for name, play in plays.items() if play.lead == best and "opening" in name),
        fair="not fair" if best else "fair",
        mended=" or ".join(f"the {pattern}" for pattern in fair_without(PATTERNS)),
    )
