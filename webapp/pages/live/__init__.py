"""Live games: two people at different places play one game, which the server stores and referees."""
