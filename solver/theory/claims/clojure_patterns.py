"""The claims of the Clojure article's second part about drawn patterns and the scoring scheme."""

from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE
from solver.theory.claims.claim import Claim, Computation
from solver.theory.drawn import Pattern, pattern_of
from solver.theory.graph import graph_of
from solver.theory.openings import tic_tac_toe_openings
from solver.theory.scoring import PATTERNS, best_play, fair_without, force_values, forceable

_EMPTY = Position(TIC_TAC_TOE)


def _pattern_forcing() -> Computation:
    table = {name: ["Yes" if row[pattern] else "No" for pattern in Pattern] for name, row in forceable().items()}
    return Computation(
        table,
        "By min-max, a win of X counting more than the pattern and a win of O less than any draw. So O is taken to"
        " prefer a draw to a loss: an O who would as soon lose can escape every pattern.",
    )


def _initial_patterns() -> Computation:
    table = forceable()
    ways = {pattern: [name for name, row in table.items() if row[pattern] and name != "initial"] for pattern in Pattern}
    return Computation(
        all(table["initial"].values()),
        "; ".join(
            f"the {pattern} by opening with the {' or the '.join(names)}" for pattern, names in ways.items()
        ).capitalize()
        + ".",
    )


def _island_by_the_centre() -> Computation:
    tree = graph_of(tic_tac_toe_openings()["centre"].position)
    patterns = {pattern_of(node) for node in tree.nodes if node.result is Result.DRAW}
    forced = forceable()["centre"][Pattern.ISLAND]
    return Computation(
        forced and patterns == {Pattern.ISLAND},
        f"Drawn boards with X in the centre: {', '.join(patterns)} only. And X does not lose by opening there.",
    )


def _not_sufficient() -> Computation:
    openings = tic_tac_toe_openings()
    table = forceable()
    slips = {}
    for pattern in (Pattern.ARROW, Pattern.SCORPION):
        (name,) = (name for name in openings if table[name][pattern])
        values = force_values(openings[name].position, pattern)
        turns = [at for at in values if at.mover is Mark.X and values[at] == 1 and at.result is None]
        slips[pattern] = sum(any(values[at.after(cell)] == 0 for cell in at.legal_moves) for at in turns), len(turns)
    return Computation(
        all(lost for lost, _ in slips.values()),
        "Only one opening allows each of the two. After it, of the positions with X to move where the pattern can still"
        " be forced, some have a move to another draw: "
        + ", ".join(f"{lost} of {turns} for the {pattern}" for pattern, (lost, turns) in slips.items())
        + ".",
    )


def _scheme() -> Computation:
    leads = {"the empty board": best_play(_EMPTY)} | {
        f"the {name} opening": best_play(opening.position) for name, opening in tic_tac_toe_openings().items()
    }
    points = "; ".join(f"from {name} {x}–{o}" for name, best in leads.items() for x, o in best.points)
    best = leads["the empty board"].lead
    through = " or ".join(name for name, found in leads.items() if found.lead == best and "opening" in name)
    mended = " or ".join(f"the {pattern}" for pattern in fair_without(PATTERNS))
    return Computation(
        best > 0,
        f"Points of X and O by best play: {points}. X is {best} ahead in every game through {through}, so the scheme is"
        f" {'not ' if best else ''}fair; it would be if {mended} gave no point.",
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "clojure.pattern-forcing",
        "Which pattern (island, arrow, scorpion) X can force from the empty board and after each opening.",
        {
            "initial": ["Yes", "Yes", "Yes"],
            "corner": ["No", "Yes", "No"],
            "edge": ["No", "No", "Yes"],
            "centre": ["Yes", "No", "No"],
        },
        _pattern_forcing,
    ),
    Claim(
        "clojure.initial-patterns",
        "Whichever of the three patterns X wants: from the empty board it can be forced.",
        True,
        _initial_patterns,
    ),
    Claim(
        "clojure.island-by-centre",
        "X can always force the island by opening in the centre, since no other pattern has an X there.",
        True,
        _island_by_the_centre,
    ),
    Claim(
        "clojure.pattern-not-sufficient",
        "For the arrow and the scorpion the right opening is necessary but not sufficient.",
        True,
        _not_sufficient,
    ),
    Claim(
        "clojure.scoring-scheme",
        "Under the scoring scheme (X wins 3–0, O wins 0–5, island and arrow 0–1, scorpion 1–0) who looks ahead to the"
        " patterns can subvert it, with X at the advantage.",
        True,
        _scheme,
    ),
)
