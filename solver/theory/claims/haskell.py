"""The claims of the Haskell article."""

from solver.theory.claims.claim import Claim

CLAIMS: tuple[Claim, ...] = ()
