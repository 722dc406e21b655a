"""What is proved of positions, and where it is kept: predictions, solutions, the store, workers that prove."""
