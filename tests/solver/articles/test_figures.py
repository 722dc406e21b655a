"""The figures that are shipped: a sample is computed again, and all of them in `make exhaustive`."""

import pytest
from msgspec import json

from solver.articles.claims import CLAIMS
from solver.articles.claims.claim import Computation, examine
from solver.articles.crosstable import crosstable
from solver.articles.figures import FILE, crosstable_of_3x3, figures, finding_of, tried
from solver.articles.rulebooks import Aim
from solver.articles.trials import try_strategy
from solver.board.position import Mark
from solver.board.rules import TIC_TAC_TOE
from solver.players import strategy_named
from tests.figures import SOUGHT, TRIALS, search
from tests.marked import sampled


def test_the_file_has_each_figure_and_no_other() -> None:
    assert FILE.read_bytes() == figures().text()
    assert figures().claims.keys() == CLAIMS.keys()
    assert figures().trials.keys() == TRIALS.keys()
    assert [(aim, sight) for aim, sight, _ in figures().shortest] == list(SOUGHT)


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_is_shipped_as_its_check_computes_it(name: str) -> None:
    computed = json.encode(examine(CLAIMS[name]).computation)
    assert finding_of(name).computation == json.decode(computed, type=Computation)


@pytest.mark.parametrize("key", sampled(TRIALS, 12))
def test_a_trial_is_shipped_as_it_is_counted(key: str) -> None:
    assert tried(*TRIALS[key]) == try_strategy(*TRIALS[key])


def test_a_list_of_rules_is_tried_at_once() -> None:
    own = strategy_named("rules:win,block", TIC_TAC_TOE)
    assert tried(own, Mark.O, TIC_TAC_TOE) == try_strategy(own, Mark.O, TIC_TAC_TOE)


@pytest.mark.parametrize("sought", sampled(SOUGHT, 4))
def test_the_shortest_lists_are_shipped_as_they_are_searched_for(sought: tuple[Aim, int]) -> None:
    assert search(*sought) in figures().shortest


def test_the_crosstable_is_shipped_as_it_is_played() -> None:
    assert crosstable_of_3x3() == crosstable(TIC_TAC_TOE)
