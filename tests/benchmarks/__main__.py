"""The command behind `make bench`, which prints each figure in a line of its own."""

from importlib import import_module

PARTS = (
    "importing",
    "building",
    "searching",
    "proving",
    "connect_four",
    "scattering",
    "stepping",
    "explaining",
    "learning",
    "picturing",
    "roads",
)

for part in (*PARTS, "serving", "browsing"):
    for line in import_module(f"tests.benchmarks.{part}").figures():
        print(line, flush=True)
