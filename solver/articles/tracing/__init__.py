"""Searches of a small game tree, step by step. Each step comes with its line of code and the values known so far."""
