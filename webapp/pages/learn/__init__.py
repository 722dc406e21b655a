"""The lessons under /learn: each a page on one thing that the solver knows about the game."""
