"""The claims of the Clojure article's second part, about openings, scores of the reduced tree, and drawn patterns."""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Final

from solver.articles.claims.claim import Computation, claim
from solver.articles.claims.clojure_tree import EMPTY, OPENED
from solver.articles.graph import Kind, forced_moves, graph_of
from solver.articles.openings import (
    Move,
    Thumb,
    centre_else_corner,
    centre_needs_a_corner,
    corner_needs_the_centre,
    distinct_moves,
    distinct_ways,
    edge_leaves_options,
    place_name,
    square_name,
    tic_tac_toe_openings,
    wins_begin_with_a_threat,
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
from solver.board.notation import parse_rules
from solver.board.points import PATTERNS, Pattern, pattern_of
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell, cells_of

CORNER_CENTRE: Final = OPENED["corner"].after(4)
"""X in the top left corner, O in the centre."""

OPPOSITE_EDGE: Final = CORNER_CENTRE.after(5)
"""X in the top left corner and on the right edge, O in the centre."""

WORTHS: Final = {1: "X wins", 0: "draw", -1: "O wins"}
"""Words for the results of perfect play."""

# Decorators for claims that share a lesson's page.
explorer_claim = partial(claim, page="explorer")
openings_claim = partial(claim, page="openings")
punish_claim = partial(claim, page="openings#punish")
reduced_claim = partial(claim, page="reduced")
corner_claim = partial(claim, page="reduced?opening=corner#scores")
edge_claim = partial(claim, page="reduced?opening=edge#scores")
centre_claim = partial(claim, page="reduced?opening=centre#scores")
force_claim = partial(claim, page="draws#force")


def _by_opening(counts: Mapping[str, int]) -> str:
    """Format counts by opening, e.g. "5 after corner, 5 after edge, 2 after centre"."""
    return ", ".join(f"{count} after {name}" for name, count in counts.items())


@explorer_claim("clojure.draw", "If both play their best from the empty board, the game is a draw.")
def _draw() -> Computation:
    counts = Counter(worth(node) for node in graph_of(EMPTY).nodes)
    return Computation(
        worth(EMPTY) == 0,
        f"Perfect play from the empty board ends in a draw. Of the {counts.total()} positions up to symmetry X wins"
        f" {counts[1]} and O {counts[-1]}, but neither can force one of them from the start.",
    )


@explorer_claim(
    "clojure.openings-draw",
    "All three openings are draws (1 is a win of X, 0 a draw, -1 a win of O).",
    {"corner": 0, "edge": 0, "centre": 0},
)
def _openings_draw() -> Computation:
    worths = {name: opening.move.worth for name, opening in tic_tac_toe_openings().items()}
    safe = {name: len(opening.safe) for name, opening in tic_tac_toe_openings().items()}
    return Computation(
        worths, f"Each opening leaves O at least one distinct reply that draws: {_by_opening(safe)}. None loses for X."
    )


@explorer_claim(
    "clojure.openings-must-draw",
    "The openings must all be draws because the empty board is one: otherwise an opening would force a win.",
)
def _must_draw() -> Computation:
    sizes = [(columns, rows) for columns in range(1, 9) for rows in range(1, 9) if columns * rows <= TIC_TAC_TOE.size]
    boards = [parse_rules(f"{c}x{r}x{k}") for c, r in sizes for k in range(1, max(c, r) + 1)]
    drawn = [board for board in map(Position, boards) if worth(board) == 0]
    misere = Position(parse_rules("3x3x3-misere"))
    losing = sum(worth(after) < 0 for after in misere.successors())
    return Computation(
        not losing and worth(misere) == 0,
        f"They must, but there's a gap in the reason: an opening might lose, as {losing} of {misere.plies_left} do in"
        " 3×3 misère, where a line loses and the empty board is a draw too. Here an extra stone never harms its owner,"
        f" so no opening loses on a board that is a draw. Every opening draws on all {len(drawn)} drawn boards of up to"
        f" {TIC_TAC_TOE.size} squares.",
        deviating=all(worth(after) == 0 for board in drawn for after in board.successors()),
    )


@openings_claim("clojure.replies", "There are 12 distinct replies to the three openings.", 12)
def _replies() -> Computation:
    counts = {name: len(opening.replies) for name, opening in tic_tac_toe_openings().items()}
    return Computation(sum(counts.values()), f"Distinct replies: {_by_opening(counts)}.")


@openings_claim("clojure.losing-replies", "7 of the 12 distinct replies lose for O.", 7)
def _losing_replies() -> Computation:
    counts = {name: len(opening.losing) for name, opening in tic_tac_toe_openings().items()}
    return Computation(sum(counts.values()), f"X then wins by perfect play: {_by_opening(counts)}.")


@openings_claim("clojure.losing-share", "So 58 % of the replies lose.", 58)
def _losing_share() -> Computation:
    openings = tic_tac_toe_openings().values()
    losing, whole = sum(len(each.losing) for each in openings), sum(len(each.replies) for each in openings)
    bad = sum(len(each.move.cells) * len(reply.cells) for each in openings for reply in each.losing)
    played = sum(len(each.move.cells) * len(reply.cells) for each in openings for reply in each.replies)
    return Computation(
        round(100 * losing / whole),
        f"{losing} of {whole} distinct replies lose. Counted square by square, as for players who play anywhere, it is"
        f" {bad} of {played}, {round(100 * bad / played)}%.",
    )


@openings_claim(
    "clojure.corner-replies", "After a corner one of the five distinct replies draws and four lose.", [1, 4]
)
def _corner_replies() -> Computation:
    opening = tic_tac_toe_openings()["corner"]
    return Computation(
        [len(opening.safe), len(opening.losing)],
        f"Safe: {', '.join(square_name(reply.cell) for reply in opening.safe)}. Losing:"
        f" {', '.join(place_name(reply.cell, opening.move.cell) for reply in opening.losing)}.",
    )


def _thumb(check: Callable[[], Thumb]) -> Computation:
    """Check a rule of thumb, and return its verdict and reason."""
    thumb = check()
    return Computation(thumb.holds, thumb.because)


FIRST_REPLIES: Final = tuple(
    openings_claim(f"clojure.{name}", sentence)(partial(_thumb, check))
    for check, name, sentence in (
        (corner_needs_the_centre, "corner-needs-centre", "After an opening corner O must play in the centre."),
        (centre_needs_a_corner, "centre-needs-corner", "After an opening centre O must play in a corner."),
        (
            edge_leaves_options,
            "edge-leaves-options",
            "After an opening edge O has some options, and the centre is safe.",
        ),
        (
            centre_else_corner,
            "centre-else-corner",
            "O's first move in one rule: the centre if it is free, otherwise a corner.",
        ),
    )
)


@punish_claim("clojure.lost-by-forks", "All seven losing replies lose because X can make a fork.")
def _lost_by_forks() -> Computation:
    ways = _ways()
    return Computation(
        all(ways),
        f"From each of the {len(ways)} losing replies X forces a fork by threats alone, in {sum(ways)} ways that are"
        f" not images of each other: {', '.join(map(str, ways))}.",
    )


@punish_claim("clojure.several-forks", "In many of these positions there are several ways to make the fork.")
def _several_ways() -> Computation:
    ways = _ways()
    several = sum(count > 1 for count in ways)
    return Computation(
        several > len(ways) / 2,
        f"{several} of the {len(ways)} losing replies can be punished in more than one way up to symmetry:"
        f" {', '.join(map(str, ways))}.",
    )


def _ways() -> list[int]:
    """Return, for each losing reply, the number of distinct forced wins after it."""
    openings = tic_tac_toe_openings().values()
    return [len(distinct_ways(reply.position)) for opening in openings for reply in opening.losing]


@punish_claim(
    "clojure.forcing-start", "Every way to win after a losing reply starts with a move that O must block at once."
)
def _forcing_start() -> Computation:
    return _thumb(wins_begin_with_a_threat)


def _leaves(root: Position, worth_to_x: int) -> list[Position]:
    """Return the leaves of the reduced tree with this worth to X: 1 for a win, 0 for a draw, -1 for a loss."""
    tree = reduced_tree(root)
    return [node for node in tree.nodes if not tree.children(node) and worth(node) == worth_to_x]


@reduced_claim("clojure.reduced-under-200", "The reduced tree captures the whole game in fewer than 200 nodes.")
def _under_200() -> Computation:
    counts = {name: len(reduced_tree(OPENED[name]).nodes) for name in OPENED}
    whole = len(reduced_tree(EMPTY).nodes)
    return Computation(
        whole < 200,
        f"The tree has {whole} positions, up to symmetry and each once; by opening "
        + ", ".join(f"{count} below the {name}" for name, count in counts.items())
        + ", some of them below two.",
    )


@edge_claim("clojure.edge-tree-95", "The reduced tree below the edge opening has 95 nodes.", 95)
def _edge_95() -> Computation:
    counts = {name: len(reduced_tree(OPENED["edge"], reading).nodes) for name, reading in TREE_RULES.items()}
    first, *others = counts.items()
    return Computation(
        first[1],
        f"With {first[0]}, each position once up to symmetry. The article does not print its function; the other"
        f" readings give " + ", ".join(f"{count} ({name})" for name, count in others) + ".",
    )


@edge_claim("clojure.edge-in-three", "Three distinct replies to the edge are no direct wins for X.", 3)
def _edge_in_three() -> Computation:
    replies = tic_tac_toe_openings()["edge"].safe
    parts = ", ".join(
        f"{square_name(reply.cell)} with {len(reduced_tree(reply.position).nodes)} nodes" for reply in replies
    )
    return Computation(len(replies), f"Replies to the edge that do not lose, each with its own tree: {parts}.")


@reduced_claim(
    "clojure.reduced-by-blocking", "Where the reduced tree ends in a draw, blocking is all it takes to draw."
)
def _by_blocking() -> Computation:
    drawn = _leaves(EMPTY, 0)
    held = [leaf for leaf in drawn if holds_by_blocking(leaf, Mark.X) and holds_by_blocking(leaf, Mark.O)]
    return Computation(
        held == drawn,
        f"The tree ends in {len(drawn)} drawn positions. In {len(held)} of them either player, who wins or blocks where"
        " that is called for and plays anything otherwise, cannot lose, whatever the opponent does.",
    )


@corner_claim(
    "clojure.corner-four-responses",
    "After corner and centre X has four distinct moves: two mere draws, and two that can lead to forks.",
    ["draw", "draw", "forks ahead", "forks ahead"],
)
def _four_responses() -> Computation:
    moves = distinct_moves(CORNER_CENTRE)
    return Computation(
        ["draw" if is_settled(move.position) else "forks ahead" for move in moves],
        f"X has {len(moves)} distinct moves, in reading order seen from the corner at the top left; all are drawn by"
        f" perfect play. No fork can come about after {sum(is_settled(move.position) for move in moves)} of them.",
    )


@corner_claim(
    "clojure.opposite-corner-trap",
    "If X takes the opposite corner then, O must play an edge and not a corner; after that it is a mere draw.",
)
def _corner_trap() -> Computation:
    position = CORNER_CENTRE.after(8)
    replies = distinct_moves(position)
    found = {square_name(reply.cell): [WORTHS[reply.worth], is_settled(reply.position)] for reply in replies}
    return Computation(
        found == {"corner": ["X wins", True], "edge": ["draw", True]},
        f"X holds two opposite corners and O the centre. {_told(replies)}; after an edge no fork is ahead any more.",
    )


@corner_claim(
    "clojure.opposite-edge-traps",
    "If X takes an opposite edge instead, O can lose in two ways at once and in two more at level 6.",
    {"level 4": 2, "level 6": 2},
)
def _edge_traps() -> Computation:
    plies = Counter(TIC_TAC_TOE.size - leaf.plies_left for leaf in _leaves(OPPOSITE_EDGE, 1))
    return Computation(
        {f"level {ply}": plies[ply] for ply in sorted(plies)},
        "Positions that X has won in the reduced tree after corner, centre and opposite edge, by the number of moves"
        " played so far.",
    )


@corner_claim(
    "clojure.o-trap-in-corner-branch",
    "In that line O can set a trap too, the only one of the branch, by the bottom right corner.",
)
def _trap_of_o() -> Computation:
    reply = OPPOSITE_EDGE.after(8)
    lost, below = _leaves(OPENED["corner"], -1), _leaves(reply, -1)
    losing = sum(worth(after) == -1 for after in reply.successors())
    return Computation(
        len(lost) == 1 and [leaf.canonical() for leaf in below] == [leaf.canonical() for leaf in lost],
        f"Positions of the branch that O has won: {len(lost)}. With X's corner at the top left and the edge at the"
        f" right, {len(below)} lies behind O's bottom right corner, where X loses with {losing} of"
        f" {len(reply.legal_moves)} moves.",
    )


@centre_claim(
    "clojure.centre-standard-draws",
    "After centre and corner X has four distinct moves, and all but the last, the opposite corner, only draw or may"
    " even lose in one path.",
    [["O wins", "draw"], ["draw"], ["draw"], ["X wins", "draw"]],
)
def _centre_branch() -> Computation:
    moves = distinct_moves(OPENED["centre"].after(0))
    below = [sorted(words for each, words in WORTHS.items() if _leaves(move.position, each)) for move in moves]
    return Computation(
        below,
        f"How the reduced tree can end after X's {len(moves)} distinct moves, in reading order with O's corner at the"
        " top left. The last is the opposite corner. The first, beside O's corner, lets O block with a threat of its"
        " own, and one of X's next moves then loses.",
    )


@centre_claim("clojure.centre-corner-again", "If X takes the corner opposite O's, O must play a corner again to draw.")
def _corner_again() -> Computation:
    position = OPENED["centre"].after(0).after(8)
    replies = distinct_moves(position)
    safe = {square_name(reply.cell) for reply in replies if reply.worth < 1}
    return Computation(safe == {"corner"}, f"X holds the centre and the corner opposite O's. {_told(replies)}.")


def _told(replies: tuple[Move, ...]) -> str:
    """Name each reply of O with its outcome."""
    return "O's replies: " + ", ".join(f"{square_name(reply.cell)} {WORTHS[reply.worth]}" for reply in replies)


def _score(position: Position, distinct: bool = False) -> Fraction:
    """Return the score of a position of the reduced tree."""
    return scores(position, distinct)[position]


def _told_score(name: str, distinct: bool) -> str:
    """Format the score of an opening as a fraction and a decimal number."""
    score = _score(OPENED[name], distinct)
    return f"{score.numerator}/{score.denominator} = {float(score):.4f}"


def _best(position: Position, distinct: bool = False) -> tuple[Position, ...]:
    """Return the positions that the mover can reach with the best score."""
    return best_replies(reduced_tree(position), scores(position, distinct), position)


def _played(before: Position, after: Position) -> Cell:
    """Return the cell of the move between two positions."""
    (cell,) = cells_of(before.empty & ~after.empty)
    return cell


@reduced_claim(
    "clojure.corner-score-0.89", "The corner opening scores 0.89, averaged over all moves of the reduced tree.", 0.89
)
def _corner_score() -> Computation:
    return Computation(
        round(float(_score(OPENED["corner"])), 2),
        f"Exactly {_told_score('corner', distinct=False)} with symmetric moves counted;"
        f" {_told_score('corner', distinct=True)} with distinct moves only.",
    )


def _ranked(choose: Callable[..., str], name: str) -> Computation:
    """Check that an opening has the best (`choose` is max) or worst (min) score, for both ways of counting moves."""
    chosen = {choose(OPENED, key=lambda each: _score(OPENED[each], distinct)) for distinct in (False, True)}
    told = "; ".join(
        f"{words}: " + ", ".join(f"{name} {_told_score(name, distinct)}" for name in OPENED)
        for words, distinct in (("Symmetric moves counted", False), ("distinct moves only", True))
    )
    return Computation(chosen == {name}, f"{told}.")


@reduced_claim("clojure.corner-highest", "The corner is the first move with the highest score.")
def _corner_highest() -> Computation:
    return _ranked(max, "corner")


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


@corner_claim(
    "clojure.best-path",
    "On the best path four moves follow from the scores; on the fifth X has a choice of four, all mere draws.",
    [4, 4],
)
def _path() -> Computation:
    steps = best_path(EMPTY)
    choices = [len(step.best) for step in steps]
    single = next((number for number, count in enumerate(choices) if count > 1), len(choices))
    last = steps[-1].best
    drawn = all(worth(position) == 0 and is_settled(position) for position in last)
    return Computation(
        [single, len(last)] if drawn and single == len(steps) - 1 else choices,
        f"The best path by score: {_places(distinct=False)}, and each of these draws with no fork ahead.",
    )


@corner_claim(
    "clojure.best-path-distinct", "With distinct moves only, the best path goes another way in the corner branch."
)
def _other_path() -> Computation:
    ways = [[step.best[0].canonical() for step in best_path(EMPTY, distinct)] for distinct in (False, True)]
    common = next((number for number, pair in enumerate(zip(*ways, strict=False)) if pair[0] != pair[1]), len(ways[0]))
    replies = [reply.position for opening in tic_tac_toe_openings().values() for reply in opening.replies]
    flips = sum(_score(reply) * _score(reply, distinct=True) < 0 for reply in replies)
    return Computation(
        ways[0] != ways[1] and {way[0] for way in ways} == {OPENED["corner"].canonical()},
        f"Symmetric moves counted: {_places(distinct=False)}. Distinct moves only: {_places(distinct=True)}. The two"
        f" part at move {common + 1}. First replies whose score even changes its sign: {flips}.",
    )


@edge_claim(
    "clojure.best-reply-to-edge",
    "By the scores, O's best reply to the edge opening is a corner on the same edge.",
    "corner on the same edge",
)
def _edge_reply() -> Computation:
    edge = OPENED["edge"]
    (first,) = cells_of(edge.x)
    best = {place_name(_played(edge, after), first) for distinct in (False, True) for after in _best(edge, distinct)}
    tree, values = reduced_tree(edge), scores(edge)
    told = ", ".join(
        f"{place_name(_played(edge, child), first)} {values[child]}"
        for child in sorted(tree.children(edge), key=values.__getitem__)
    )
    return Computation(
        " or ".join(sorted(best)), f"Scores of the replies, symmetric moves counted, lowest first: {told}."
    )


@edge_claim(
    "clojure.edge-better-than-centre",
    "After the edge O has a better reply than the centre, though the outcome is still a draw.",
)
def _better_than_centre() -> Computation:
    centre, (best,) = OPENED["edge"].after(4), _best(OPENED["edge"])
    return Computation(
        _score(best) < _score(centre) and worth(best) == worth(centre) == 0,
        f"The best reply scores {_score(best)}, the centre {_score(centre)}; lower is better for O. Perfect play"
        " draws after either.",
    )


@edge_claim("clojure.edge-three-losing", "That reply leaves X three losing moves out of seven distinct ones.", [3, 7])
def _three_losing() -> Computation:
    (reply,) = _best(OPENED["edge"])
    after = reply.successors()
    return Computation(
        [sum(worth(each) == -1 for each in after), len({each.canonical() for each in after})],
        "X's moves after edge and corner that O then wins by perfect play, and X's distinct moves in all.",
    )


@edge_claim(
    "clojure.edge-best-answer",
    "X's best answer is the same corner of the opposite edge, and it is a draw once O takes the centre.",
)
def _best_answer() -> Computation:
    edge = OPENED["edge"]
    (reply,) = _best(edge)
    (answer,) = _best(reply)
    (last,) = _best(answer)
    (first,) = cells_of(edge.x)
    corner, taken = _played(reply, answer), _played(edge, reply)
    same_side = edge.rules.column_row(corner)[0] == edge.rules.column_row(taken)[0]
    found = place_name(corner, first), same_side, square_name(_played(answer, last)), worth(last), is_settled(last)
    return Computation(
        found == ("corner on the opposite edge", True, "centre", 0, True),
        f"X's best answer scores {_score(answer)}: the {found[0]}, on the side where O stands. O's best move is"
        f" then the {found[2]}, and no fork is ahead. Of O's {len(answer.legal_moves)} moves"
        f" {sum(worth(after) == 1 for after in answer.successors())} lose.",
    )


@edge_claim("clojure.edge-weakest", "The edge is technically X's weakest opening.")
def _edge_weakest() -> Computation:
    return _ranked(min, "edge")


@edge_claim("clojure.edge-forks", "The edge opening leads to many forked positions of both sides.")
def _edge_forks() -> Computation:
    forks = {
        name: Counter(
            str(node.mover.other)
            for node, kind in graph_of(OPENED[name], forced_moves).nodes.items()
            if kind is Kind.FORK
        )
        for name in OPENED
    }
    return Computation(
        all(forks["edge"][mark] == max(found[mark] for found in forks.values()) for mark in "XO"),
        "Forked positions below each opening, forced moves only, up to symmetry: "
        + ", ".join(f"{name} {found['X']} of X and {found['O']} of O" for name, found in forks.items())
        + ".",
    )


@force_claim(
    "clojure.pattern-forcing",
    "Which pattern (island, arrow, scorpion) X can force from the empty board and after each opening.",
    {
        "initial": ["Yes", "Yes", "Yes"],
        "corner": ["No", "Yes", "No"],
        "edge": ["No", "No", "Yes"],
        "centre": ["Yes", "No", "No"],
    },
)
def _pattern_forcing() -> Computation:
    table = {name: ["Yes" if row[pattern] else "No" for pattern in Pattern] for name, row in forceable().items()}
    return Computation(
        table,
        "By min-max, a win of X counting more than the pattern and a win of O less than any draw. So O is taken to"
        " prefer a draw to a loss: an O who would as soon lose can escape every pattern.",
    )


@force_claim(
    "clojure.initial-patterns", "Whichever of the three patterns X wants: from the empty board it can be forced."
)
def _initial_patterns() -> Computation:
    table = forceable()
    ways = {pattern: [name for name, row in table.items() if row[pattern] and name != "initial"] for pattern in Pattern}
    return Computation(
        all(table["initial"].values()),
        "; ".join(
            f"the {pattern} by opening with the {' or the '.join(names)}" for pattern, names in ways.items()
        ).capitalize()
        + ".",
    )


@force_claim(
    "clojure.island-by-centre",
    "X can always force the island by opening in the centre, since no other pattern has an X there.",
)
def _island_by_the_centre() -> Computation:
    patterns = {pattern_of(node) for node in graph_of(OPENED["centre"]).nodes if node.result is Result.DRAW}
    forced = forceable()["centre"][Pattern.ISLAND]
    return Computation(
        forced and patterns == {Pattern.ISLAND},
        f"Drawn boards with X in the centre: {', '.join(patterns)} only. And X does not lose by opening there.",
    )


@force_claim(
    "clojure.pattern-not-sufficient",
    "For the arrow and the scorpion the right opening is necessary but not sufficient.",
)
def _not_sufficient() -> Computation:
    table = forceable()
    slips = {}
    for pattern in (Pattern.ARROW, Pattern.SCORPION):
        (opened,) = (position for name, position in OPENED.items() if table[name][pattern])
        values = force_values(opened, pattern)
        turns = [at for at in values if at.mover is Mark.X and values[at] == 1 and at.result is None]
        slips[pattern] = sum(any(values[at.after(cell)] == 0 for cell in at.legal_moves) for at in turns), len(turns)
    return Computation(
        all(lost for lost, _ in slips.values()),
        "Only one opening allows each of the two. After it, of the positions with X to move where the pattern can still"
        " be forced, some have a move to another draw: "
        + ", ".join(f"{lost} of {turns} for the {pattern}" for pattern, (lost, turns) in slips.items())
        + ".",
    )


@claim(
    "clojure.scoring-scheme",
    "Under the scoring scheme (X wins 3–0, O wins 0–5, island and arrow 0–1, scorpion 1–0) who looks ahead to the"
    " patterns can subvert it, with X at the advantage.",
    page="draws#points",
)
def _scheme() -> Computation:
    starts = {"the empty board": EMPTY} | {f"the {name} opening": position for name, position in OPENED.items()}
    leads = {name: best_play(position) for name, position in starts.items()}
    points = "; ".join(f"from {name} {x}–{o}" for name, best in leads.items() for x, o in best.points)
    best = leads["the empty board"].lead
    through = " or ".join(name for name, found in leads.items() if found.lead == best and "opening" in name)
    mended = " or ".join(f"the {pattern}" for pattern in fair_without(PATTERNS))
    return Computation(
        best > 0,
        f"Points of X and O by best play: {points}. X is {best} ahead in every game through {through}, so the scheme is"
        f" {'not ' if best else ''}fair; it would be if {mended} gave no point.",
    )
