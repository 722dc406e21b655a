"""The lessons under /learn: what the solver knows of the game, a page each."""
