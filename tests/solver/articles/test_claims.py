"""The claims: well formed, each with a verdict that follows from its figures."""

import json

import pytest

from solver.articles.claims import CLAIMS, claims_named, finding_of
from solver.articles.claims.claim import CHECKS, Claim, Evidence, Verdict, examine
from solver.cli import main
from solver.errors import BadOption

EXPLAINED = """erlang.several-hundred-thousand clojure.duplication-factor clojure.orthogonal clojure.forced-prose
    pyfl.half-dozen haskell.nodes-depth-6 haskell.seventeen-percent haskell.center-win-in-6 haskell.values-after-corner
    haskell.values-second-position scala.optimal-moves scala.whole-tree scala.row-and-column pyfl.last-rule
    clojure.openings-must-draw"""
REFUTED = """pyfl.unbeatable-prose pyfl.unbeatable-program pyfl.plays-the-list pyfl.win-first pyfl.side-rule
    pyfl.at-random haskell.list-functions haskell.next-position haskell.static-value-to-blame"""

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
    "scala.published-game": ["b2", "b1", "a2", "b3"],
    "scala.published-result": "O",
    "haskell.nodes-depth-6": 24785,
    "haskell.nodes-depth-6-naive": 28961,
    "haskell.seventeen-percent": 17,
    "haskell.level-one-tree": 6,
    "haskell.center-depth-5": 0,
    "haskell.center-win-in-6": 1,
    "haskell.all-first-moves-equal": [0] * 9,
    "haskell.values-after-corner": [1, 1, 0, 0, 0, 0, 1],
    "haskell.values-second-position": [1, 1, 0, 1, 1],
}
"""The printed figures of three articles (Clojure: part 2); all other claims of theirs are statements in words."""


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


def test_what_is_published_is_what_is_printed() -> None:
    names = [*CLAIMS]
    later = [name for name in names[names.index("clojure.draw") :] if not name.startswith("pyfl.")]
    published = {name: CLAIMS[name].published for name in later}
    printed = {name: PRINTED.get(name, True) for name in later}
    assert published == printed
    assert [type(figure) for figure in published.values()] == [type(figure) for figure in printed.values()]


@pytest.mark.parametrize("name", CLAIMS)
def test_each_claim_gets_its_verdict(name: str) -> None:
    """Every claim that is neither explained nor refuted is confirmed."""
    explained, refuted = name in EXPLAINED.split(), name in REFUTED.split()
    expected = Verdict.EXPLAINED if explained else Verdict.REFUTED if refuted else Verdict.CONFIRMED
    assert finding_of(name).verdict is expected


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("erlang.seven-predictions", "72 boards"),
        ("erlang.nine-results", "4,520 unfinished"),
        ("erlang.entire-tree", "549,945 moves"),
        ("erlang.thousands-of-paths", "255,168"),
        ("erlang.several-hundred-thousand", "2,653,002"),
        ("clojure.upper-bound", "Levels 8 and 9 are largest, with 362,880 nodes each."),
        ("clojure.won-cut", "Level 8 is the largest, with 200,448 nodes."),
        ("clojure.duplication-factor", "674 of the 5,478"),
        ("clojure.duplication-factor", ", 0 of them open or drawn"),
        ("clojure.forced-prose", "gives 387"),
        ("clojure.smallest-branch", "corner 307, edge 331, centre 72"),
        ("clojure.corner-score-0.89", "501/560"),
        ("clojure.edge-tree-95", "113"),
        ("clojure.openings-must-draw", "as 8 of 9 do in 3×3 misère"),
        ("clojure.openings-must-draw", "on all 51 drawn boards"),
        ("clojure.scoring-scheme", "from the edge opening 1–0"),
    ],
)
def test_the_explanation_names_the_figure(name: str, said: str) -> None:
    assert said in finding_of(name).computation.explanation


@pytest.mark.parametrize(
    ("name", "computed", "deviating"),
    [("clojure.forced-prose", 448, 389), ("clojure.orthogonal", 44, 0), ("pyfl.half-dozen", 7, 6)],
)
def test_an_explained_figure_comes_with_the_true_one(name: str, computed: int, deviating: int) -> None:
    computation = finding_of(name).computation
    assert (computation.computed, computation.deviating) == (computed, deviating)


def test_the_verdicts_are_of_the_138_claims() -> None:
    others = {f"clojure.{name}" for name in ("draw", "drawn-boards", "patterns", "reduced-under-200")}
    assert {*EXPLAINED.split(), *REFUTED.split(), *PRINTED, *others} <= CLAIMS.keys()
    assert len(CLAIMS) == 138


def test_no_check_is_left_without_a_claim() -> None:
    assert CHECKS.keys() == CLAIMS.keys()


def test_a_claim_that_does_not_exist_is_named_in_the_error() -> None:
    with pytest.raises(BadOption, match=r"nothing\.here"):
        claims_named(["nothing.here"])


def test_the_command_prints_one_object_a_line_for_each_claim(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert all(finding_of(name) for name in CLAIMS)  # computed once, for the tests above too
    monkeypatch.setattr("solver.articles.claims.claim.examine", lambda claim: finding_of(claim.id))
    assert main(["claims", "--json"]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [entry["id"] for entry in printed] == list(CLAIMS)
    parts = ["id", "article", "author", "address", "claim", "published", "computed", "verdict", "explanation"]
    assert all(list(entry) == parts for entry in printed)
