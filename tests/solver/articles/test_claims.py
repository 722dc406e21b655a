"""The claims: well formed, each with a verdict that follows from its figures."""

import json

import pytest

from solver.articles.claims import ARTICLES, CLAIMS, claims_named, found
from solver.articles.claims.claim import Claim, Computation, Finding, Verdict, examined
from solver.cli import main
from solver.errors import BadOption

EXPLAINED = """erlang.several-hundred-thousand clojure.duplication-factor clojure.orthogonal clojure.forced-prose
    pyfl.half-dozen haskell.nodes-depth-6 haskell.seventeen-percent haskell.center-win-in-6 haskell.values-after-corner
    haskell.values-second-position"""
REFUTED = """clojure.openings-must-draw scala.optimal-moves scala.whole-tree scala.row-and-column pyfl.unbeatable-prose
    pyfl.unbeatable-program pyfl.unbeatable-program-as-x pyfl.program-as-printed pyfl.plays-the-list pyfl.win-first
    pyfl.side-rule pyfl.last-rule pyfl.at-random haskell.list-functions haskell.next-position
    haskell.static-value-to-blame"""


def finding(published: object, computation: Computation) -> Finding:
    return examined(Claim("scala.example", "An example.", published, lambda: computation))


def test_a_figure_that_is_computed_as_published_is_confirmed() -> None:
    assert finding(3, Computation(3, "Because.")).verdict is Verdict.CONFIRMED


def test_another_figure_is_refuted() -> None:
    assert finding(3, Computation(4, "Because.", deviating=5)).verdict is Verdict.REFUTED


def test_another_figure_that_a_deviation_gives_is_explained() -> None:
    assert finding(3, Computation(4, "Because.", deviating=3)).verdict is Verdict.EXPLAINED


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_is_named_by_its_article(name: str) -> None:
    assert CLAIMS[name].id == name
    assert name.partition(".")[0] in ARTICLES


@pytest.mark.parametrize("name", CLAIMS)
def test_each_claim_gets_its_verdict(name: str) -> None:
    """All that is neither explained nor refuted is confirmed."""
    explained, refuted = name in EXPLAINED.split(), name in REFUTED.split()
    expected = Verdict.EXPLAINED if explained else Verdict.REFUTED if refuted else Verdict.CONFIRMED
    assert found(name).verdict is expected


def test_the_verdicts_are_of_the_141_claims() -> None:
    assert {*EXPLAINED.split(), *REFUTED.split()} <= CLAIMS.keys()
    assert len(CLAIMS) == 141


@pytest.mark.parametrize(
    "name",
    [
        *("upper-bound", "won-cut", "duplicates", "symmetry", "forced", "forks-by-ply", "drawn-boards", "patterns"),
        *("losing-replies", "draw", "reduced-under-200", "edge-tree-95", "corner-score-0.89"),
        *("best-reply-to-edge", "pattern-forcing", "scoring-scheme"),
    ],
)
def test_the_claims_of_the_clojure_article_that_are_asked_for_are_there(name: str) -> None:
    assert f"clojure.{name}" in CLAIMS


def test_a_claim_that_does_not_exist_is_named_in_the_error() -> None:
    with pytest.raises(BadOption, match=r"nothing\.here"):
        claims_named(["nothing.here"])


def test_the_command_prints_one_object_a_line_for_each_claim(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert all(found(name) for name in CLAIMS)  # computed once, for the tests above too
    monkeypatch.setattr("solver.articles.claims.examined", lambda claim: found(claim.id))
    assert main(["claims", "--json"]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [entry["id"] for entry in printed] == list(CLAIMS)
    parts = ["id", "article", "author", "address", "claim", "published", "computed", "verdict", "explanation"]
    assert all(list(entry) == parts for entry in printed)
