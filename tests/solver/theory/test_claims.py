"""The claims: well formed, each with a verdict that follows from its figures."""

import json

import pytest

from solver.cli import main
from solver.errors import BadOption
from solver.theory.claims import ARTICLES, CLAIMS, claims_named
from solver.theory.claims.claim import Claim, Computation, Finding, Verdict, examined


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


def test_a_claim_that_does_not_exist_is_named_in_the_error() -> None:
    with pytest.raises(BadOption, match=r"nothing\.here"):
        claims_named(["nothing.here"])


def test_the_command_prints_one_object_a_line_for_each_claim(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "--json"]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [entry["id"] for entry in printed] == list(CLAIMS)
    parts = ["id", "article", "author", "address", "claim", "published", "computed", "verdict", "explanation"]
    assert all(list(entry) == parts for entry in printed)
