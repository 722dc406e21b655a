"""The board and its language: rules, positions, games, outcomes, and how each is written."""
