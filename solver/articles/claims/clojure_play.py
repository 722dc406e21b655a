"""The measures of the Clojure article's second part, about openings, scores of the reduced tree, and drawn patterns."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import SimpleNamespace
from typing import Final

from solver.articles.claims.clojure_tree import EMPTY, OPENED
from solver.articles.graph import graph_of
from solver.articles.openings import (
    Move,
    distinct_moves,
    distinct_ways,
    forced_wins,
    place_name,
    square_name,
    starts,
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


def _by_opening(moves: Mapping[str, Iterable[Move]]) -> str:
    """Count moves by opening, e.g. "5 after corner, 5 after edge, 2 after centre"."""
    return ", ".join(f"{len([*listed])} after {name}" for name, listed in moves.items())


def _squares(moves: Iterable[Move]) -> str:
    """Name the square of each move, e.g. "corner, edge"."""
    return ", ".join(square_name(move.cell) for move in moves)


def _outcomes(replies: Iterable[Move]) -> str:
    """Name each reply of O with its outcome."""
    return ", ".join(f"{square_name(reply.cell)} {WORTHS[reply.worth]}" for reply in replies)


def _draws() -> SimpleNamespace:
    counts = Counter(worth(node) for node in graph_of(EMPTY).nodes)
    sizes = [(columns, rows) for columns in range(1, 9) for rows in range(1, 9) if columns * rows <= TIC_TAC_TOE.size]
    boards = [parse_rules(f"{c}x{r}x{k}") for c, r in sizes for k in range(1, max(c, r) + 1)]
    drawn = [board for board in map(Position, boards) if worth(board) == 0]
    misere = Position(parse_rules("3x3x3-misere"))
    losing = sum(worth(after) < 0 for after in misere.successors())
    return SimpleNamespace(
        empty=worth(EMPTY) == 0,
        positions=counts.total(),
        x=counts[1],
        o=counts[-1],
        whatever_lines_do=not losing and worth(misere) == 0,
        where_lines_win=all(worth(after) == 0 for board in drawn for after in board.successors()),
        losing=losing,
        moves=misere.plies_left,
        drawn=len(drawn),
        squares=TIC_TAC_TOE.size,
    )


def _openings() -> SimpleNamespace:
    opened = tic_tac_toe_openings()
    replies = [(opening, reply) for opening in opened.values() for reply in opening.replies]
    losing = [(opening, reply) for opening, reply in replies if reply.worth == 1]
    bad, played = (sum(len(first.move.cells) * len(move.cells) for first, move in each) for each in (losing, replies))
    corner = opened["corner"]
    rule = {"corner": "centre", "edge": "centre", "centre": "corner"}
    by_rule = [reply.worth for opening, reply in replies if square_name(reply.cell) == rule[opening.name]]
    return SimpleNamespace(
        worths={name: opening.move.worth for name, opening in opened.items()},
        safe_told=_by_opening({name: opening.safe for name, opening in opened.items()}),
        counts={name: len(opening.replies) for name, opening in opened.items()},
        replies=len(replies),
        told=_by_opening({name: opening.replies for name, opening in opened.items()}),
        plain=TIC_TAC_TOE.size * (TIC_TAC_TOE.size - 1),
        losing=len(losing),
        losing_told=_by_opening({name: opening.losing for name, opening in opened.items()}),
        share=round(100 * len(losing) / len(replies)),
        bad=bad,
        played=played,
        percent=round(100 * bad / played),
        corner=[len(corner.safe), len(corner.losing)],
        corner_safe=_squares(corner.safe),
        corner_losing=", ".join(place_name(reply.cell, corner.move.cell) for reply in corner.losing),
        one_rule=not any(by_rule),
    )


def _safe() -> dict[str, SimpleNamespace]:
    """Return the figures of the replies that hold the draw after each opening."""
    figures = {}
    for name, opening in tic_tac_toe_openings().items():
        kinds = [*dict.fromkeys(square_name(reply.cell) for reply in opening.safe)]
        figures[name] = SimpleNamespace(
            only_centre=kinds == ["centre"],
            only_corner=kinds == ["corner"],
            options=len(kinds) > 1 and "centre" in kinds,
            kinds=", ".join(kinds),
            squares=sum(len(reply.cells) for reply in opening.safe),
            whole=sum(len(reply.cells) for reply in opening.replies),
        )
    return figures


def _wins() -> SimpleNamespace:
    lost = [reply.position for opening in tic_tac_toe_openings().values() for reply in opening.losing]
    winning = {(position, cell) for position in lost for cell in winning_moves(position)}
    threats = {(at, cell) for at in lost for cell in at.legal_moves if at.after(cell).threats(Mark.X)}
    begun = {(way.start, way.moves[0]) for at in lost for way in forced_wins(at)}
    ways = [len(distinct_ways(position)) for position in lost]
    several = sum(count > 1 for count in ways)
    return SimpleNamespace(
        begin_with_threats=winning <= threats and begun == winning,
        lost=len(lost),
        threats=len(threats),
        winning=len(winning),
        by_forks=all(ways),
        ways=", ".join(map(str, ways)),
        sum=sum(ways),
        often_several=several > len(ways) / 2,
        several=several,
    )


def _leaves(root: Position, worth_to_x: int) -> list[Position]:
    """Return the leaves of the reduced tree with this worth to X: 1 for a win, 0 for a draw, -1 for a loss."""
    tree = reduced_tree(root)
    return [node for node in tree.nodes if not tree.children(node) and worth(node) == worth_to_x]


def _reduced() -> SimpleNamespace:
    whole = len(reduced_tree(EMPTY).nodes)
    readings = {name: len(reduced_tree(OPENED["edge"], reading).nodes) for name, reading in TREE_RULES.items()}
    (reading, edge), *others = readings.items()
    safe = tic_tac_toe_openings()["edge"].safe
    sizes = {square_name(reply.cell): len(reduced_tree(reply.position).nodes) for reply in safe}
    drawn = _leaves(EMPTY, 0)
    held = [leaf for leaf in drawn if holds_by_blocking(leaf, Mark.X) and holds_by_blocking(leaf, Mark.O)]
    return SimpleNamespace(
        under_200=whole < 200,
        whole=whole,
        counts=", ".join(f"{len(reduced_tree(OPENED[name]).nodes)} below the {name}" for name in OPENED),
        edge=edge,
        reading=reading,
        others=", ".join(f"{count} ({name})" for name, count in others),
        edge_safe=len(safe),
        edge_sizes=", ".join(f"{name} with {size} nodes" for name, size in sizes.items()),
        by_blocking=held == drawn,
        drawn=len(drawn),
        held=len(held),
    )


def _corner() -> SimpleNamespace:
    settled = [is_settled(move.position) for move in distinct_moves(CORNER_CENTRE)]
    opposite = distinct_moves(CORNER_CENTRE.after(8))
    ends = {square_name(reply.cell): (reply.worth, is_settled(reply.position)) for reply in opposite}
    plies = Counter(TIC_TAC_TOE.size - leaf.plies_left for leaf in _leaves(OPPOSITE_EDGE, 1))
    trap = OPPOSITE_EDGE.after(8)
    lost, below = _leaves(OPENED["corner"], -1), _leaves(trap, -1)
    return SimpleNamespace(
        responses=["draw" if draws else "forks ahead" for draws in settled],
        moves=len(settled),
        settled=sum(settled),
        edge_only=ends == {"corner": (1, True), "edge": (0, True)},
        replies=_outcomes(opposite),
        traps={f"level {ply}": plies[ply] for ply in sorted(plies)},
        one_trap=len(lost) == 1 and [leaf.canonical() for leaf in below] == [leaf.canonical() for leaf in lost],
        lost=len(lost),
        below=len(below),
        trap_losing=sum(worth(after) == -1 for after in trap.successors()),
        trap_moves=len(trap.legal_moves),
    )


def _centre() -> SimpleNamespace:
    answered = OPENED["centre"].after(0)
    moves, replies = distinct_moves(answered), distinct_moves(answered.after(8))
    return SimpleNamespace(
        ends=[sorted(words for value, words in WORTHS.items() if _leaves(move.position, value)) for move in moves],
        moves=len(moves),
        corner_again={square_name(reply.cell) for reply in replies if reply.worth < 1} == {"corner"},
        replies=_outcomes(replies),
    )


def _score(position: Position, distinct: bool = False) -> Fraction:
    """Return the score of a position of the reduced tree."""
    return scores(position, distinct)[position]


def _scores() -> SimpleNamespace:
    every, distinct = (
        {name: _score(opened, distinct) for name, opened in OPENED.items()} for distinct in (False, True)
    )
    told, told_distinct = (
        {name: f"{score.numerator}/{score.denominator} = {float(score):.4f}" for name, score in values.items()}
        for values in (every, distinct)
    )
    return SimpleNamespace(
        corner=round(float(every["corner"]), 2),
        told=told,
        told_distinct=told_distinct,
        all=", ".join(f"{name} {score}" for name, score in told.items()),
        all_distinct=", ".join(f"{name} {score}" for name, score in told_distinct.items()),
        corner_highest={max(values, key=values.__getitem__) for values in (every, distinct)} == {"corner"},
        edge_lowest={min(values, key=values.__getitem__) for values in (every, distinct)} == {"edge"},
    )


def _places(distinct: bool) -> str:
    """Name the squares on the best path (corner, edge or centre), up to the first choice."""
    names = []
    for position, best in best_path(EMPTY, distinct).items():
        if len(best) > 1:
            names.append(f"a choice of {len(best)}")
            break
        following = best[0].canonical()
        moves = position.legal_moves
        names.append(square_name(next(cell for cell in moves if position.after(cell).canonical() == following)))
    return ", ".join(names)


def _path() -> SimpleNamespace:
    steps = [*best_path(EMPTY).values()]
    choices = [len(best) for best in steps]
    single = next((number for number, count in enumerate(choices) if count > 1), len(choices))
    last = steps[-1]
    drawn = all(worth(position) == 0 and is_settled(position) for position in last)
    ways = [[best[0].canonical() for best in best_path(EMPTY, distinct).values()] for distinct in (False, True)]
    common = next((number for number, pair in enumerate(zip(*ways, strict=False)) if pair[0] != pair[1]), len(ways[0]))
    replies = [reply.position for opening in tic_tac_toe_openings().values() for reply in opening.replies]
    return SimpleNamespace(
        choices=[single, len(last)] if drawn and single == len(steps) - 1 else choices,
        parts=ways[0] != ways[1] and {way[0] for way in ways} == {OPENED["corner"].canonical()},
        every=_places(distinct=False),
        distinct=_places(distinct=True),
        parts_at=common + 1,
        flips=sum(_score(reply) * _score(reply, distinct=True) < 0 for reply in replies),
    )


def _best(position: Position, distinct: bool = False) -> tuple[Position, ...]:
    """Return the positions that the mover can reach with the best score."""
    return best_replies(reduced_tree(position), scores(position, distinct), position)


def _move_between(before: Position, after: Position) -> Cell:
    """Return the cell of the move between two positions."""
    (cell,) = cells_of(before.empty & ~after.empty)
    return cell


def _edge() -> SimpleNamespace:
    edge = OPENED["edge"]
    (first,) = cells_of(edge.x)
    values = scores(edge)
    places = {reply: place_name(_move_between(edge, reply), first) for reply in reduced_tree(edge).children(edge)}
    chosen = {places[reply] for distinct in (False, True) for reply in _best(edge, distinct)}
    (reply,) = _best(edge)
    (answer,) = _best(reply)
    (last,) = _best(answer)
    centre, after = edge.after(4), reply.successors()
    corner, taken = _move_between(reply, answer), _move_between(edge, reply)
    same_side = edge.rules.column_row(corner)[0] == edge.rules.column_row(taken)[0]
    place, square = place_name(corner, first), square_name(_move_between(answer, last))
    expected = ("corner on the opposite edge", True, "centre", 0, True)
    return SimpleNamespace(
        reply=" or ".join(sorted(chosen)),
        scores=", ".join(f"{places[reply]} {values[reply]}" for reply in sorted(places, key=values.__getitem__)),
        better_reply=_score(reply) < _score(centre) and worth(reply) == worth(centre) == 0,
        reply_score=_score(reply),
        centre_score=_score(centre),
        losing_moves=[sum(worth(each) == -1 for each in after), len({each.canonical() for each in after})],
        best_answer=(place, same_side, square, worth(last), is_settled(last)) == expected,
        answer_score=_score(answer),
        place=place,
        square=square,
        moves=len(answer.legal_moves),
        losing=sum(worth(each) == 1 for each in answer.successors()),
    )


def _patterns() -> SimpleNamespace:
    table = forceable()
    ways = {pattern: [name for name in OPENED if table[name][pattern]] for pattern in Pattern}
    told = "; ".join(f"the {pattern} by opening with the {' or the '.join(names)}" for pattern, names in ways.items())
    centred = {pattern_of(node) for node in graph_of(OPENED["centre"]).nodes if node.result is Result.DRAW}
    slips = {}
    for pattern in (Pattern.ARROW, Pattern.SCORPION):
        (opening,) = ways[pattern]
        values = force_values(OPENED[opening], pattern)
        turns = [at for at in values if at.mover is Mark.X and values[at] == 1 and at.result is None]
        slips[pattern] = sum(any(values[at.after(cell)] == 0 for cell in at.legal_moves) for at in turns), len(turns)
    return SimpleNamespace(
        table={name: ["Yes" if row[pattern] else "No" for pattern in Pattern] for name, row in table.items()},
        initial=all(table["initial"].values()),
        ways=told.capitalize(),
        island=table["centre"][Pattern.ISLAND] and centred == {Pattern.ISLAND},
        centred=", ".join(centred),
        not_sufficient=all(lost for lost, _ in slips.values()),
        slips=", ".join(f"{lost} of {turns} for the {pattern}" for pattern, (lost, turns) in slips.items()),
    )


def _scheme() -> SimpleNamespace:
    words = {name: f"the {name} opening" for name in OPENED} | {"initial": "the empty board"}
    plays = {words[name]: best_play(position) for name, position in starts().items()}
    best = plays["the empty board"].lead
    return SimpleNamespace(
        x_leads=best > 0,
        points="; ".join(f"from {name} {x}–{o}" for name, play in plays.items() for x, o in play.points),
        best=best,
        openings=" or ".join(name for name, play in plays.items() if play.lead == best and "opening" in name),
        fair="not fair" if best else "fair",
        mended=" or ".join(f"the {pattern}" for pattern in fair_without(PATTERNS)),
    )
