"""The lesson on all boards up to 8×8: who wins on each, how that is proved, and what its first moves are worth.

Games by other rules are listed a family at a time.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from solver.board.position import Position
from solver.board.rules import MAX_SIDE, Rules
from solver.catalogue.certify import SOON_CERTIFIED
from solver.catalogue.entry import Entry, atlas, entry_named
from solver.catalogue.games import ProvedGame, proved_games
from solver.catalogue.make import OPPONENTS
from solver.errors import BadOption
from solver.players import STRATEGIES
from webapp.pages.learn.content import Shown
from webapp.pages.learn.lesson import Lesson
from webapp.ui.address import Query, chosen
from webapp.ui.board import mini, of_outcomes
from webapp.ui.filters import Option, board_size, options

SHOWN: Final = "6x5x4"
"""The board whose first moves the page shows by default: X wins, but only just."""

FAMILY: Final = "torus"
"""The family of games that the page lists by default."""

SPACE: Final = "space"
"""The name of the family of games in space, which have no clause in their names."""

CERTIFIED: Final = "5x5x4"
"""The board to certify as an example, if the certificate of the board shown would take too long."""

ORDER: Final = (*range(3, MAX_SIDE + 1), 1, 2)
"""The order of the grids, by the number in a row. One and two in a row are hardly games, so they come last."""


def view(query: Query) -> Shown:
    """Show all boards, the first moves of the `board` asked for, and a family of games. Raises NoughtsError."""
    looked = entry_named(query.get("board") or SHOWN)
    family = chosen("rules", query.get("rules", ""), ("", *families())) or FAMILY
    entries = [*atlas().values()]
    return _first_moves(looked) | {
        "grids": {k: [each for each in entries if each.k == k] for k in ORDER},
        "options": tuple(
            Option(str(each), f"{each.columns}×{each.rows} · {each.k}", str(each) == str(looked))
            for each in sorted(entries, key=lambda each: (each.k, each.columns, each.rows))
            if each.rules and each.k > 2
        ),
        "unproved": [each for each in entries if each.proof is None],
        "differing": [each for each in entries if each.differs],
        "families": options({name: _title(found[0].rules) for name, found in families().items()}, family),
        "games": families()[family],
        "proved": sum(each.proof is not None for each in proved_games().values()),
    }


@cache
def families() -> Mapping[str, tuple[ProvedGame, ...]]:
    """Return the games by other rules, by what their names have in common: the clauses, or that they are in space."""
    groups: dict[str, list[ProvedGame]] = {}
    for game in proved_games().values():
        groups.setdefault(str(game).partition("-")[2] or SPACE, []).append(game)
    return MappingProxyType({name: tuple(listed) for name, listed in groups.items()})


def _title(rules: Rules) -> str:
    """Name the clauses of a game without its size."""
    clauses = board_size(rules).removeprefix(rules.sides).strip()
    named = " ".join(filter(None, (clauses, rules.shape and rules.shape.words)))
    return (named or "in space")[:1].upper() + (named or "in space")[1:]


def _first_moves(entry: Entry) -> dict[str, object]:
    """Show a board with the outcome of each first move, and the pairing that proves it, if there is one.

    `certified` names a board whose certificate is quick to write: this one if possible, or else an example. Each row of
    `hardest` is about one opponent: its title, the drawn first moves after which it loses most often, and the chance
    that it loses.
    """
    if entry.rules is None:
        raise BadOption(f"No line fits on {entry}, so all first moves draw. Choose another board.")
    empty = Position(entry.rules)
    numbers = {cell: str(number) for number, pair in enumerate(entry.pairs, 1) for cell in pair}
    hardest = ((name, entry.hardest_to_hold(name)) for name in OPPONENTS)
    return {
        "looked": entry,
        "board": of_outcomes(empty, entry.openings),
        "paired": mini(empty, texts=numbers) if entry.pairs else None,
        "certified": str(entry) if entry.proof and entry.nodes < SOON_CERTIFIED else CERTIFIED,
        "hardest": [(STRATEGIES[name].title, cells, entry.chances[name][cells[0]]) for name, cells in hardest if cells],
    }


LESSON = Lesson.of("boards", parts=("board", "rules"), view=view)
