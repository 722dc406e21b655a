"""The figures that are shipped: a sample is computed again, and all of them in `make exhaustive`."""

import pytest
from msgspec import json

from solver.articles.claims import CLAIMS
from solver.articles.claims.claim import Computation, examine
from solver.articles.crosstable import crosstable
from solver.articles.figures import FILE, crosstable_of_3x3, figures, finding_of
from solver.board.rules import TIC_TAC_TOE


def test_the_file_has_each_figure_and_no_other() -> None:
    assert FILE.read_bytes() == figures().text()
    assert figures().claims.keys() == CLAIMS.keys()


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_is_shipped_as_its_check_computes_it(name: str) -> None:
    computed = json.encode(examine(CLAIMS[name]).computation)
    assert finding_of(name).computation == json.decode(computed, type=Computation)


def test_the_crosstable_is_shipped_as_it_is_played() -> None:
    assert crosstable_of_3x3() == crosstable(TIC_TAC_TOE)
