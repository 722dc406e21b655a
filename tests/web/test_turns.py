"""Turns: replies, undo and redo, games that play by themselves."""

import pytest

from solver.errors import IllegalMove
from solver.players import HUMANS, STRATEGIES
from solver.players.match import play_game
from webapp.pages.play import players
from webapp.pages.play.game import computer_move, human_move, plays_by_itself, redone, undone
from webapp.pages.play.link import Link, read_link


def read(query: str) -> Link:
    return read_link("3x3x3", query).link


def url(link: Link | None) -> str:
    return link.url() if link else ""


def test_the_page_has_a_title_for_every_person_that_the_solver_knows() -> None:
    assert tuple(players.PEOPLE) == HUMANS


def test_the_computer_replies_to_a_persons_move() -> None:
    assert human_move(read(""), 0).url() == "/play/3x3x3?moves=a3b2"


def test_nobody_replies_to_a_friend_or_after_the_end() -> None:
    assert human_move(read("o=friend"), 0).url() == "/play/3x3x3?moves=a3&o=friend"
    assert human_move(read("moves=a3a2b3b2"), 2).url() == "/play/3x3x3?moves=a3a2b3b2c3"


def test_a_person_cannot_move_for_the_computer() -> None:
    with pytest.raises(IllegalMove, match="It is X's turn, and Easy plays X"):
        human_move(read("x=easy"), 0)


def test_the_computer_cannot_move_for_a_person_or_after_the_end() -> None:
    with pytest.raises(IllegalMove, match="a person's"):
        computer_move(read(""))
    with pytest.raises(IllegalMove, match="over"):
        computer_move(read("moves=a3a2b3b2c3&x=easy&o=easy"))


def test_undo_goes_back_to_the_persons_last_turn_and_redo_forward_again() -> None:
    game = read("moves=a3b2c3b3")
    assert url(undone(game)) == "/play/3x3x3?moves=a3b2c3b3&at=2"
    assert url(undone(undone(game) or game)) == "/play/3x3x3?moves=a3b2c3b3&at=0"
    assert url(redone(undone(game) or game)) == game.url()


def test_undo_between_people_or_computers_is_one_ply() -> None:
    assert url(undone(read("moves=a3b2&o=friend"))) == "/play/3x3x3?moves=a3b2&at=1&o=friend"
    assert url(undone(read("moves=a3b2&x=easy&o=easy"))) == "/play/3x3x3?moves=a3b2&at=1&x=easy&o=easy&pause=1"


def test_there_is_nothing_to_undo_before_the_persons_first_move() -> None:
    assert undone(read("")) is None
    assert undone(read("moves=b2&x=hard&o=human")) is None
    assert redone(read("moves=b2")) is None


def test_redo_reaches_the_end_of_a_game_that_the_computer_won() -> None:
    won_by_o = "moves=a3b3a2b2c1b1"
    assert url(redone(read(won_by_o + "&at=4"))) == read(won_by_o).url()


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
