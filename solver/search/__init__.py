"""Searches that value positions: minimax as the reference, alpha-beta, exact proofs, and tables of small boards."""
