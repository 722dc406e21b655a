"""The claims of the Clojure article's second part: openings, the reduced tree, drawn patterns."""

from solver.theory.claims.claim import Claim

CLAIMS: tuple[Claim, ...] = ()
