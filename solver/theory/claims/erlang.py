"""The claims of the Erlang article."""

from solver.theory.claims.claim import Claim

CLAIMS: tuple[Claim, ...] = ()
