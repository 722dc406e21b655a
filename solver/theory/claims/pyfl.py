"""The claims of the PyFL article."""

from solver.theory.claims.claim import Claim

CLAIMS: tuple[Claim, ...] = ()
