"""The lessons on searching the game tree."""
