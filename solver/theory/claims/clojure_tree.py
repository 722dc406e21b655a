"""The claims of the Clojure article's first part: the game tree, its drawn boards, its forks."""

from solver.theory.claims import clojure_census, clojure_drawn, clojure_forced, clojure_symmetry
from solver.theory.claims.claim import Claim

CLAIMS: tuple[Claim, ...] = (
    *clojure_census.CLAIMS,
    *clojure_symmetry.CLAIMS,
    *clojure_drawn.CLAIMS,
    *clojure_forced.CLAIMS,
)
