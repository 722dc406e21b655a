"""Proofs about positions, and where they are kept: predictions, solutions, the store, workers that prove."""
