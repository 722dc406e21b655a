"""The pages: to play, practise and learn on, live games, and the lab."""
