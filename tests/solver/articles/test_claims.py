"""The claims: each with a verdict that follows from its figures; and the Erlang article's orders of magnitude."""

import pytest

from solver.articles.claims import CLAIMS
from solver.articles.claims.claim import CHECKS, Claim, Evidence, Verdict, examine
from solver.articles.claims.erlang import magnitude
from tests.transcripts import GOLDEN, entries, said


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
def test_the_verdict_follows_from_the_figures(
    published: object, computed: object, deviating: object, verdict: Verdict
) -> None:
    claim = Claim(
        "scala.example", "An example.", "Because.", lambda: Evidence.of(computed, deviating=deviating), published
    )
    assert examine(claim).verdict is verdict


@pytest.mark.parametrize(("asked", "text"), entries(GOLDEN / "claims.txt").items())
def test_what_becomes_of_each_claim_is_what_stands_in_the_transcript(asked: str, text: str) -> None:
    assert said(asked) == text


def test_no_check_is_left_without_a_claim() -> None:
    assert CHECKS.keys() == CLAIMS.keys()


def test_numbers_are_spoken_of_as_the_article_does() -> None:
    words = ["fewer", "thousands", "tens of thousands", "several hundred thousand", "millions"]
    assert [*map(magnitude, (999, 1_000, 99_999, 100_000, 2_000_000))] == words
