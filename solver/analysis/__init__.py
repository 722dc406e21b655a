"""Analysis of positions, games and players: chances, trials, reviews and drills."""
