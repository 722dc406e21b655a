"""The claims: well formed, each with a verdict that follows from its figures."""

import pytest

from solver.articles.claims import CLAIMS
from solver.articles.claims.claim import CHECKS, Claim, Evidence, Verdict, examine


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


def test_no_check_is_left_without_a_claim() -> None:
    assert CHECKS.keys() == CLAIMS.keys()
