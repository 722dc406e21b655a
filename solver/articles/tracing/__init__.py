"""Searches of a small game tree, step by step, with the knowledge after each step and the source that runs it."""
