"""Players that search: perfect play, with or without a tie-break, and the searches of the articles.

Perfect play prefers quick wins and slow losses. For plain minimax and alpha-beta, all wins are equally good.

Plain minimax is from "Minimax-based AI for the Tic-Tac-Toe game in Scala". It searches the whole tree for the values 1,
0 and -1. The article puts the best moves into a set and takes the last one, but the order of a set is unspecified. Here
all best moves are equally likely.

Alpha-beta to a depth is from the article on lazy game trees in Haskell. Every unfinished position has the static value
0. The article computes the values of moves but chooses none, and its test of the anti-diagonal looks at the diagonal
again. Here the test is right, and all best moves are equally likely. On boards with a table of all positions, the table
replaces a search of n plies: it gives the wins and losses that take at most n plies.

The player "Two in a row" gives points for two in a row at the end of its look-ahead. The Haskell article says that its
own static value lacks this. This player does prefer quick wins and slow losses.

Both tie-breaks come from comments on the Erlang article. They are for boards with a table of all positions.

- *Opportunities* are "Winning next moves minus losing next moves". The comment does not say for whom. Here the next
  moves are the opponent's replies, and a reply is winning if the player who took the square wins after it with perfect
  play. So of several draws, the best is the one after which most replies lose for the opponent.
- *Paths* are all ways for the game to go on to its end, good play or bad. A path that ends with the square itself
  weighs 1, and each further ply halves its weight. The value of a square is the weight of the paths that its player
  wins, less the weight of the paths that this player loses.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import perm
from typing import Final

from solver.board.outcome import DRAWN, PROVED, Outcome, Score, Value, counted, sign, to_parent
from solver.board.position import Position
from solver.board.rules import Cell, Rules
from solver.kernel.potential import promise
from solver.players.decision import FINISHED, Decision, any_of
from solver.proofs.predict import predict, predict_reproducibly
from solver.proofs.prediction import Prediction
from solver.search.budget import BudgetExhausted
from solver.search.fold import fold, itself
from solver.search.minimax import Evaluate, alphabeta, nothing_known, two_in_a_row
from solver.search.tablebase import look_up

BEST_OUTCOME: Final = "the best move there is"
"""The reason of perfect play for a move whose outcome is proved."""


def impossible(position: Position) -> Decision:
    """Choose any of the best squares: the quickest win, else a draw, else the slowest loss.

    If the best square is not proved, take the square with the best proved outcome, unless that is a loss. Otherwise
    take the most promising square that is not proved lost. If all squares are proved lost, take the one that holds out
    longest.
    """
    return best_known(predict(position))


def impossible_reproducibly(position: Position) -> Decision:
    """Choose as `impossible` does, after a search of a fixed length: the same on every machine, however busy."""
    return best_known(predict_reproducibly(position))


def best_known(prediction: Prediction) -> Decision:
    """Choose among the squares as Perfect does, by their predictions. Raise ValueError for a finished game."""
    position, squares, mover = prediction.position, prediction.squares, prediction.position.mover
    if not squares:
        raise ValueError(FINISHED)
    if best := prediction.best:
        return any_of(best, BEST_OUTCOME, squares[best[0]].words(mover, position.rules))
    floor = {cell: outcome.ranks.lower for cell, outcome in squares.items()}
    top = max(floor.values())
    safest = [cell for cell in floor if floor[cell] == top]
    if top >= DRAWN:
        words = squares[safest[0]].words(mover, position.rules)
        return any_of(
            safest, "the best move that is proved", f"{words}; whether another square is better is not proved"
        )
    holding = {cell: promise(position, cell) for cell in squares if squares[cell].value is not Value.LOSS}
    promising = [cell for cell in holding if holding[cell] == max(holding.values())]
    if not promising:
        return any_of(
            safest, "it holds out longest, as far as is proved", squares[safest[0]].words(mover, position.rules)
        )
    guessed = any(holding.values())
    return any_of(
        promising,
        "it looks most promising, but nothing is proved" if guessed else "any square that isn't known to lose",
    )


MAX_NODES = 30_000
"""The most nodes that the search for a move visits. To stay within it, searches on larger boards are less deep."""


def plain_minimax(position: Position) -> Decision:
    """Choose any square of the best value, whether it wins at once or late, on boards with a table of all positions."""
    prediction = predict(position)
    for value, words in ((Value.WIN, "a win"), (Value.DRAW, "a draw"), (Value.LOSS, "a loss")):
        if cells := prediction.of_value(value):
            return any_of(cells, "a best move, however late it wins", words)
    raise ValueError(FINISHED)


def alphabeta_to(depth: int, position: Position) -> Decision:
    """Look `depth` plies ahead, its own move included, and choose any of the best squares."""
    asked = min(depth, position.plies_left)
    return _foremost(asked, *_signs(position, asked), _say_foreseen)


def valuing_two_in_a_row(depth: int, position: Position) -> Decision:
    """Look `depth` plies ahead and then count two in a row. A line outweighs any number."""
    asked = min(depth, position.plies_left)
    return _foremost(asked, *_scores(position, asked, two_in_a_row), _say_balance)


def _foremost(asked: int, values: Mapping[Cell, int], reached: int, words: Callable[[int], str]) -> Decision:
    """Choose any square of the greatest value, with that value in words; `reached` of the `asked` plies were seen."""
    best = max(values.values(), default=0)
    short = f" (of {asked} asked for)" if reached < asked else ""
    reason = f"looking {counted(reached, 'ply', 'plies')} ahead{short}"
    return any_of((cell for cell in values if values[cell] == best), reason, words(best))


def _say_foreseen(value: int) -> str:
    return {1: "it sees a win", 0: "it sees no win and a way not to lose", -1: "it sees only losses"}[value]


def _say_balance(score: Score) -> str:
    if abs(score) >= PROVED:
        return "it sees a win" if score > 0 else "it sees only losses"
    if not score:
        return "as many two in a row as the opponent"
    return f"{abs(score)} {'more' if score > 0 else 'fewer'} two in a row than the opponent"


def never_cut(depth: int, rules: Rules) -> bool:
    """Return whether a look-ahead of `depth` plies never exceeds MAX_NODES on a board."""
    searches = (perm(rules.size, ply) for plies in range(1, depth + 1) for ply in range(1, plies + 1))
    return rules.is_small or sum(searches) <= MAX_NODES


def _signs(position: Position, depth: int) -> tuple[Mapping[Cell, int], int]:
    """Return the value of each move (1, 0 or -1), and the depth of the search, which MAX_NODES may reduce."""
    if position.rules.is_small:
        return {cell: sign(seen_within(depth, outcome)) for cell, outcome in predict(position).squares.items()}, depth
    scores, reached = _scores(position, depth, nothing_known)
    return {cell: sign(score) for cell, score in scores.items()}, reached


def _scores(position: Position, depth: int, evaluate: Evaluate) -> tuple[Mapping[Cell, Score], int]:
    """Return the score of each move for the mover, and the depth of the search, which MAX_NODES may reduce."""
    orbits = position.orbits()
    nodes, reached = 0, 0
    scores: dict[Cell, Score] = {}
    for plies in range(1, depth + 1):
        deeper: dict[Cell, Score] = {}
        for orbit in orbits:
            try:
                searched = alphabeta(position.after(orbit[0]), plies - 1, evaluate, max_nodes=MAX_NODES - nodes)
            except BudgetExhausted:
                return scores, reached
            nodes += searched.nodes
            deeper |= dict.fromkeys(orbit, to_parent(searched.score))
        scores, reached = dict(sorted(deeper.items())), plies
    return scores, reached


def seen_within(depth: int, outcome: Outcome) -> Score:
    """Return the score that a search of `depth` plies gives an outcome: a draw if the game is not decided by then."""
    return outcome.rank if outcome.plies is not None and outcome.plies <= depth else DRAWN


WEIGHT: Final = Fraction(1, 2)
"""The factor by which each further ply reduces a path's weight."""


def impossible_by(
    name: str, measure: Callable[[Position, Cell], "Opportunities | Paths"], position: Position
) -> Decision:
    """Choose among the best squares by this tie-break, on boards with a table of all positions."""
    prediction = predict(position)
    if not prediction.squares:
        raise ValueError(FINISHED)
    best = prediction.best
    outcome = prediction.squares[best[0]].words(position.mover, position.rules)
    if len(best) == 1:
        return any_of(best, f"{BEST_OUTCOME}, and the only one", outcome)
    worths = {cell: measure(position, cell) for cell in best}
    top = max(worth.value for worth in worths.values())
    chosen = [cell for cell in best if worths[cell].value == top]
    reason = f"{BEST_OUTCOME}, and of several the first by {name}"
    return any_of(chosen, reason, f"{outcome}; {worths[chosen[0]].words()}")


@dataclass(frozen=True, slots=True)
class Opportunities:
    """Two numbers of replies: those after which the player who took the square wins, and those after which it loses."""

    winning: int
    losing: int

    @property
    def value(self) -> int:
        """The tie-break: more is better."""
        return self.winning - self.losing

    def words(self) -> str:
        """Return the count in words."""
        replies = "1 reply lets" if self.winning == 1 else f"{self.winning} replies let"
        return f"{replies} it win and {self.losing} lose: {self.value:+d}"


def opportunities(position: Position, cell: Cell) -> Opportunities:
    """Return the opportunities after an open square is taken. If that ends the game, there are no replies."""
    after = position.after(cell)
    scores = [look_up(after.after(reply)) for reply in after.legal_moves]
    return Opportunities(sum(score > DRAWN for score in scores), sum(score < DRAWN for score in scores))


@dataclass(frozen=True, slots=True)
class Paths:
    """The numbers of paths from a square that its player wins, draws and loses, and their worth."""

    won: int
    drawn: int
    lost: int
    value: Fraction
    """The weight of the paths won, less the weight of the paths lost. More is better."""

    def words(self) -> str:
        """Return the counts in words."""
        return f"{self.won:,} paths win, {self.lost:,} lose, weighing {float(self.value):+.3f} together"


def paths(position: Position, cell: Cell) -> Paths:
    """Return all paths from an open square, on boards of up to nine cells."""
    return _paths(position.after(cell))


def _end_of(position: Position) -> Paths:
    return Paths(1, 0, 0, Fraction(1)) if position.winning_lines else Paths(0, 1, 0, Fraction(0))


def _add_up(_: Position, replies: Sequence[Paths]) -> Paths:
    """Add up the paths of all replies. Paths that the mover wins are lost for the player who moved last."""
    return Paths(
        sum(reply.lost for reply in replies),
        sum(reply.drawn for reply in replies),
        sum(reply.won for reply in replies),
        -WEIGHT * sum(reply.value for reply in replies),
    )


_paths = fold(_end_of, _add_up, Position.successors, itself)
"""The paths from a position for the player who moved last."""
