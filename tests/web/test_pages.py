"""The pages: each route as a page, as a fragment for htmx, and as htmx restores history."""

import re
from dataclasses import replace
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from solver.board.notation import format_cell, format_position, parse_rules
from solver.board.outcome import DRAWN, LOST, Bounds, Outcome, Value
from solver.board.position import Position
from solver.players import STRATEGIES, playing_on
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction
from tests.strategies import TIC_TAC_TOE, UNKNOWN, reachable
from tests.web.conftest import HTMX, RESTORE
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.pages.play.game import snapshot
from webapp.pages.play.link import read_link
from webapp.pages.play.players import description, title
from webapp.pages.play.words import hint, reason

WON = "/play/3x3x3?moves=a3a2b3b2c3"


class Page(HTMLParser):
    """The content of a page: its elements by id with their attributes, its links, its form fields."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: dict[str, dict[str, str | None]] = {}
        self.links: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if identity := attributes.get("id"):
            assert identity not in self.elements, f"two elements have the id {identity}"
            self.elements[identity] = attributes
        if tag == "a" and (href := attributes.get("href")):
            self.links.append(href)


def page(client: FlaskClient, url: str, status: int = 200) -> Page:
    answer = client.get(url)
    assert answer.status_code == status
    return Page(answer.text)


def is_page(text: str) -> bool:
    return text.startswith("<!doctype html>") and 'id="game"' in text


def is_fragment(text: str) -> bool:
    return "<html" not in text and text.count('<section id="game"') == 1


@pytest.mark.parametrize("url", ["/", "/play/3x3x3", "/play/3x3x3?moves=b2a1", "/play/4x4x4", WON])
def test_a_game_is_a_page_or_a_fragment_and_history_gets_the_page(client: FlaskClient, url: str) -> None:
    assert is_page(client.get(url).text)
    assert is_fragment(client.get(url, headers=HTMX).text)
    assert is_page(client.get(url, headers=RESTORE).text)


@pytest.mark.parametrize("url", ["/play/3x3x3?moves=b2b2", "/play/chess", "/play/9x9x9"])
def test_a_bad_link_is_status_400_in_each_of_these_forms(client: FlaskClient, url: str) -> None:
    for headers, looks_right in (({}, is_page), (HTMX, is_fragment), (RESTORE, is_page)):
        answer = client.get(url, headers=headers)
        assert answer.status_code == 400
        assert looks_right(answer.text)
        assert 'role="alert"' in answer.text


@pytest.mark.parametrize("headers", [HTMX, RESTORE, {}], ids=["htmx", "restore", "plain"])
def test_answers_say_that_they_depend_on_what_htmx_asks(client: FlaskClient, headers: dict[str, str]) -> None:
    vary = ", ".join(client.get("/", headers=headers).headers.getlist("Vary"))
    assert {"HX-Request", "HX-Request-Type", "HX-History-Restore-Request"} <= set(vary.split(", "))


def test_a_move_may_be_sent_as_any_kind_of_form(client: FlaskClient) -> None:
    answer = client.post("/play/3x3x3", data={"cell": "a3"}, content_type="multipart/form-data")
    assert answer.location == "/play/3x3x3?moves=a3b2"


def test_a_reply_is_shown_a_moment_later_only_when_it_was_just_made(client: FlaskClient) -> None:
    assert (
        'class="board played played-1 reply reply-1"'
        in client.post("/play/3x3x3", data={"cell": "a3"}, headers=HTMX).text
    )
    assert 'class="board"' in client.get("/play/3x3x3?moves=a3b2", headers=HTMX).text


def test_the_settings_lead_a_restored_page_to_its_link(client: FlaskClient) -> None:
    answer = client.get("/play?board=3x3x3&o=easy", headers=RESTORE, follow_redirects=True)
    assert answer.status_code == 200
    assert is_page(answer.text)


def test_the_settings_keep_what_the_series_counts(client: FlaskClient) -> None:
    text = client.get("/play/3x3x3/settings?score=3-5-0&scheme=patterns").text
    carried = '<input type="hidden" name="game" value="3x3x3?score=3-5-0&amp;scheme=patterns">'
    assert text.count("<form") == text.count(carried)


SETTINGS = "/play/3x3x3/settings?moves=b2a1&o=easy"


def test_the_settings_are_a_fragment_for_the_panel_of_the_game_and_a_page_that_leads_back(client: FlaskClient) -> None:
    game = client.get("/play/3x3x3?moves=b2a1&o=easy").text
    assert f'hx-get="{escape(SETTINGS)}"' in game
    assert f'<a href="{escape(SETTINGS)}"' in game
    assert "seats-form" not in game
    alone, panel = client.get(SETTINGS).text, client.get(SETTINGS, headers=HTMX).text
    assert "/play/3x3x3?moves=b2a1&o=easy" in Page(alone).links
    assert alone.startswith("<!doctype html>")
    assert "<html" not in panel
    assert Page(panel).elements.pop("shut"), "closes the panel"
    in_panel = {name: element for name, element in Page(panel).elements.items() if name != "shut"}
    assert Page(alone).elements.items() >= in_panel.items()
    assert ("<button>Apply</button>" in alone, "<button>Apply</button>" in panel) == (True, False)


def test_with_predictions_off_nothing_of_them_is_in_the_page(client: FlaskClient) -> None:
    text = client.get("/play/3x3x3?moves=a3a2&show=off&o=impossible", headers=HTMX).text
    shown = text[text.index('id="board-form"') : text.index('id="steps"')].replace("three in a row wins", "")
    assert not re.search(r"\b(win|wins|draw|draws|loss|loses|would|future|plies|W|D|L)\b", shown)


@pytest.mark.usefixtures("without_books")
def test_unproved_squares_say_so_and_look_like_nothing_else() -> None:
    text = create_app().test_client().get("/play/8x8x5").text  # another application may have kept the page
    assert re.search(
        r'id="sq-d4" class="sq unknown guess-4" aria-label="d4, empty, not proved yet.*<b>\?</b></em>', text
    )
    assert "The ? squares fill in as the proof goes on." in text


def test_a_hint_says_as_much_as_is_proved() -> None:
    link = read_link("3x3x3", "hint=1").link
    loss = Outcome(Value.LOSS, 2)
    for outcomes, words in (
        ({0: UNKNOWN, 1: UNKNOWN}, "The best move isn't proved yet."),
        ({0: UNKNOWN, 1: loss, 2: loss}, "The best move isn't proved yet, but every square loses except a3."),
    ):
        prediction = Prediction(link.position, outcomes, 1)
        assert hint(replace(snapshot(link), prediction=prediction)) == words


def test_a_hint_counts_squares_where_they_are_many() -> None:
    link = read_link("5x5x4", "hint=1&o=friend").link
    win, loss = Outcome(Value.WIN, 5), Outcome(Value.LOSS, 4)
    for first, rest, words in (
        (win, loss, "Best for X: 13 squares (a win in 3)."),
        (loss, UNKNOWN, "The best move isn't proved yet, but 13 squares lose."),
    ):
        squares = {cell: first if cell < 13 else rest for cell in range(25)}
        shown = snapshot(read_link("3x3x3", "hint=1&o=friend").link)
        assert hint(replace(shown, link=link, prediction=Prediction(link.position, squares, 1))) == words


def test_of_several_squares_that_win_most_often_it_is_said_in_the_plural() -> None:
    shown = snapshot(read_link("3x3x3", "hint=1").link)
    chances = {cell: Fraction(cell < 2, 2) for cell in range(9)}
    assert hint(replace(shown, chances=chances)) == "Every square draws. a3 and b3 win most often against Hard (50%)."


def test_every_opponent_is_offered_for_both_marks_with_its_description(client: FlaskClient) -> None:
    text = client.get("/play/3x3x3/settings").text
    for strategy in STRATEGIES.values():
        assert text.count(f'<option value="{strategy.name}" title="{escape(description(strategy, TIC_TAC_TOE))}"') == 2


@pytest.mark.parametrize("board", ["3x3x3", "4x4x4", "3x3x3-misere"])
def test_opponents_have_names_and_sentences_for_children(client: FlaskClient, board: str) -> None:
    for query in ("o=impossible", "o=pyfl-literal" if board == "3x3x3" else "o=medium"):
        text = re.sub(r' (?:value|id|href)="[^"]*"', "", client.get(f"/play/{board}/settings?{query}").text)
        assert not re.findall(
            r"pyfl|alpha-beta|minimax|the article|from the articles|scores|\bpl(?:y|ies)\b|live lines", text.lower()
        )
    offered = [title(each.name) for each in playing_on(parse_rules(board))]
    assert len(offered) == len({*offered})


@pytest.mark.parametrize(
    "url",
    [
        "/",
        WON,
        "/play/3x3x3/settings?moves=b2&score=1-2-3",
        "/play/3x3x3?x=easy&o=hard",
        "/play/3x3x3?moves=b2a1&hint=1&score=1-2-3",
        "/play/5x4x4?moves=a1",
    ],
)
def test_every_link_of_a_page_leads_to_a_page(client: FlaskClient, url: str) -> None:
    for link in page(client, url).links:
        assert client.get(link).status_code == 200, link


@pytest.mark.parametrize("base", ["http://localhost:8000", "http://[::1]:8000", "https://play.example"])
def test_the_address_is_shown_in_full_as_the_visitor_has_it(client: FlaskClient, base: str) -> None:
    answer = client.get("/share/3x3x3?moves=b2a1", base_url=base)
    assert f'value="{base}/play/3x3x3?moves=b2a1&amp;as=guest"' in answer.text


def test_a_server_that_was_told_no_hosts_shows_no_name_that_anybody_can_have_put_into_the_request() -> None:
    client = create_app(config=AppConfig(allowed_hosts=())).test_client()
    games = ("/play/3x3x3?moves=b2a1", "/play/4x4x4?moves=b2", "/play/3x3x3?moves=a1a1")
    for url in ("/", *games, "/share/3x3x3?moves=b2a1", "/embed/3x3x3?moves=b2a1", "/learn/", "/nowhere"):
        for path in (url, url):
            assert "elsewhere" not in client.get(path, base_url="https://elsewhere.example").text


def test_a_wrong_method_is_405_and_says_which_are_right(client: FlaskClient) -> None:
    answer = client.delete("/play/3x3x3")
    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]


def test_a_form_that_is_far_too_large_is_413(client: FlaskClient) -> None:
    answer = client.post("/play/3x3x3?moves=b2a1", data={"cell": "a" * 10_000})
    assert answer.status_code == 413
    assert 'href="/play/3x3x3?moves=b2a1"' in answer.text


def test_a_fault_of_ours_is_a_500_page_that_keeps_the_game(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr("webapp.pages.play.routes.human_move", broken)
    answer = client.post("/play/3x3x3?moves=b2a1", data={"cell": "c3"}, headers=HTMX)
    assert answer.status_code == 500
    assert "a defect" not in answer.text
    assert 'href="/play/3x3x3?moves=b2a1"' in answer.text


@pytest.mark.parametrize("path", ["/", "/games", "/learn/", "/practise/", "/lab"])
def test_a_space_follows_every_sentence_of_a_page(client: FlaskClient, path: str) -> None:
    text = unescape(re.sub(r"<(script|style|code|pre).*?</\1>|<[^>]+>", "", client.get(path).text, flags=re.DOTALL))
    assert re.findall(r"[a-z]{2}[.?!][A-Z][a-z]+", text) == []


def test_a_hint_excepts_no_square_that_may_be_as_good(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position("4x3x3")
    tie = Outcome(Value.UNKNOWN, None, Bounds(LOST, DRAWN))
    known = Prediction(position, dict.fromkeys(position.legal_moves, Outcome(Value.DRAW, 12)) | {0: tie}, 0)
    monkeypatch.setattr("solver.oracle.predict", lambda *_: known)
    text = client.get("/play/4x3x3?o=friend&hint=1").text
    assert "Anything but" not in text
    assert "Best for X: " in text


@pytest.mark.parametrize(
    ("query", "mine"),
    [
        ("o=impossible", "you still win"),
        ("x=impossible&o=human", "you still win"),
        ("x=hard&o=impossible&pause=1", "Hard still wins"),
    ],
)
def test_what_perfect_played_is_told_from_the_side_of_who_moves_next(query: str, mine: str) -> None:
    """Every position of 3x3x3 after a move of Perfect is told as the table has it."""
    told = set()
    for position in reachable(TIC_TAC_TOE):
        link = read_link("3x3x3", f"from={format_position(position)}&{query}").link
        if position.result or link.player(position.mover) != "impossible":
            continue
        after = link.playing(predict(position).best[0])
        if after.position.result:
            continue
        outcome, cell = predict(after.position).outcome, format_cell(after.game.moves[0], TIC_TAC_TOE)
        assert (
            reason(snapshot(after))
            == {
                Value.WIN: f"{cell} holds out longest: {mine} in {outcome.moves}.",
                Value.LOSS: f"It wins in {outcome.moves}.",
                Value.DRAW: "Still a draw.",
            }[outcome.value]
        )
        told.add(outcome.value)
    assert told == {Value.WIN, Value.DRAW, Value.LOSS}
