"""Searches of a small game tree, step by step: what each visits, what it knows by then, and what it leaves out."""
