"""Searches of a small game tree, step by step. Each step has its line of source and the values known after it."""
