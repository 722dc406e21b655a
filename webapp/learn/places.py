"""Where the lessons show what a claim of the articles is about."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_PLACES: Final = {
    "predictions": """erlang.seven-predictions erlang.nine-results erlang.whose-win erlang.quickest-win
        erlang.several-as-good""",
    "predictions#processes": "erlang.order-is-free erlang.tens-of-thousands erlang.several-hundred-thousand",
    "census": """erlang.entire-tree erlang.thousands-of-paths erlang.countdown clojure.longest-game
        clojure.wins-start-at-5 clojure.wins-odd-even clojure.twelve-after-two""",
    "census#upper-bound": """clojure.upper-bound clojure.upper-bound-by-level clojure.duplication-factor
        clojure.distinct-upper-bound clojure.bound-met""",
    "census#won-cut": """clojure.won-cut clojure.won-cut-by-level clojure.won-cut-kinds clojure.level-5-sum
        clojure.almost-half""",
    "census#duplicates": "clojure.duplicates clojure.duplicates-by-level clojure.duplicates-kinds clojure.orthogonal",
    "census#symmetry": """clojure.symmetry clojure.symmetry-by-level clojure.symmetry-kinds clojure.orthogonal-order
        clojure.seven-symmetries clojure.many-unique""",
    "census#forced": """clojure.forced clojure.forced-by-level clojure.forced-kinds clojure.forced-prose
        clojure.no-easy-wins clojure.forks-by-ply clojure.forks-split""",
    "forks": "clojure.forks-start-at-5 clojure.fork-wins clojure.fork-exactly-two",
    "forks?play=forced": "clojure.wins-need-forks",
    "pictures#forced-centre": "clojure.smallest-branch clojure.centre-drawn",
    "explorer": "clojure.draw clojure.openings-draw clojure.openings-must-draw",
    "openings": """clojure.replies clojure.losing-replies clojure.losing-share clojure.corner-replies
        clojure.corner-needs-centre clojure.centre-needs-corner clojure.edge-leaves-options
        clojure.centre-else-corner""",
    "openings#punish": "clojure.lost-by-forks clojure.several-forks clojure.forcing-start",
    "reduced": "clojure.reduced-under-200 clojure.reduced-by-blocking clojure.corner-score-0.89 clojure.corner-highest",
    "reduced?opening=edge#scores": """clojure.edge-tree-95 clojure.edge-in-three clojure.best-reply-to-edge
        clojure.edge-better-than-centre clojure.edge-three-losing clojure.edge-best-answer clojure.edge-weakest
        clojure.edge-forks""",
    "reduced?opening=corner#scores": """clojure.corner-four-responses clojure.opposite-corner-trap
        clojure.opposite-edge-traps clojure.o-trap-in-corner-branch clojure.best-path clojure.best-path-distinct""",
    "reduced?opening=centre#scores": "clojure.centre-standard-draws clojure.centre-corner-again",
    "draws": """clojure.three-drawn clojure.drawn-boards clojure.drawn-list clojure.drawn-condition clojure.patterns
        clojure.island-centre""",
    "draws#force": """clojure.pattern-forcing clojure.initial-patterns clojure.island-by-centre
        clojure.pattern-not-sufficient""",
    "draws#points": "clojure.scoring-scheme",
    "generic": """scala.published-game scala.published-result scala.best-replies scala.optimal-moves scala.whole-tree
        scala.four-directions""",
    "trial?strategy=minimax": "scala.unbeatable",
    "trial?strategy=hard&side=O": "pyfl.unbeatable-prose",
    "trial?strategy=hard&side=X": "pyfl.unbeatable-prose-as-x",
    "trial?strategy=pyfl-program&side=O": "pyfl.unbeatable-program pyfl.plays-the-list",
    "trial?strategy=pyfl-program&side=X": "pyfl.unbeatable-program-as-x",
    "rulebook": "pyfl.win-first pyfl.side-rule pyfl.half-dozen pyfl.last-rule",
    "search?moves=b2": """haskell.nodes-depth-6 haskell.nodes-depth-6-naive haskell.seventeen-percent
        haskell.x-line-in-4 haskell.o-line-in-5 haskell.center-depth-5 haskell.center-win-in-6""",
    "search?from=XX./.../..O": "haskell.level-one-tree",
    "search?board=3x3x3": "haskell.all-first-moves-equal haskell.lazy-saves",
    "search": "haskell.values-after-corner haskell.static-value-to-blame",
    "search?moves=b2a2c3a1": "haskell.values-second-position haskell.only-block haskell.chance-to-win",
}

PLACES: Final[Mapping[str, str]] = MappingProxyType(
    {claim: place for place, claims in _PLACES.items() for claim in claims.split()}
)
"""The place of each claim that a lesson shows: the lesson's name, with what to ask it for and where on the page."""


def lesson_of(place: str) -> str:
    """The name of the lesson that a place is in."""
    return place.partition("#")[0].partition("?")[0]


def _by_lesson() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for claim, place in PLACES.items():
        found[lesson_of(place)] = (*found.get(lesson_of(place), ()), claim)
    return found


CLAIMS_OF: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_by_lesson())
"""The claims that each lesson shows."""
