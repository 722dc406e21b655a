"""The games page: its cards, its search, and the ways that lead to it."""

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from solver.board.notation import parse_rules
from solver.board.shelf import SHELF, NamedGame
from tests.marked import exhaustive
from tests.web.conftest import HTMX
from webapp.pages.play.link import Link
from webapp.pages.play.players import title

DRAWN = {"own-shape": "/learn/shapes#draw", "own-lines": "/learn/shapes#holes"}
CARD = re.compile(r'<li class="card" data-game="([^"]*)">(.*?)</li>', re.DOTALL)
WITHOUT_JAVASCRIPT = "/play?board=games&game="


def cards(client: FlaskClient, address: str = "/games") -> dict[str, str]:
    """Return the cards of a page by their games."""
    answer = client.get(address)
    assert answer.status_code == 200
    return {slug: unescape(card) for slug, card in CARD.findall(answer.text)}


def links(client: FlaskClient, address: str) -> dict[str, str]:
    """Return the first link of each card."""
    return {slug: card.split('href="')[1].partition('"')[0] for slug, card in cards(client, address).items()}


def words(card: str) -> list[str]:
    """Return the texts of a card."""
    return [text for text in re.sub("<svg.*</svg>|<[^>]*>", "\n", card, flags=re.DOTALL).splitlines() if text.strip()]


def test_each_game_has_a_card_whose_first_link_plays_it(client: FlaskClient) -> None:
    shown = cards(client)
    assert list(shown) == [*(game.board for game in SHELF), *DRAWN]
    assert links(client, "/games") == {game.board: f"/play/{game.board}" for game in SHELF} | DRAWN
    for game in SHELF:
        name, rule, who_wins, levels = words(shown[game.board])
        assert (name, rule, levels) == (game.name, game.rule, "Easy · Medium · Hard · Perfect")
        assert re.search("wins|draw|[Nn]obody knows", who_wins)
    assert "X wins in 21 moves." in shown["7x6x4-gravity"]
    assert "X wins in at most 32 moves." in shown["4x4x4x4"]


def test_any_other_size_and_rule_is_one_press_further(client: FlaskClient) -> None:
    link = '<a href="/play/3x3x3/settings?x=human&amp;o=easy">choose your own</a>'
    assert link in client.get("/games?x=human&o=easy").text
    assert 'name="columns"' in client.get("/play/3x3x3/settings?x=human&o=easy").text


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.name)
def test_each_card_shows_a_line_or_the_stone_that_leaves(client: FlaskClient, game: NamedGame) -> None:
    card = cards(client)[game.board]
    assert ('class="cell leaves"' if "vanishing" in card else 'class="strike"') in card


@pytest.mark.parametrize(
    ("query", "boards"),
    [
        *((name, [game.board]) for game in SHELF for name in (game.name, game.name.upper())),
        ("misere", ["3x3x3-misere"]),
        ("7x6x4-gravity", ["7x6x4-gravity"]),
        ("animals", ["5x5-tippy", "5x5-elly", "5x5-knobby", "5x5-fatty", "7x7-skinny", "7x7-snaky"]),
        ("upside down", ["3x3x3-mobius", "3x3x3-klein", "3x3x3-projective"]),
        ("your own shape", ["own-shape"]),
        ("chess", []),
    ],
)
def test_a_search_shows_what_fits_alone(client: FlaskClient, query: str, boards: list[str]) -> None:
    assert list(cards(client, f"/games?q={query}")) == boards


@pytest.mark.parametrize("query", ["", "+", "-", "%F0%9F%8E%89"])
def test_a_search_for_nothing_shows_all_games(client: FlaskClient, query: str) -> None:
    assert list(cards(client, f"/games?q={query}")) == list(cards(client))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("qubik", '<a href="/games?q=Qubic">Qubic</a>?'),
        ("5x4x4", '<a href="/play/5x4x4">play 5×4, four in a row</a>'),
        ("<b>chess</b>", "No game here is called “&lt;b&gt;chess&lt;/b&gt;”."),
    ],
)
def test_what_is_not_found_leads_to_near_names_a_board_and_back(client: FlaskClient, query: str, said: str) -> None:
    text = client.get("/games", query_string={"q": query}).text
    assert said in text
    assert '<a href="/games">All games</a>' in text


KEPT = {
    "?x=human&o=easy": "?x=human&o=easy",
    "?x=impossible&o=human&show=coach": "?x=impossible&o=human&show=coach",
    "?x=human&o=seven-rules&score=1-0-0&show=off": "?show=off",
    "?x=friend&o=human&score=3-2-1&scheme=patterns": "?x=friend&o=human",
    "?o=nobody": "?x=human&o=hard",
    "?colour=red&q=": "",
}
"""Settings of a game with those that a link to another game keeps."""


@pytest.mark.parametrize("step", [len(KEPT), *exhaustive(1)])
@pytest.mark.parametrize("settings", KEPT)
def test_links_to_play_keep_the_settings_that_every_game_has(client: FlaskClient, settings: str, step: int) -> None:
    urls = links(client, f"/games{settings}")
    assert urls["4x4x4x4"] == f"/play/4x4x4x4{KEPT[settings]}"
    for url in [*urls.values()][[*KEPT].index(settings) % step :: step]:
        assert client.get(url.partition("#")[0]).status_code == 200


def test_the_page_says_that_an_opponent_stays_behind_and_who_plays_instead(client: FlaskClient) -> None:
    told = f"{title('seven-rules')} doesn't know all of them, so here you play Hard."
    assert told in unescape(client.get("/games?x=human&o=seven-rules").text)
    assert title(Link.starting(parse_rules("4x4x4x4")).o) == "Hard"
    for settings in ("", "?x=human&o=easy", "?x=human&o=friend"):
        assert "know all of them" not in client.get(f"/games{settings}").text


@pytest.mark.parametrize(("game", "settings"), [("3x3x3", ""), ("3x3x3?o=easy%26moves=b2", "?x=human&o=easy")])
def test_the_last_board_of_the_dropdown_leads_to_the_games(client: FlaskClient, game: str, settings: str) -> None:
    assert '<option value="games">More games…</option>' in client.get(f"/play/{game.partition('%')[0]}").text
    plain = client.get(f"{WITHOUT_JAVASCRIPT}{game}")
    assert (plain.status_code, plain.location) == (303, f"/games{settings}")
    by_htmx = client.get(f"{WITHOUT_JAVASCRIPT}{game}", headers=HTMX)
    assert (by_htmx.status_code, by_htmx.headers["HX-Redirect"]) == (200, f"/games{settings}")


@pytest.mark.parametrize("name", ["connect four", "Qubic", "misère"])
def test_a_name_that_is_pasted_is_played(client: FlaskClient, name: str) -> None:
    board = next(game.board for game in SHELF if game.name.casefold() == name.casefold())
    assert client.get("/play", query_string={"paste": name}).location.startswith(f"/play/{board}?")


def test_prove_is_left_to_the_footer_and_the_contents_of_learn(client: FlaskClient) -> None:
    navigation = client.get("/").text.partition("</nav>")[0]
    assert re.findall(r">([\w ]+)</a>", navigation) == ["Play", "Games", "With a friend", "Practise", "Learn"]
    assert 'href="/prove"' in client.get("/games").text.partition("<footer")[2]
    assert 'href="/prove"' in client.get("/learn/").text.partition("<footer")[0]


def test_the_page_is_sent_once(client: FlaskClient) -> None:
    tag = client.get("/games").headers["ETag"]
    assert client.get("/games", headers={"If-None-Match": tag}).status_code == 304
