"""The lessons on computer players: how strong they are, how they decide, and how they learn."""
