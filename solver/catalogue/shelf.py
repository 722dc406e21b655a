"""The shelf with what is known of each game: who wins and in how many moves, and which levels play it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from solver.board.names import parse_rules
from solver.board.outcome import Outcome, Value, counted
from solver.board.position import Mark
from solver.board.rules import Rules
from solver.board.shelf import SHELF, NamedGame, board_called, fold
from solver.catalogue.games import board_or_game
from solver.players import STRATEGIES
from solver.players.levels import LEVELS


@dataclass(frozen=True, slots=True)
class ShelfGame:
    """A game of the shelf. The outcome is that of the empty board for whoever begins, unknown if nothing is proved."""

    game: NamedGame
    outcome: Outcome
    proved: bool
    levels: tuple[str, ...]

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return parse_rules(self.game.board)

    @property
    def who_wins(self) -> str:
        """Who wins with best play and in how many moves, such as "X wins in 4 moves"; "nobody knows" without proof."""
        if not self.proved:
            return "nobody knows"
        if self.outcome.is_endless:
            return "a draw without end"
        if self.outcome.value is Value.DRAW:
            return "a draw"
        winner = self.rules.player(Mark.X if self.outcome.value is Value.WIN else Mark.O)
        plies, most = self.outcome.plies, self.outcome.at_most
        if plies is None and most is None:
            return f"{winner} wins"
        moves = ((plies or most or 0) + (not self.rules.completing_loses)) // 2  # the winner's own
        return f"{winner} wins in {'at most ' if plies is None else ''}{counted(moves, 'move', 'moves')}"


@cache
def shelf() -> tuple[ShelfGame, ...]:
    """Return all games of the shelf, in its order."""
    return tuple(map(_with_facts, SHELF))


def _with_facts(game: NamedGame) -> ShelfGame:
    entry, rules = board_or_game(game.board), parse_rules(game.board)
    levels = tuple(level for level in LEVELS if STRATEGIES[level].plays_on(rules))
    return ShelfGame(game, entry.outcome, entry.proof is not None, levels)


def games_matching(query: str) -> tuple[ShelfGame, ...]:
    """Return the games that a search finds, in the order of the shelf: all for an empty query.

    A name, a board or a family finds what is called so alone. Other words are looked for in names and rules, where each
    of them has to begin a word.

    >>> [found.game.name for found in games_matching("upside down")]
    ['Möbius', 'Klein', 'Projective']
    """
    asked, board = fold(query), board_called(query)
    same = [each for each in shelf() if asked == fold(each.game.family)]
    same = same or [each for each in shelf() if each.game.board == board or fold(each.game.board) == asked]
    words = _words(query)
    return tuple(same or [each for each in shelf() if _has_all(each.game, words)]) if asked else shelf()


def _has_all(game: NamedGame, words: Iterable[str]) -> bool:
    """Return whether each of the words begins a word about the game."""
    said = _words(" ".join((game.name, game.board, game.family, game.rule, *game.also)))
    return all(any(each.startswith(word) for each in said) for word in words)


def _words(text: str) -> list[str]:
    return [word for each in re.split(r"[\s\-]+", text) if (word := fold(each))]
