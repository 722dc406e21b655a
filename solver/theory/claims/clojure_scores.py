"""The claims of the Clojure article's second part about the scores of the reduced tree and the best paths."""

from collections import Counter

from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell, cells_of
from solver.theory.claims.claim import Claim, Computation
from solver.theory.graph import Kind, graph_of
from solver.theory.openings import place_name, square_name, tic_tac_toe_openings, worth
from solver.theory.reduced import best_path, best_replies, is_settled, reduced_tree, scores
from solver.theory.tactics import forced_moves, owner

_EMPTY = Position(TIC_TAC_TOE)


def _opened(name: str) -> Position:
    return tic_tac_toe_openings()[name].position


def _score(name: str, distinct: bool = False) -> str:
    score = scores(_opened(name), distinct)[_opened(name)]
    return f"{score.numerator}/{score.denominator} = {float(score):.4f}"


def _by_opening(distinct: bool) -> dict[str, float]:
    return {name: float(scores(_opened(name), distinct)[_opened(name)]) for name in tic_tac_toe_openings()}


def _best(position: Position, distinct: bool = False) -> tuple[Position, ...]:
    """What the best moves by score lead to."""
    return best_replies(reduced_tree(position), scores(position, distinct), position)


def _played(before: Position, after: Position) -> Cell:
    (cell,) = cells_of(before.empty & ~after.empty)
    return cell


def _corner_score() -> Computation:
    return Computation(
        round(_by_opening(distinct=False)["corner"], 2),
        f"Exactly {_score('corner')} with symmetric moves counted;"
        f" {_score('corner', distinct=True)} with distinct moves only.",
    )


def _told_scores() -> str:
    return "; ".join(
        f"{words}: " + ", ".join(f"{name} {_score(name, distinct)}" for name in tic_tac_toe_openings())
        for words, distinct in (("Symmetric moves counted", False), ("distinct moves only", True))
    )


def _corner_highest() -> Computation:
    tops = {max(found, key=found.__getitem__) for found in map(_by_opening, (False, True))}
    return Computation(tops == {"corner"}, f"{_told_scores()}.")


def _edge_weakest() -> Computation:
    lows = {min(found, key=found.__getitem__) for found in map(_by_opening, (False, True))}
    return Computation(lows == {"edge"}, f"{_told_scores()}.")


def _places(distinct: bool) -> str:
    """The best path in words, each move as seen from the opening's square."""
    steps = best_path(_EMPTY, distinct)
    names = []
    for step in steps:
        if len(step.best) > 1:
            names.append(f"a choice of {len(step.best)}")
            break
        names.append(_place_in(step.best[0], step.position))
    return ", ".join(names)


def _place_in(after: Position, before: Position) -> str:
    """The square that was played, found on an image of `before` that lies in `after`."""
    for turn in before.rules.symmetries:
        image = before.transformed(turn)
        if image.x & ~after.x == 0 and image.o & ~after.o == 0:
            return square_name(_played(image, after))
    raise ValueError("A child holds an image of its parent.")


def _path() -> Computation:
    steps = best_path(_EMPTY)
    forks = [len(step.best) for step in steps]
    single = next((number for number, count in enumerate(forks) if count > 1), len(forks))
    last = steps[-1].best
    drawn = all(worth(position) == 0 and is_settled(position) for position in last)
    return Computation(
        [single, len(last)] if drawn and single == len(steps) - 1 else forks,
        f"The best path by score: {_places(distinct=False)}, and each of these draws with no fork ahead.",
    )


def _other_path() -> Computation:
    ways = [[step.best[0].canonical() for step in best_path(_EMPTY, distinct)] for distinct in (False, True)]
    common = next((number for number, pair in enumerate(zip(*ways, strict=False)) if pair[0] != pair[1]), len(ways[0]))
    openings = {next(iter(way)) for way in ways}
    flips = [
        reply
        for opening in tic_tac_toe_openings().values()
        for reply in opening.replies
        if scores(reply.position)[reply.position] * scores(reply.position, distinct=True)[reply.position] < 0
    ]
    return Computation(
        ways[0] != ways[1] and openings == {_opened("corner").canonical()},
        f"Symmetric moves counted: {_places(distinct=False)}. Distinct moves only: {_places(distinct=True)}. The two"
        f" part at move {common + 1}. First replies whose score even changes its sign: {len(flips)}.",
    )


def _edge_reply() -> Computation:
    edge = _opened("edge")
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


def _better_than_centre() -> Computation:
    edge = _opened("edge")
    centre, (best,) = edge.after(4), _best(edge)
    scored = [scores(each)[each] for each in (best, centre)]
    return Computation(
        scored[0] < scored[1] and worth(best) == worth(centre) == 0,
        f"The best reply scores {scored[0]}, the centre {scored[1]}; lower is better for O. Perfect play draws after"
        " either.",
    )


def _three_losing() -> Computation:
    (reply,) = _best(_opened("edge"))
    after = [reply.after(cell) for cell in reply.legal_moves]
    return Computation(
        [sum(worth(each) == -1 for each in after), len({each.canonical() for each in after})],
        "X's moves after edge and corner that O then wins by perfect play, and X's distinct moves in all.",
    )


def _best_answer() -> Computation:
    edge = _opened("edge")
    (reply,) = _best(edge)
    (answer,) = _best(reply)
    (last,) = _best(answer)
    (first,) = cells_of(edge.x)
    corner, taken = _played(reply, answer), _played(edge, reply)
    same_side = edge.rules.column_row(corner)[0] == edge.rules.column_row(taken)[0]
    found = place_name(corner, first), same_side, square_name(_played(answer, last)), worth(last), is_settled(last)
    return Computation(
        found == ("corner on the opposite edge", True, "centre", 0, True),
        f"X's best answer scores {scores(answer)[answer]}: the {found[0]}, on the side where O stands. O's best move is"
        f" then the {found[2]}, and no fork is ahead. Of O's {len(answer.legal_moves)} moves"
        f" {sum(worth(answer.after(cell)) == 1 for cell in answer.legal_moves)} lose.",
    )


def _edge_forks() -> Computation:
    forks = {
        name: Counter(
            str(owner(node)) for node, kind in graph_of(_opened(name), forced_moves).nodes.items() if kind is Kind.FORK
        )
        for name in tic_tac_toe_openings()
    }
    return Computation(
        all(forks["edge"][mark] == max(found[mark] for found in forks.values()) for mark in "XO"),
        "Forked positions below each opening, forced moves only, up to symmetry: "
        + ", ".join(f"{name} {found['X']} of X and {found['O']} of O" for name, found in forks.items())
        + ".",
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "clojure.corner-score-0.89",
        "The corner opening scores 0.89, averaged over all moves of the reduced tree.",
        0.89,
        _corner_score,
    ),
    Claim("clojure.corner-highest", "The corner is the first move with the highest score.", True, _corner_highest),
    Claim(
        "clojure.best-path",
        "On the best path four moves follow from the scores; on the fifth X has a choice of four, all mere draws.",
        [4, 4],
        _path,
    ),
    Claim(
        "clojure.best-path-distinct",
        "With distinct moves only, the best path goes another way in the corner branch.",
        True,
        _other_path,
    ),
    Claim(
        "clojure.best-reply-to-edge",
        "By the scores, O's best reply to the edge opening is a corner on the same edge.",
        "corner on the same edge",
        _edge_reply,
    ),
    Claim(
        "clojure.edge-better-than-centre",
        "After the edge O has a better reply than the centre, though the outcome is still a draw.",
        True,
        _better_than_centre,
    ),
    Claim(
        "clojure.edge-three-losing",
        "That reply leaves X three losing moves out of seven distinct ones.",
        [3, 7],
        _three_losing,
    ),
    Claim(
        "clojure.edge-best-answer",
        "X's best answer is the same corner of the opposite edge, and it is a draw once O takes the centre.",
        True,
        _best_answer,
    ),
    Claim("clojure.edge-weakest", "The edge is technically X's weakest opening.", True, _edge_weakest),
    Claim(
        "clojure.edge-forks",
        "The edge opening leads to many forked positions of both sides.",
        True,
        _edge_forks,
    ),
)
