"""The claims of the Clojure article's first part: the game tree, its forks, its drawn boards."""

from solver.theory.claims.claim import Claim

CLAIMS: tuple[Claim, ...] = ()
