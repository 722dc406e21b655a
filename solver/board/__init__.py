"""The game itself: rules, positions, game records, outcomes, and their notation."""
