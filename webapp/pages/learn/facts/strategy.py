"""Who can win, the reduced tree with its scores, and every game against the best answers, as in the Clojure article."""

from collections import defaultdict
from collections.abc import Mapping

from solver.articles.openings import starts, tic_tac_toe_openings, worth
from solver.articles.patterns import best_play, fair_without, forceable
from solver.articles.reduced import TREE_RULES, best_path, is_settled, reduced_tree, scores
from solver.board.game import PATTERNS, Pattern, Points
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE
from solver.pictures.gallery import picture_named
from solver.pictures.poster import BestReply, map_of_moves, tally
from webapp.pages.learn.content import Facts, Remark, Shown
from webapp.pages.learn.facts.tree import draw_patterns
from webapp.pages.learn.facts.values import KINDS
from webapp.pages.learn.trees import TREE, link_boards, read_tree
from webapp.ui.address import Query
from webapp.ui.board import Mini, mini
from webapp.ui.filters import exactly

WIDTH, ROW = 720, 30
"""The width of the picture of all games, and the height of each row, in the picture's units."""


def draw_graph(query: Query) -> Shown:
    """Draw the graph of the gallery that is named `picture`, or else the tree of next moves. Raises NoughtsError."""
    name = query.get("picture", TREE)
    picture = read_tree(query).picture() if name == TREE else picture_named(name)
    return {"drawing": link_boards(picture, name), "name": name, "title": picture.title}


def draw_path(query: Query) -> Shown:
    """Draw the best path after an `opening`, with the scores of all moves or, if `count` says so, of distinct ones."""
    root, distinct = tic_tac_toe_openings()[query["opening"]].position, query["count"] == "distinct"
    choices, values = [*best_path(root, distinct).values()], scores(root, distinct)
    ways = (root, *(best[0] for best in choices if len(best) == 1))
    last = choices[-1] if len(choices[-1]) > 1 else ()

    def draw(position: Position) -> Mini:
        return mini(position, exactly(values[position]), KINDS[worth(position)])

    return {"path": tuple(map(draw, ways)), "choices": tuple(map(draw, last))}


def draw_replies(_: Query) -> tuple[Mini, ...]:
    """Draw O's replies to the edge opening with their scores, the best for O first."""
    edge = tic_tac_toe_openings()["edge"].position
    values = scores(edge)
    replies = sorted(reduced_tree(edge).children(edge), key=values.__getitem__)
    return tuple(mini(reply, exactly(values[reply]), KINDS[worth(reply)]) for reply in replies)


def count_readings(_: Query) -> Mapping[str, tuple[int, ...]]:
    """Count the nodes of the reduced tree from each start, for each way to read the article."""
    return {
        name: tuple(len(reduced_tree(root, reading).nodes) for root in starts().values())
        for name, reading in TREE_RULES.items()
    }


def list_forceable(_: Query) -> Mapping[str, tuple[Mini, Mapping[Pattern, bool]]]:
    """List the patterns that X can force from the empty board and after each opening."""
    return {name: (mini(starts()[name]), forced) for name, forced in forceable().items()}


def list_points(_: Query) -> Mapping[str, Points]:
    """List the points of X and of O for each end of a game, by the article's scheme."""
    return {f"{end} {'draw' if isinstance(end, Pattern) else 'wins'}": points for end, points in PATTERNS.items()}


def draw_games(_: Query) -> Shown:
    """Draw every game against O's best answers: a column for each game, a row for each move of X.

    `boxes` are SVG paths by style. A move that ends the game has a style named after the result for O.
    """
    every, styles = map_of_moves(TIC_TAC_TOE, Mark.O), {Result.O: "win", Result.DRAW: "draw", Result.X: "loss"}
    paths, rows, scale = defaultdict[str, str](str), _depth(every), WIDTH / _games(every)

    def draw(advice: BestReply, left: int, depth: int) -> None:
        for each in advice.answers.values():
            games, ended = _games(each), each.after.result
            high = ROW if ended is None else (rows - depth) * ROW
            x, y, wide = round(left * scale, 2), depth * ROW, round(games * scale, 2)
            paths["open" if ended is None else styles[ended]] += f"M{x:g} {y:g}h{wide:g}v{high:g}h{-wide:g}z"
            draw(each, left, depth + 1)
            left += games

    draw(every, 0, 0)
    return {"boxes": paths, "width": WIDTH, "height": rows * ROW, "counts": tally(every, Mark.O)}


def _games(advice: BestReply) -> int:
    """Return the number of finished games below a position, itself included."""
    return sum(map(_games, advice.answers.values())) or 1


def _depth(advice: BestReply) -> int:
    """Return the greatest number of moves that the other side can still make."""
    return max((1 + _depth(each) for each in advice.answers.values()), default=0)


def count_games() -> Facts:
    """Count the games against the best answers of each side."""
    o, x = (tally(map_of_moves(TIC_TAC_TOE, mark), mark) for mark in (Mark.O, Mark.X))
    return Facts.of(o=o, x=x)


def weigh_scheme() -> Facts:
    """Weigh the scheme of points: X's lead by best play, the openings that keep it, and the patterns to mend it."""
    best = {name: best_play(position) for name, position in starts().items()}
    lead = best["initial"].lead
    through = [name for name, each in best.items() if name != "initial" and each.lead == lead]
    return Facts.of(lead=lead, through=" or the ".join(through), mended=" or the ".join(fair_without()))


def judge_forcing(pattern: str) -> Facts:
    """Judge the openings by whether X can force a pattern after them."""
    forced = {name: row[Pattern(pattern)] for name, row in forceable().items() if name != "initial"}
    answers = {name: Remark.of("forced" if forces else "avoided", name=name) for name, forces in forced.items()}
    shape = draw_patterns({})[Pattern(pattern)][0]
    return Facts.of(answers, shape, titles={name: f"The {name}" for name in forced}, pattern=pattern)


def count_reduced() -> Facts:
    """Count the nodes of the reduced tree, and score its openings."""
    roots = {name: position for name, position in starts().items() if name != "initial"}
    nodes = {name: len(reduced_tree(root).nodes) for name, root in starts().items()}
    scored = {name: f"{float(scores(root)[root]):+.2f}".replace("-", "−") for name, root in roots.items()}
    return Facts.of(nodes=nodes, scores=scored)


def judge_stops(position: Position) -> Facts:
    """Judge whether the reduced tree stops at a position, and why."""
    right = "win" if worth(position) > 0 else "draw" if is_settled(position) else "trap"
    wrong = {name: f"no-{name}" for name in ("win", "draw", "trap")}
    return Facts.of(wrong | {right: right}, mini(position), mover=position.mover)
