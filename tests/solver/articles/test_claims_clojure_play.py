"""The claims of the Clojure article's second part: every printed figure is what comes out."""

import pytest

from solver.articles.claims import claims_in, clojure_play, found

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


@pytest.mark.parametrize("name", [claim.id for claim in PLAY])
def test_what_is_computed_is_what_is_printed_but_that_the_openings_must_draw(name: str) -> None:
    assert found(name).computation.computed == PRINTED.get(name, name != "clojure.openings-must-draw")


def test_all_others_are_statements_in_words() -> None:
    assert {claim.id for claim in PLAY if claim.published is not True} == set(PRINTED)


def test_figures_of_explanations_are_computed() -> None:
    told = {claim.id: found(claim.id).computation.explanation for claim in PLAY}
    assert "501/560" in told["clojure.corner-score-0.89"]
    assert "113" in told["clojure.edge-tree-95"]
    assert "111 have a move that loses" in told["clojure.openings-must-draw"]
    assert "from the edge opening 1–0" in told["clojure.scoring-scheme"]
