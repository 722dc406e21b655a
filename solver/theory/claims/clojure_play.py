"""The claims of the Clojure article's second part: openings, the reduced tree, drawn patterns."""

from solver.theory.claims import clojure_openings, clojure_patterns, clojure_reduced, clojure_scores
from solver.theory.claims.claim import Claim

CLAIMS: tuple[Claim, ...] = (
    *clojure_openings.CLAIMS,
    *clojure_reduced.CLAIMS,
    *clojure_scores.CLAIMS,
    *clojure_patterns.CLAIMS,
)
