"""The theory of the game, computed: its tree, its forks, its openings, its draws, and what has been claimed of them."""
