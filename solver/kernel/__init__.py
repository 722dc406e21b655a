"""The inner loop of all proofs: sources that are compiled where a C compiler is at hand, else interpreted."""
