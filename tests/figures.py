"""The figures of the articles, computed; as a program, this writes those that are shipped."""

from solver.articles.claims import CLAIMS
from solver.articles.claims.claim import examine
from solver.articles.crosstable import crosstable
from solver.articles.figures import FILE, Figures
from solver.board.position import Result
from solver.board.rules import TIC_TAC_TOE


def pairs() -> dict[str, str]:
    table = crosstable(TIC_TAC_TOE)
    return {
        f"{x} {o}": " ".join(map(str, (*(chances[result] for result in Result), *table.points[x, o])))
        for (x, o), chances in table.chances.items()
    }


def compute() -> Figures:
    return Figures(
        {name: examine(claim).computation for name, claim in CLAIMS.items()},
        pairs(),
    )


if __name__ == "__main__":
    FILE.write_bytes(compute().text())
