"""The lessons under /learn. Each is a page about one thing that the solver knows about the game."""
