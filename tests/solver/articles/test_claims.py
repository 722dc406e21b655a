"""The claims: each with a verdict that follows from its figures; the words and tables of two articles."""

import re

import pytest

from solver.articles.claims import CLAIMS, MEASURES
from solver.articles.claims.claim import Claim, Computation, Finding, Measures, Verdict
from solver.articles.claims.erlang import magnitude
from tests.solver.articles import printed


@pytest.mark.parametrize(
    ("published", "computed", "deviating", "verdict"),
    [
        (3, 3, None, Verdict.CONFIRMED),
        (3, 4, 5, Verdict.REFUTED),
        (3, 4, 3, Verdict.EXPLAINED),
        ({"lost": 0}, {"won": 3, "lost": 0}, None, Verdict.CONFIRMED),
        ({"lost": 1}, {"won": 3, "lost": 0}, None, Verdict.REFUTED),
        ({"lost": 0, "drawn": 0}, {"won": 3, "lost": 0}, None, Verdict.REFUTED),
    ],
)
def test_figures_make_the_verdict(published: object, computed: object, deviating: object, verdict: Verdict) -> None:
    claim = Claim("scala.example", Measures(), "An example.", "Because.", "measure.figure", published=published)
    assert Finding(claim, Computation(computed, "Because.", deviating)).verdict is verdict


@pytest.mark.parametrize("key", MEASURES)
def test_every_measure_is_spoken_of_by_a_claim(key: str) -> None:
    named = [f"{{{claim.computed}}} {claim.explanation}" for claim in CLAIMS.values() if claim.article.key == key]
    taken = [
        name.removeprefix("_")
        for module in MEASURES[key].modules
        for name, value in vars(module).items()
        if name.startswith("_") and getattr(value, "__annotations__", {}).keys() == {"return"}
    ]
    assert sorted(taken) == sorted(set(re.findall(r"\{(\w+)", " ".join(named))))


def test_numbers_are_spoken_of_as_the_article_does() -> None:
    words = ["fewer", "thousands", "tens of thousands", "several hundred thousand", "millions"]
    assert [*map(magnitude, (999, 1_000, 99_999, 100_000, 2_000_000))] == words


STAGES = {
    "won-cut": printed.TABLES["WON_CUT"],
    "duplicates": printed.TABLES["DUPLICATES"],
    "symmetry": printed.TABLES["SYMMETRY"],
    "forced": printed.TABLES["FORCED"],
}
"""The printed counts of each stage, in the order of the tracking table."""


@pytest.mark.parametrize("name", STAGES)
def test_what_is_published_by_level_is_what_the_article_prints(name: str) -> None:
    keys = {"internal": "inode", "x": "x", "o": "o", "draw": "draw", "dup": "dup", "sym": "sym"}
    levels = printed.levels(STAGES[name])
    columns = {key: [level.get(word, 0) for level in levels] for key, word in keys.items()}
    published = CLAIMS[f"clojure.{name}-by-level"].published
    assert published == {key: column for key, column in columns.items() if any(column)}


@pytest.mark.parametrize("name", STAGES)
def test_the_totals_published_are_those_of_the_tracking_table(name: str) -> None:
    def total(word: str) -> int:
        rows = [line for line in printed.TABLES["TRACKING"].splitlines() if line.startswith(word)]
        return printed.numbers(rows[list(STAGES).index(name)])[-1]

    kinds = {"internal": total("Internal"), "x": total("X-wins"), "o": total("O-wins")}
    assert CLAIMS[f"clojure.{name}-kinds"].published == kinds
    assert CLAIMS[f"clojure.{name}"].published == total("Total")


def test_the_rows_of_totals_published_are_those_of_the_tracking_table() -> None:
    rows = [line for line in printed.TABLES["TRACKING"].strip().splitlines() if line.startswith("Total")]
    assert list(CLAIMS["clojure.totals-by-level"].published.values()) == [printed.numbers(row)[:-1] for row in rows]


def test_the_factors_and_the_bound_published_are_those_of_the_articles_table() -> None:
    rows = [line.split() for line in printed.TABLES["DUPLICATION"].strip().splitlines()]
    factors = [int(row[4].split("=")[1]) for row in rows]
    assert CLAIMS["clojure.duplication-factors"].published == factors
    assert CLAIMS["clojure.distinct-upper-bound-by-level"].published == [int(row[5]) for row in rows]


def test_the_forks_published_are_those_that_the_article_prints() -> None:
    levels = printed.levels(printed.TABLES["FORKS"])
    forks = {str(level): counts["fork"] for level, counts in enumerate(levels) if "fork" in counts}
    split = [[counts["fork"], counts["inode"]] for counts in levels if "fork" in counts]
    assert CLAIMS["clojure.forks-by-ply"].published == forks
    assert CLAIMS["clojure.forks-split"].published == split
