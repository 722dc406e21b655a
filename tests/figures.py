"""The figures of the articles, computed; as a program, this writes those that are shipped."""

from solver.articles.claims import CLAIMS
from solver.articles.claims.claim import examine
from solver.articles.crosstable import crosstable
from solver.articles.figures import FILE, Figures, ShippedTrial, trial_key
from solver.articles.rulebooks import Aim, Shortest, shortest
from solver.articles.trials import TRIED_BOARDS, try_strategy
from solver.board.notation import parse_rules
from solver.board.position import Mark, Result
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.players import Strategy, playing_on

SOUGHT = (
    (Aim.UNBEATABLE, 0),
    (Aim.UNBEATABLE, 1),
    (Aim.UNBEATABLE, 2),
    (Aim.UNBEATABLE, 3),
    (Aim.UNBEATABLE, 4),
    (Aim.KEEPS_EVERY_WIN, 3),
    (Aim.SOUND, 3),
    (Aim.PERFECT, 4),
)
"""The searches for the shortest lists of rules: the aim of each, and the plies that the rules may look ahead."""

TRIALS: dict[str, tuple[Strategy, Mark, Rules]] = {
    trial_key(strategy.name, mark, rules): (strategy, mark, rules)
    for rules in map(parse_rules, TRIED_BOARDS)
    for strategy in playing_on(rules)
    for mark in Mark
}
"""The trials of all opponents on the boards of the lesson."""


def search(aim: Aim, sight: int) -> tuple[Aim, int, Shortest]:
    lists = shortest(aim, sight)
    assert lists is not None
    return aim, sight, lists


def pairs() -> dict[str, str]:
    table = crosstable(TIC_TAC_TOE)
    return {
        f"{x} {o}": " ".join(map(str, (*(chances[result] for result in Result), *table.points[x, o])))
        for (x, o), chances in table.chances.items()
    }


def compute() -> Figures:
    return Figures(
        {name: examine(claim).computation for name, claim in CLAIMS.items()},
        tuple(search(*sought) for sought in SOUGHT),
        {key: ShippedTrial.of(try_strategy(*tried)) for key, tried in TRIALS.items()},
        pairs(),
    )


if __name__ == "__main__":
    FILE.write_bytes(compute().text())
