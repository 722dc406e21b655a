"""The web face: it reads links, asks the solver, and hands frozen view objects to the templates. No game logic."""
