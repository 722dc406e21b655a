"""Turns: replies, undo and redo, games that play by themselves."""

from collections.abc import Callable

import pytest

from solver.board.outcome import WIN, Bounds
from solver.errors import IllegalMove
from solver.players import HUMANS, STRATEGIES
from solver.players.match import play_game
from solver.players.searching import impossible, impossible_reproducibly
from solver.proofs.study import study_of
from webapp.pages.play import players, words
from webapp.pages.play.game import computer_move, human_move, plays_by_itself, redone, snapshot, undone
from webapp.pages.play.link import Link, read_link


def read(query: str) -> Link:
    return read_link("3x3x3", query).link


def test_the_page_has_a_title_for_every_person_that_the_solver_knows() -> None:
    assert tuple(players.PEOPLE) == HUMANS


def first(link: Link) -> Link:
    return human_move(link, 0)


@pytest.mark.parametrize(
    ("turn", "query", "leads_to"),
    [
        (first, "", "?moves=a3b2"),
        (first, "o=friend", "?moves=a3&o=friend"),
        (lambda link: human_move(link, 2), "moves=a3a2b3b2", "?moves=a3a2b3b2c3"),
        (undone, "moves=a3b2c3b3", "?moves=a3b2c3b3&at=2"),
        (undone, "moves=a3b2c3b3&at=2", "?moves=a3b2c3b3&at=0"),
        (redone, "moves=a3b2c3b3&at=2", "?moves=a3b2c3b3"),
        (redone, "moves=a3b3a2b2c1b1&at=4", "?moves=a3b3a2b2c1b1"),
        (undone, "moves=a3b2&o=friend", "?moves=a3b2&at=1&o=friend"),
        (undone, "moves=a3b2&x=easy&o=easy", "?moves=a3b2&at=1&x=easy&o=easy&pause=1"),
        (undone, "", None),
        (undone, "moves=b2&x=hard&o=human", None),
        (redone, "moves=b2", None),
    ],
    ids=[
        *("the computer replies", "nobody replies to a friend", "nobody replies after the end"),
        *("undo goes back to the person's last turn", "and to the one before", "redo goes forward again"),
        *("redo reaches the end of a game that the computer won", "undo between people is one ply"),
        *("undo between computers is one ply and pauses", "nothing to undo", "nothing of the person's to undo"),
        "nothing to redo",
    ],
)
def test_a_turn_leads_to(turn: Callable[[Link], Link | None], query: str, leads_to: str | None) -> None:
    link = turn(read(query))
    assert (link and link.url()) == (None if leads_to is None else f"/play/3x3x3{leads_to}")


def test_a_person_cannot_move_for_the_computer() -> None:
    with pytest.raises(IllegalMove, match="It is X's turn, and Easy plays X"):
        human_move(read("x=easy"), 0)


def test_the_computer_cannot_move_for_a_person_or_after_the_end() -> None:
    with pytest.raises(IllegalMove, match="a person's"):
        computer_move(read(""))
    with pytest.raises(IllegalMove, match="over"):
        computer_move(read("moves=a3a2b3b2c3&x=easy&o=easy"))


@pytest.mark.parametrize(
    ("query", "by_itself"),
    [
        ("", False),
        ("x=easy&o=human", True),
        ("x=easy&o=easy", True),
        ("x=easy&o=easy&pause=1", False),
        ("x=easy&o=human&pause=1", True),
        ("moves=b2a1&at=1", False),
        ("moves=b2a1&at=1&x=easy&o=easy", True),
        ("moves=a3a2b3b2c3&x=easy&o=easy", False),
    ],
)
def test_the_computer_moves_by_itself_where_nobody_has_gone_back_or_paused(query: str, by_itself: bool) -> None:
    assert plays_by_itself(read(query)) is by_itself


def test_a_seed_fixes_every_reply_and_each_game_of_the_series_has_its_own() -> None:
    def opening(query: str) -> str:
        return computer_move(read(query)).url()

    assert opening("x=easy&o=easy&seed=5") == opening("x=easy&o=easy&seed=5")
    openings = {opening(f"x=easy&o=easy&seed=5&score={games}-0-0").partition("moves=")[2][:2] for games in range(20)}
    assert len(openings) > 1


@pytest.mark.parametrize("seed", ["5", "6", "7"])
def test_a_seed_plays_the_same_game_on_the_page_as_in_a_match(seed: str) -> None:
    link = read(f"x=easy&o=easy&seed={seed}")
    while link.position.result is None:
        link = computer_move(link)
    easy = STRATEGIES["easy"]
    assert link.game.moves == play_game(link.rules, easy, easy, seed).moves


BOARD, QUERY = "8x8x5", "moves=d5e4&x=impossible&o=friend"


def link_of(more: str) -> Link:
    return read_link(BOARD, QUERY + more).link


def learn_that_one_square_wins() -> None:
    """Make this process know that one square wins and that every other square loses."""
    study = study_of(link_of("").position)
    first, *others = study.bounds
    study.learn(dict.fromkeys(others, Bounds(WIN - 3, WIN - 3)) | {first: Bounds(2 - WIN, 2 - WIN)})


def test_a_reply_with_a_seed_is_the_same_whatever_has_been_proved() -> None:
    before = computer_move(link_of("&seed=5"))
    learn_that_one_square_wins()
    position = link_of("").position
    assert impossible(position).choices.keys() != impossible_reproducibly(position).choices.keys()
    assert computer_move(link_of("&seed=5")) == before


def test_the_reason_of_a_reply_with_a_seed_is_that_of_the_decision_it_was_drawn_from() -> None:
    learn_that_one_square_wins()
    for seed, decide in (("&seed=5", impossible_reproducibly), ("", impossible)):
        said = words.reason(snapshot(computer_move(link_of(seed))))
        reason, _, _ = decide(link_of("").position).explanation.partition(" (")  # a page counts turns, not plies
        assert reason.casefold() in said.casefold()
