"""A game looked back on: each move against the best, where the game turned, and what else could have been played."""
