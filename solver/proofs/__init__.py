"""Predictions and solutions, the proofs they rest on, the store of proofs, and workers that find more."""
