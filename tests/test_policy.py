"""The numbers of policy: how much anybody gets, and when something is given up, forgotten or evicted.

Other tests show what these numbers do, and many use their names. This table alone holds the numbers themselves.
"""

from importlib import import_module

import pytest

from solver.search.budget import Budget
from webapp.config import AppConfig, GateLimits, ServerLimits

DAY = 24 * 3600

POLICY: dict[str, dict[str, object]] = {
    "solver.analysis.chances": {"MAX_POSITIONS": 10_000},
    "solver.analysis.dataset": {"MOST_LISTED": 1_000_000, "MOST_IN_VAIN": 10_000},
    "solver.analysis.trial": {"MOST_ENTRIES": 5478},
    "solver.articles.census": {"MAX_WALKED_CELLS": 16},
    "solver.articles.compare": {"MAX_DEPTH": 12, "MAX_OPEN": 12, "MAX_PLAIN": 600_000, "MAX_ALPHABETA": 60_000},
    "solver.articles.generic": {"MAX_PLAIN_POSITIONS": 60_000},
    "solver.articles.graph": {"NODES": 100_000, "MAX_FORK_CELLS": 12},
    "solver.articles.lookahead": {"MAX_LOOKED_AT": 30_000, "MAX_VISITS": 60_000, "MAX_DRAWN": 1_000},
    "solver.articles.openings": {"WAYS": 10_000},
    "solver.articles.patterns": {"MAX_FILLED_CELLS": 20},
    "solver.articles.pyfl.player": {"ALL_STEPS": 1_500_000},
    "solver.articles.pyfl.running": {"MAX_STEPS": 50_000, "MAX_SIZE": 200, "MAX_NUMBER": 10**12, "MAX_DEPTH": 700},
    "solver.articles.pyfl.syntax": {"MAX_BYTES": 6000, "MAX_NESTED": 40},
    "solver.articles.rulebooks": {"MAX_KEPT": 64},
    "solver.articles.tracing": {"MAX_PLIES": 4, "MAX_LEAVES": 24},
    "solver.board.pasted": {"MAX_LENGTH": 2000},
    "solver.board.rules": {"MAX_SIDE": 8, "SMALL": 9, "MAX_CELLS": 64, "MAX_LINES": 256, "LONGEST": 98},
    "solver.cli.bots": {"MOST_BYTES": 4096, "MEMORY": 4 << 30},
    "solver.board.record": {"LINE": 80},
    "solver.catalogue.questions": {"MOST_BYTES": 50_000_000, "MOST_SECONDS": 3600},
    "solver.cli.command": {"MAX_JOBS": 256, "LARGEST_FILE": 10_000_000, "UNFINISHED": 3, "INTERRUPTED": 130},
    "solver.cli.learn": {"MAX_GAMES": 100_000},
    "solver.cli.prove": {"MOST_SECONDS": 3600, "BEATEN": 1, "BROKEN": 2},
    "solver.cli.play": {"MAX_GAMES": 1_000_000},
    "solver.library": {"CERTAINTY": 0.95, "PROVED": Budget(nodes=200_000), "EACH": Budget(nodes=20_000)},
    "solver.oracle": {"TOGETHER": 8, "REVIEWED_HERE": 27, "LATE_POSITIONS": 300},
    "solver.players.handbook": {"MOST_RULES": 12},
    "solver.players.learning.exam": {"HOLDS": 0.1},
    "solver.players.learning.learners": {"BEADS": (4, 3, 2, 1), "RATE": 0.25, "EXPLORATION": 10},
    "solver.players.match": {"MOST_PLIES": 200, "MAX_FOLLOWED": 50_000},
    "solver.players.searching": {"MAX_NODES": 30_000},
    "solver.proofs.file": {"MAX_BYTES": 64 << 20, "LOCK_TIMEOUT": 5, "MAX_OPENINGS": 200_000},
    "solver.proofs.workers": {"LATE_ANSWERS": 10, "MAX_DEATHS": 4, "ANSWER_TIMEOUT": 4},
    "solver.search.solver": {"MAX_THREADS": 4},
    "solver.search.tablebase": {"MOST_TABLES": 64},
    "webapp.api.call": {"MOST_BYTES": 128 << 10},
    "webapp.api.calls": {"LONGEST_POSITION": 127, "MOST_DRILLS": 2000, "MOST_IN_A_BATCH": 100, "LONGEST_MOVE": 40},
    "webapp.api.routes": {"PREFLIGHT_SECONDS": DAY},
    "webapp.app": {"MAX_FORM_BYTES": 4096, "A_YEAR": 365 * DAY},
    "webapp.pages.learn.facts.players": {"MOST_TYPED": 120},
    "webapp.pages.learn.facts.tree": {"MAX_CENSUS_CELLS": 12},
    "webapp.pages.learn.lessons.menace": {"MAX_GAMES": 1000},
    "webapp.pages.learn.quiz": {"LONGEST": 800},
    "webapp.pages.learn.lessons.search": {"MAX_DEPTH": 9},
    "webapp.pages.live.database": {"DEADLINE": 2, "TRIES": 5, "PAUSE": 1, "FULL_FOR": 60, "NOTICE_FOR": 3600},
    "webapp.pages.live.file": {"LOCK_SECONDS": 2},
    "webapp.pages.live.game": {"LIFETIME": DAY, "MOST_MOVES": 200},
    "webapp.pages.live.news": {
        "POLL_EVERY": 0.2,
        "LOOK_EVERY": 1,
        "BEAT_EVERY": 2,
        "SWEEP_EVERY": 60,
        "LONGEST": (50, 70),
        "BREATH_EVERY": 15,
        "RETRY": 500,
    },
    "webapp.pages.live.routes": {"KEPT": 30 * DAY, "LONGEST_NAME": 24, "FULL_FOR": 60},
    "webapp.pages.live.store": {
        "SLICES": 100,
        "STUCK_FOR": 5,
        "TRIES": 5,
        "AWAY": 3.5,
        "GRACE": 1,
        "IDLE": 3600,
        "TOGETHER": 1000,
        "AGREEMENT": 3600,
        "JUMP": 60,
    },
    "webapp.pages.live.visitors": {"SPAN": 600, "PER_ADDRESS": 30, "WIDER": {56: 60, 48: 120}},
    "webapp.pages.play.game": {"JUDGED_AT_A_TIME": 4},
    "webapp.pages.play.link": {"MAX_SCORE": 999_999, "MOST_MOVES": 100, "MAX_LENGTH": 1000},
    "webapp.pages.play.routes": {"REMEMBERED": DAY},
    "webapp.pages.practise.link": {
        "IN_A_ROW": 5,
        "MOST_DRILLS": 40,
        "MOST": 999,
        "RUSH": 180,
        "MAX_ANSWER": 8,
        "MAX_NAME": 32,
    },
    "webapp.processes.page_process": {"BACKLOG": 8192, "TAKEN_WITHIN": 0.25, "STANDS_IN": 10},
    "webapp.serving.http.answers": {
        "LARGEST_SHARE": 8,
        "OVERHEAD": 160,
        "SMALLEST": 200,
        "LONGEST_LIST": 256,
        "LARGE": 1 << 20,
    },
    "webapp.serving.http.log": {"KEPT": 10_000, "LONGEST": 300},
    "webapp.serving.fairness": {
        "REMEMBERED": 10_000,
        "NETWORK": 4,
        "CREDIT": 0.05,
        "HALF_LIFE": 20,
        "PER_REQUEST": 0.1,
        "MARGIN": 2,
    },
    "webapp.serving.pool.asking": {"MAX_QUERY": 2000, "GLANCE": 0.2, "REPLY_TIMEOUT": 2, "AT_MOST": 90, "TRY_AGAIN": 5},
    "webapp.serving.pool.gate": {
        "LATER": {"short": 0, "long": 4},
        "FIRST_TURN_LATER": 1,
        "OUT_OF_VIEW_LATER": 1,
    },
    "webapp.ui.previews": {"A_DAY": DAY, "A_MINUTE": 60},
}
"""The numbers of each module by their names."""


@pytest.mark.parametrize("module", POLICY)
def test_a_number_of_policy_is_this_number(module: str) -> None:
    found = import_module(module)
    assert {name: getattr(found, name) for name in POLICY[module]} == POLICY[module]


def test_the_limits_of_a_server_are_these_numbers() -> None:
    assert AppConfig().limits == ServerLimits(
        workers=1, memory=240 << 20, silence=5, start=60, stop=5, check_every=0.25
    )
    assert (AppConfig().cache_bytes, AppConfig().live_games) == (32 << 20, 10_000)
    gate = GateLimits()
    assert (gate.waiting, gate.per_client, gate.threads, gate.patience) == (32, 8, 32, 40)
    assert (gate.short, gate.long, gate.grace) == (5, 60, 2)
    assert (gate.positions, gate.positions_per_client, gate.seconds, gate.lease) == (32, 6, 120, 10)
    assert (gate.turn, gate.first_turn, gate.retry_after) == (0.5, 0.2, 5)
