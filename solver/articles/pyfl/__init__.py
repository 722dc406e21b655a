"""A small PyFL: its parser, its evaluator, and a player of tic-tac-toe that is a program in it."""
