"""Tic-tac-toe and its bigger relatives: rules, exact search, predictions, opponents. Knows nothing of the web."""
