"""Keeps the tests from loading what only `make peers` installs."""

collect_ignore = ["ppo.py", "spiel.py"]
