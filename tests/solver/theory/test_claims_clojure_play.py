"""The claims of the Clojure article's second part: every printed figure, and the verdicts that come out."""

import pytest

from solver.theory.claims import CLAIMS, Claim, Verdict, claims_in, clojure_play, examined

PLAY = claims_in(clojure_play)

PRINTED = {
    "clojure.openings-draw": {"corner": 0, "edge": 0, "centre": 0},
    "clojure.replies": 12,
    "clojure.losing-replies": 7,
    "clojure.losing-share": 58,
    "clojure.corner-replies": [1, 4],
    "clojure.edge-tree-95": 95,
    "clojure.edge-in-three": 3,
    "clojure.corner-four-responses": ["draw", "draw", "forks ahead", "forks ahead"],
    "clojure.opposite-edge-traps": {"level 4": 2, "level 6": 2},
    "clojure.centre-standard-draws": [["O wins", "draw"], ["draw"], ["draw"], ["X wins", "draw"]],
    "clojure.corner-score-0.89": 0.89,
    "clojure.best-path": [4, 4],
    "clojure.best-reply-to-edge": "corner on the same edge",
    "clojure.edge-three-losing": [3, 7],
    "clojure.pattern-forcing": {
        "initial": ["Yes", "Yes", "Yes"],
        "corner": ["No", "Yes", "No"],
        "edge": ["No", "No", "Yes"],
        "centre": ["Yes", "No", "No"],
    },
}
"""Clojure article, part 2: its figures, tables and answers."""

WRONG = {"clojure.openings-must-draw": Verdict.REFUTED}
"""The only statement of part 2 that does not hold: that the openings must draw since the empty board does."""


@pytest.mark.parametrize("claim", PLAY, ids=lambda claim: claim.id)
def test_each_claim_gets_its_verdict(claim: Claim) -> None:
    finding = examined(claim)
    assert finding.verdict is WRONG.get(claim.id, Verdict.CONFIRMED)
    assert finding.computation.computed == PRINTED.get(claim.id, claim.id not in WRONG)


def test_all_others_are_statements_in_words() -> None:
    assert {claim.id for claim in PLAY if claim.published is not True} == set(PRINTED)


@pytest.mark.parametrize(
    "name",
    [
        *("losing-replies", "draw", "reduced-under-200", "edge-tree-95", "corner-score-0.89"),
        *("best-reply-to-edge", "pattern-forcing", "scoring-scheme"),
    ],
)
def test_the_claims_that_are_asked_for_are_there(name: str) -> None:
    assert f"clojure.{name}" in CLAIMS


def test_figures_of_explanations_are_computed() -> None:
    told = {claim.id: examined(claim).computation.explanation for claim in PLAY}
    assert "501/560" in told["clojure.corner-score-0.89"]
    assert "113" in told["clojure.edge-tree-95"]
    assert "111 have a move that loses" in told["clojure.openings-must-draw"]
    assert "from the edge opening 1–0" in told["clojure.scoring-scheme"]
