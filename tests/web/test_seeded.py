"""With a seed the page replies by the reproducible decision, and explains that one."""

from solver.board.outcome import WIN, Bounds
from solver.players.searching import impossible, impossible_reproducibly
from solver.proofs.study import study_of
from webapp.pages.play import words
from webapp.pages.play.game import computer_move, snapshot
from webapp.pages.play.link import Link, read_link

BOARD, QUERY = "8x8x5", "moves=d5e4&x=impossible&o=friend"


def read(more: str) -> Link:
    return read_link(BOARD, QUERY + more).link


def learn_that_one_square_wins() -> None:
    """Make this process know that one square wins and that every other square loses."""
    study = study_of(read("").position)
    first, *others = study.bounds
    study.learn(dict.fromkeys(others, Bounds(WIN - 3, WIN - 3)) | {first: Bounds(2 - WIN, 2 - WIN)})


def test_a_reply_with_a_seed_is_the_same_whatever_has_been_proved() -> None:
    before = computer_move(read("&seed=5"))
    learn_that_one_square_wins()
    assert impossible(read("").position).choices.keys() != impossible_reproducibly(read("").position).choices.keys()
    assert computer_move(read("&seed=5")) == before


def test_the_reason_of_a_reply_with_a_seed_is_that_of_the_decision_it_was_drawn_from() -> None:
    learn_that_one_square_wins()
    for seed, decide in (("&seed=5", impossible_reproducibly), ("", impossible)):
        said = words.reason(snapshot(computer_move(read(seed))))
        assert said.casefold().endswith(f"{decide(read('').position).explanation}.".casefold())
