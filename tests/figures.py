"""The figures of the articles, computed; as a program, this writes those that are shipped."""

from solver.articles.claims import CLAIMS
from solver.articles.claims.claim import examine
from solver.articles.crosstable import crosstable
from solver.articles.figures import FILE, Figures
from solver.articles.rulebooks import trials
from solver.board.position import Result
from solver.board.rules import TIC_TAC_TOE
from webapp.pages.learn.facts.pyfl import PROGRAMS, player_of


def pairs() -> dict[str, str]:
    table = crosstable(TIC_TAC_TOE)
    return {
        f"{x} {o}": " ".join(map(str, (*(chances[result] for result in Result), *table.points[x, o])))
        for (x, o), chances in table.chances.items()
    }


def programs() -> dict[str, list[int]]:
    return {title: lost_by(title) for title, text in PROGRAMS.items() if player_of(text)}


def lost_by(title: str) -> list[int]:
    """Return how many games a program of the PyFL article's page loses as X and as O."""
    played = player_of(PROGRAMS[title])
    assert played
    return [each.counts.lost for each in trials(played[1])]


def compute() -> Figures:
    return Figures(
        {name: examine(claim).computation for name, claim in CLAIMS.items()},
        pairs(),
        programs(),
    )


if __name__ == "__main__":
    FILE.write_bytes(compute().text())
