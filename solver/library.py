"""The library's own questions: what commands do, as functions. What they return prints as the commands do.

A player is a name, a list of rules, a `Strategy`, or a function from a `Position` to a square.

>>> from solver import prove
>>> print(prove(lambda position: position.legal_moves[0], side="X"))
Beaten as X: 58 of 157 games lost.
The shortest game that beats it: a3 b3 c3 b2 a2 b1
Its mistake: a2 in XOX/.O./.... What holds there: b1.
It wins 83 and draws 16; 74 positions asked.
It lets a win slip in 22 positions, for example by c3 in XO./.../....
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

from solver.analysis import dataset as datasets
from solver.analysis import trial as trials
from solver.analysis.trial import FEASIBLE, BotProof, Trial, asked_as
from solver.board.game import Game
from solver.board.names import as_rules
from solver.board.notation import SaidInNotebooks, format_cell, format_percent, format_position, listed_cells, quoted
from solver.board.outcome import counted
from solver.board.pasted import Given, as_position
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell, Rules
from solver.errors import BadOption, check_text
from solver.players import Player, Strategy, as_strategy
from solver.players.match import match_games
from solver.proofs.predict import predict
from solver.proofs.tables import has_table, whole_table
from solver.search.budget import Budget
from solver.search.tables import seconds_of

if TYPE_CHECKING:
    from solver.pictures.gallery import Picture

CERTAINTY: Final = 0.95
"""The certainty with which samples have seen every square that a player takes often enough."""

PROVED: Final = Budget(nodes=200_000)
"""The positions of a proof for each mark."""

A_SEARCH: Final = 0.01
"""The processor seconds at which the search of a sampled position is reckoned, when a table is priced beside it."""

EACH: Final = Budget(nodes=20_000)
"""The search for each position of a data set."""

V = TypeVar("V", BotProof, Trial)


class Verdicts(dict[str, V], SaidInNotebooks):
    """What is proved of a player, by the mark it plays: "X" and "O", or one of them. `str` says it in words."""

    def __str__(self) -> str:
        return "\n".join(line for verdict in self.values() for line in verdict_words(verdict))

    __repr__ = __str__

    @property
    def unbeatable(self) -> bool:
        """True if nobody beats the player, with any of these marks."""
        return all(verdict.unbeatable for verdict in self.values())


def prove(
    player: Player | Mapping[Position | str, Cell | str],
    rules: Rules | str = TIC_TAC_TOE,
    side: str = "both",
    samples: int = 0,
    budget: Budget = PROVED,
) -> Verdicts[BotProof]:
    """Prove that nobody beats a player, or find the shortest game that does.

    The player can also be a table of moves, by positions or their texts. `side` is "X", "O" or "both". A player that
    draws by chance is asked `samples` times in each position. Raises NoughtsError.

    >>> print(prove("rulebook", side="O"))
    Unbeatable as O: 1,968 games, none lost.
    It wins 1,280 and draws 688; 693 positions asked.
    It lets no win slip.
    """
    rules = as_rules(rules)
    if isinstance(player, Mapping):
        rows = (asked_as(key) if isinstance(key, Position) else key for key in player)
        moves = (move if isinstance(move, str) else format_cell(move, rules) for move in player.values())
        asked: trials.Answerer | Strategy = trials.table(dict(zip(rows, moves, strict=True)), rules)
    else:
        asked = as_strategy(player, rules)
    return Verdicts({mark: trials.prove(asked, mark, rules, samples, budget) for mark in marks_of(side)})


def verify(
    player: Player, rules: Rules | str = TIC_TAC_TOE, side: str = "both", budget: Budget = FEASIBLE
) -> Verdicts[Trial]:
    """Try a player by rules, or any other, against every line of play; as `prove`, with the rules that decided.

    Raises NoughtsError, and TooLarge if the budget runs out.

    >>> verify("win, block, guard, live lines").unbeatable
    True
    """
    rules = as_rules(rules)
    return Verdicts({mark: trials.trial(as_strategy(player, rules), mark, rules, budget) for mark in marks_of(side)})


def marks_of(side: str) -> tuple[Mark, ...]:
    """Return the marks of a side: X, O, or both. Raises BadOption."""
    if side not in ("both", *Mark):
        raise BadOption(f"{quoted(str(side))} is no side: give X, O or both.")
    return tuple(Mark) if side == "both" else (Mark(side),)


@overload
def match(
    x: Player, o: Player, board: Rules | str = ..., games: int = ..., seed: str | None = ...
) -> Counter[Result]: ...
@overload
def match(
    x: Player, o: Player, board: Rules | str = ..., games: int = ..., seed: str | None = ..., *, record: bool
) -> tuple[Game, ...]: ...
def match(  # noqa: PLR0913, PLR0917 - a match, and what is wanted of it
    x: Player,
    o: Player,
    board: Rules | str = TIC_TAC_TOE,
    games: int = 100,
    seed: str | None = None,
    record: bool = False,
) -> Counter[Result] | tuple[Game, ...]:
    """Play games between two players and count the results, or return the games if `record` is true.

    With a seed, the games are the same on every machine. Raises UnknownPlayer, BadRules for what isn't a board, and
    BadOption for a number of games less than 1.

    >>> match("easy", "impossible", games=200, seed="1")
    Counter({<Result.O: 'O'>: 156, <Result.DRAW: 'draw'>: 44})
    >>> match("easy", lambda position: position.legal_moves[0], games=2, seed="1", record=True)[1].last.result
    <Result.O: 'O'>
    """
    if not (isinstance(games, int) and games >= 1):
        raise BadOption(f"Ask for 1 game or more, not {games}.")
    rules = as_rules(board)
    played = match_games(
        rules, as_strategy(x, rules), as_strategy(o, rules), games, None if seed is None else str(seed)
    )
    return tuple(played) if record else Counter(game.last.result or Result.DRAW for game in played)


def dataset(
    rules: Rules | str = TIC_TAC_TOE, sample: int | None = None, seed: str | None = None, budget: Budget = EACH
) -> Iterator[dict[str, Any]]:
    """Yield a record for each position of a board, or for a sample of different positions of random games.

    The fields are those of `noughts dataset`. A board with a table is solved as a whole first; elsewhere the budget is
    for one position. Raises NoughtsError at once.

    >>> positions = [*dataset("2x2x2")]
    >>> len(positions), positions[0]["outcome"], positions[0]["plies"], positions[0]["best"]
    (29, 'win', 3, ['a2', 'b2', 'a1', 'b1'])
    """
    rules = as_rules(rules)
    if sample is None and seed is not None:
        raise BadOption("A seed belongs to a sample: name its size too.")
    if sample is None:
        positions = datasets.every_position(rules)
    else:
        positions = datasets.sampled_positions(rules, sample, None if seed is None else str(seed))
    if has_table(rules) and (sample is None or seconds_of(rules) <= A_SEARCH * sample):
        whole_table(rules)
    return (datasets.row_of(predict(position, budget)) for position in positions)


def tree(position: Given = TIC_TAC_TOE, depth: int = 1, distinct: bool = False) -> "Picture":
    """Return the picture of the game tree below a position, `depth` plies deep: its `svg`, or its `dot`.

    If `distinct`, symmetric positions share a node. Raises NoughtsError.

    >>> tree("X.O/.X./..O").boards
    6
    """
    from solver.pictures.gallery import tree_picture  # noqa: PLC0415 - only pictures load what draws them

    return tree_picture(as_position(position), depth, distinct)


def picture(name: str) -> "Picture":
    """Return a picture of the gallery, which `noughts picture` lists. Raises BadOption for another name.

    >>> picture("forced-centre").title
    'Forced moves from the centre opening'
    """
    from solver.pictures.gallery import picture_named  # noqa: PLC0415 - only pictures load what draws them

    check_text(name, "the name of a picture")
    return picture_named(name)


def verdict_words(verdict: BotProof | Trial) -> Iterator[str]:
    """Yield the lines that say what is proved of a player with one mark."""
    return _proof_words(verdict) if isinstance(verdict, BotProof) else _trial_words(verdict)


def _proof_words(proof: BotProof) -> Iterator[str]:
    mark, rules, counts = proof.mark, proof.rules, proof.counts
    games = counts and counted(counts.games, "game", "games")
    asked = f"{counted(proof.asked, 'position', 'positions')} asked"
    if proof.problem is not None:
        said = "no answer" if proof.problem.answer is None else f"the answer {quoted(proof.problem.answer)}"
        yield f"Broken as {mark}: {said} in {asked_as(proof.problem.position)}. {proof.problem.message}"
    elif proof.game is not None:
        lost = f"{counts.lost:,} of {games} lost" if counts else asked
        yield f"Beaten as {mark}: {lost}."
        yield f"The shortest game that beats it: {' '.join(format_cell(cell, rules) for cell in proof.game.moves)}"
        if proof.blame is not None:
            move, better = format_cell(proof.blame.cell, rules), listed_cells(proof.blame.better, rules)
            yield f"Its mistake: {move} in {asked_as(proof.blame.position)}. What holds there: {better}."
        elif counts:
            yield f"No move of it erred: perfect play beats {mark} from the start."
    elif not proof.samples and counts:
        yield f"Unbeatable as {mark}: {games}, none lost."
    elif counts:
        missed = 1 - (1 - CERTAINTY) ** (1 / proof.samples)
        yield f"Not beaten as {mark}: {games}, none lost. Each position was asked {proof.samples} times."
        yield (
            f"That is a bound, not a proof: a square that it takes with a chance of {format_percent(missed)} or more in"
            f" one of these positions has been seen with a certainty of {CERTAINTY:.0%}."
        )
    elif proof.verdict == "unbeatable":
        yield f"Unbeatable as {mark}: no line of play loses. Games can go on for ever; {asked}."
    else:
        yield f"Not decided as {mark}: {asked}, no game lost so far. A larger --budget goes farther."
    if counts:
        yield f"It wins {counts.won:,} and draws {counts.drawn:,}; {asked}."
    if proof.slips == 0:
        yield "It lets no win slip."
    elif proof.slip is not None:
        slip = f"{format_cell(proof.slip.cell, rules)} in {asked_as(proof.slip.position)}"
        yield f"It lets a win slip in {counted(proof.slips or 0, 'position', 'positions')}, for example by {slip}."


def _trial_words(tried: Trial) -> Iterator[str]:
    counts, rules = tried.counts, tried.rules
    verdict = "unbeatable" if tried.unbeatable else "can be beaten"
    yield f"{tried.strategy.title} as {tried.mark} on {rules}: {verdict}."
    yield f"{counted(counts.games, 'game', 'games')}: {counts.won:,} won, {counts.drawn:,} drawn, {counts.lost:,} lost."
    if tried.refutation:
        yield "A shortest game that it loses:"
        for number, ply in enumerate(tried.refutation.plies):
            erred = "  <- the move that loses" if number == tried.refutation.erred else ""
            yield f"  {ply.position.mover} {format_cell(ply.cell, rules)}  {ply.reason}".rstrip() + erred
        if tried.refutation.erred is None:
            yield f"No move of it erred: perfect play beats {tried.mark} from the start."
    if tried.slip is None:
        yield f"It lets no win slip, in any of {tried.positions:,} positions."
    else:
        slip = tried.slip
        yield (
            f"It may let a win slip, in {tried.slips:,} of {tried.positions:,} positions:"
            f" in {format_position(slip.position)} by {format_cell(slip.cell, rules)} ({slip.reason})."
        )
