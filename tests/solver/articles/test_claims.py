"""The claims: each with a verdict that follows from its figures; and the Erlang article's orders of magnitude."""

import pytest

from solver.articles.claims import CLAIMS
from solver.articles.claims.claim import CHECKS, Claim, Evidence, Verdict, examine
from solver.articles.claims.erlang import magnitude
from solver.board.position import Position
from solver.search.minimax import minimax
from solver.search.tablebase import unfinished
from tests.strategies import TIC_TAC_TOE
from tests.transcripts import GOLDEN, entries, said


@pytest.mark.parametrize(
    ("published", "computed", "deviating", "verdict"),
    [
        (3, 3, None, Verdict.CONFIRMED),
        (3, 4, 5, Verdict.REFUTED),
        (3, 4, 3, Verdict.EXPLAINED),
        ({"lost": 0}, {"won": 3, "lost": 0}, None, Verdict.CONFIRMED),
        ({"lost": 1}, {"won": 3, "lost": 0}, None, Verdict.REFUTED),
        ({"lost": 0, "drawn": 0}, {"won": 3, "lost": 0}, None, Verdict.REFUTED),
    ],
)
def test_the_verdict_follows_from_the_figures(
    published: object, computed: object, deviating: object, verdict: Verdict
) -> None:
    claim = Claim(
        "scala.example", "An example.", "Because.", lambda: Evidence.of(computed, deviating=deviating), published
    )
    assert examine(claim).verdict is verdict


@pytest.mark.parametrize(("asked", "text"), entries(GOLDEN / "claims.txt").items())
def test_what_becomes_of_each_claim_is_what_stands_in_the_transcript(asked: str, text: str) -> None:
    assert said(asked) == text


def test_no_check_is_left_without_a_claim() -> None:
    assert CHECKS.keys() == CLAIMS.keys()


def games_below(position: Position) -> int:
    if position.result is not None:
        return 1
    return sum(games_below(position.play(cell)) for cell in position.legal_moves)


@pytest.mark.slow
def test_a_board_with_seven_open_squares_has_thousands_of_games_and_tens_of_thousands_of_processes() -> None:
    for position in {each.canonical() for each in unfinished(TIC_TAC_TOE) if each.plies_left == 7}:
        ended = games_below(position)
        assert magnitude(ended) == "thousands"
        assert magnitude(9 * (minimax(position).nodes - ended)) == "tens of thousands"


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (999, "fewer"),
        (1_000, "thousands"),
        (99_999, "tens of thousands"),
        (100_000, "several hundred thousand"),
        (2_000_000, "millions"),
    ],
)
def test_numbers_are_spoken_of_as_the_article_does(number: int, words: str) -> None:
    assert magnitude(number) == words
