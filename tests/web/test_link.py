"""Links: every game has one, and reading it gives the game back."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.game import Game
from solver.board.pasted import read_pasted
from solver.players import STRATEGIES
from tests.strategies import boards, examples, positions
from webapp.pages.play import players
from webapp.pages.play.link import (
    BEGINS,
    GAMES,
    MAX_LENGTH,
    SCHEMES,
    SHOWS,
    SPEEDS,
    Link,
    Series,
    pays_patterns,
    read_link,
)


@st.composite
def links(draw: st.DrawFn) -> Link:
    """Any link that the pages make."""
    rules = draw(boards())
    game = Game.starting(draw(positions(st.just(rules))))
    for _ in range(draw(st.integers(0, rules.size))):
        if not game.last.legal_moves:
            break
        game = game.play(draw(st.sampled_from(game.last.legal_moves)))
    names = [*players.PEOPLE, *(name for name, strategy in STRATEGIES.items() if strategy.plays_on(rules))]
    return Link(
        game=game,
        at=draw(st.integers(0, len(game.moves))),
        x=draw(st.sampled_from(names)),
        o=draw(st.sampled_from(names)),
        show=draw(st.sampled_from(SHOWS)),
        seed=draw(st.none() | st.from_regex(r"[A-Za-z0-9_.-]{1,32}", fullmatch=True)),
        series=Series(*(draw(st.integers(0, 9999)) for _ in range(3))),
        scheme=draw(st.sampled_from([each for each in SCHEMES if each == GAMES or pays_patterns(rules)])),
        speed=draw(st.sampled_from(list(SPEEDS))),
        paused=draw(st.booleans()),
        hint=draw(st.booleans()),
        begins=draw(st.sampled_from(BEGINS)),
        tell=draw(st.booleans()),
        review=draw(st.booleans()) and game.moves != (),
    )


@given(links())
def test_a_link_reads_back_as_the_same_game(link: Link) -> None:
    path, _, query = link.url().partition("?")
    read = read_link(path.removeprefix("/play/"), query)
    assert read.problems == ()
    assert read.link == link
    assert len(link.url()) < MAX_LENGTH


@examples(60)
@given(links())
def test_every_link_of_ours_can_be_pasted(link: Link) -> None:
    assert read_pasted(f"https://noughts.example{link.url()}") == link.game.upto(link.at)


def read(query: str, board: str = "3x3x3") -> Link:
    link = read_link(board, query)
    assert link.problems == ()
    return link.link


@pytest.mark.parametrize(("board", "query"), [("3x3x3", "moves=" + "a" * 2000), ("chess" * 201, "")])
def test_a_link_that_is_too_long_is_not_read(board: str, query: str) -> None:
    refused = read_link(board, query)
    assert refused.link.url() == "/play/3x3x3"
    (problem,) = refused.problems
    assert "too long" in str(problem)


def as_read(link: Link) -> Link:
    return link


WON = "moves=a3a2b3b2c3"


@pytest.mark.parametrize(
    ("query", "change", "leads_to"),
    [
        ("x=human&o=hard&show=distance&at=&moves=&pause=0", as_read, ""),
        ("o=easy&o=medium", as_read, "?o=easy"),
        ("o=EASY&utm_source=mail", as_read, "?o=easy"),
        ("step=far", as_read, ""),
        ("moves=b2a1c3&at=1", lambda link: link.playing(8), "?moves=b2c1"),
        ("moves=a3a2&hint=1&line=c3&step=1&tried=c3", lambda link: link.showing(0), "?moves=a3a2&at=0"),
        ("moves=a3a2&hint=1&line=c3&step=1&tried=c3", lambda link: link.playing(8), "?moves=a3a2c1"),
        ("moves=a3a2&hint=1&line=c3&step=1&tried=c3", Link.restarted, ""),
        ("x=easy&o=easy&pause=1", Link.restarted, "?x=easy&o=easy"),
        ("from=X.O/.../...&moves=b2&o=friend", Link.restarted, "?from=X.O/.../...&o=friend"),
        (f"{WON}&score=1-0-2", Link.restarted, "?x=hard&o=human&score=0-2-2"),
        (f"{WON}&score=1-0-2", lambda link: link.restarted().restarted(), "?x=hard&o=human&score=0-2-2"),
        (f"{WON}&at=2", Link.restarted, "?x=hard&o=human&score=0-1-0"),
        (f"{WON}&score=1-5-2&scheme=patterns&begins=same", Link.restarted, "?score=4-5-2&scheme=patterns&begins=same"),
        ("moves=a3a2b3b2&score=1-0-2", Link.restarted, "?score=1-0-2"),
        ("moves=a3a2&score=1-0-2", lambda link: link.seating("human", "easy"), "?moves=a3a2&o=easy"),
        (f"{WON}&score=1-0-2", lambda link: link.seating("human", "easy"), "?o=easy"),
        ("moves=a3&score=1-0-2", Link.swapped, "?moves=a3&x=hard&o=human&score=0-1-2"),
        ("moves=a3&score=1-0-2", lambda link: link.swapped().swapped(), "?moves=a3&score=1-0-2"),
        (WON, Link.swapped, "?x=hard&o=human&score=0-1-0"),
        (f"{WON}&score=1-5-2&scheme=patterns", Link.swapped, "?x=hard&o=human&score=5-4-2&scheme=patterns"),
    ],
    ids=[
        *("what is as usual is left out", "the first of two equal parts counts", "names in any case, unknown parts"),
        *("a step without a line is ignored", "a move drops those taken back", "hints belong to one position"),
        *("hints end with a move", "hints end with the game", "a new game between computers is not paused"),
        *("a new game begins where this one did", "a new game counts the finished one", "it is counted once"),
        *("it counts while an earlier position is shown", "points go on", "a game broken off counts for nobody"),
        *("a series ends with its players", "a finished game ends with them", "the score follows swapped players"),
        *("swapping twice changes nothing", "swapping after a game begins another", "points are swapped too"),
    ],
)
def test_a_link_leads_to(query: str, change: Callable[[Link], Link], leads_to: str) -> None:
    assert change(read(query)).url() == f"/play/3x3x3{leads_to}"


def test_the_score_counts_a_finished_game_that_is_not_played_on() -> None:
    assert str(read(f"{WON}&score=1-0-2").score) == "2-0-2"
    assert str(read(f"{WON}&at=2").playing(8).score) == "0-0-0"


@pytest.mark.parametrize("part", ["review", "learn"])
@pytest.mark.parametrize(
    "change", [lambda link: link.playing(8), lambda link: link.restarted()], ids=["a move", "a new game"]
)
def test_playing_on_ends_a_review(change: Callable[[Link], Link], part: str) -> None:
    assert "review" not in change(read(f"moves=a3a2&{part}=1")).parts()


@pytest.mark.parametrize("part", ["review", "learn"])
def test_a_review_shows_no_outcomes_and_names_its_position_always(part: str) -> None:
    link = read(f"moves=a3a2&show=distance&{part}=1")
    assert not link.shows_outcomes
    assert link.url() == "/play/3x3x3?moves=a3a2&at=2&review=1"


def test_a_game_without_moves_has_no_review() -> None:
    assert not read("review=1").review


def test_settings_hold_nothing_of_the_game() -> None:
    link = read("moves=a3a2&at=1&show=coach&hint=1&review=1&learn=1")
    assert link.settings() == {"x": "human", "o": "hard", "show": "coach"}


@pytest.mark.parametrize(
    ("begins", "moves", "changes"),
    [
        ("alternate", "a3a2b3b2c3", True),
        ("alternate", "a3b3c3a2c2b2a1c1b1", True),
        ("alternate", "a3a2", False),
        ("loser", "a3a2b3b2c3", True),
        ("loser", "a3b3a2b2c2b1", False),
        ("loser", "a3b3c3a2c2b2a1c1b1", False),
        ("same", "a3a2b3b2c3", False),
    ],
)
def test_who_begins_the_next_game(begins: str, moves: str, changes: bool) -> None:
    following = read(f"begins={begins}&moves={moves}").restarted()
    assert (following.x, following.o) == (("hard", "human") if changes else ("human", "hard"))


def test_another_mark_keeps_the_game_and_the_series() -> None:
    link = read("moves=a3a2&score=1-0-2")
    assert link.seating("human", "hard") == link
    assert link.seating("hard", "human") == link.swapped()


@pytest.mark.parametrize("players", [("human", "easy"), ("hard", "human")], ids=["another", "the other sides"])
def test_changing_players_clears_the_hint_and_the_tried_square(players: tuple[str, str]) -> None:
    after = read("moves=a3a2&hint=1&tried=b2").seating(*players)
    assert (after.hint, after.tried) == (False, None)


@pytest.mark.parametrize(
    ("board", "games", "points"),
    [
        ("XXX/OO./...", "1-0-0", "3-0-0"),
        ("OOO/XX./X..", "0-1-0", "0-5-0"),
        ("XOX/OXX/OXO", "0-0-1", "0-1-1"),
        ("OXX/XOO/XOX", "0-0-1", "0-1-1"),
        ("OXO/XOX/XOX", "0-0-1", "1-0-1"),
        (".../.../...", "0-0-0", "0-0-0"),
    ],
    ids=["X wins", "O wins", "island", "arrow", "scorpion", "unfinished"],
)
def test_every_result_is_counted_for_its_side(board: str, games: str, points: str) -> None:
    """The points are those of the scheme in the Clojure article: 3–0, 0–5, 0–1, 0–1 and 1–0."""
    assert str(read(f"from={board}").score) == games
    assert str(read(f"from={board}&scheme=patterns").score) == points


def test_a_series_counts_to_a_limit_that_links_can_hold() -> None:
    full = read("moves=a3a2b3b2c3&score=999999-0-0").restarted()
    assert read_link("3x3x3", full.url().partition("?")[2]).problems == ()
