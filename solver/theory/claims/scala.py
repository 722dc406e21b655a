"""The claims of the Scala article."""

from solver.theory.claims.claim import Claim

CLAIMS: tuple[Claim, ...] = ()
