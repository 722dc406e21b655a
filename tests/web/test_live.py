"""Live games by their forms, as browsers without JavaScript use them: seats, moves, refusals, agreements, rematches."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import cycle
from pathlib import Path
from unittest.mock import patch

import pytest
import sqlalchemy as sql
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from tests.strategies import examples
from tests.web.conftest import HTMX
from tests.web.live_games import HERE, new_game
from tests.web.scenes import MAKERS, Clock, Table, app_with_games, played, refusal, scenes
from tests.web.test_previews import tags
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.pages.live.game import Matter, Unreachable
from webapp.pages.live.store import GAMES, LiveStore
from webapp.pages.live.visitors import sign
from webapp.serving.http.log import _SECRET

SEAT = r"seat=([\w.-]+)"


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Iterator[Flask]:
    made = app_with_games(tmp_path_factory.mktemp("live"), clock)
    yield made
    made.extensions["live"].store().close()


@pytest.mark.parametrize("scene", scenes(), ids=lambda scene: scene.partition("\n")[0])
def test_a_scene_is_played_as_it_was(app: Flask, clock: Clock, scene: str) -> None:
    assert played(app, clock, scene) == scene
    clock.ahead = 0.0


def found(pattern: str, text: str) -> str:
    """Return the first group of a pattern that is in a text."""
    match = re.search(pattern, unescape(text))
    assert match, pattern
    return match[1]


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app)


def status(page: str) -> str:
    return found(r"<strong>(.*?)</strong>", page)


def said(page: str) -> str:
    return found(r'id="said" role="status".*?>(.*?)</p>', page)


def cookie_of(client: FlaskClient, table: Table, name: str = "seat") -> str:
    """Return the cookie that holds a client's seat: a secret, a point and a signature."""
    cookie = client.get_cookie(name, path=table.url)
    assert cookie
    return cookie.value


def secret_of(client: FlaskClient, table: Table, name: str = "seat") -> str:
    """Return the secret of the seat that a client has."""
    return cookie_of(client, table, name).partition(".")[0]


def test_an_address_of_a_game_holds_128_random_bits_and_is_for_no_search_engine(app: Flask) -> None:
    urls = {Table(app, joined=False).url for _ in range(3)}
    assert len(urls) == 3
    assert all(re.fullmatch(r"/live/[\w-]{22}", url) for url in urls)
    assert '<meta name="robots" content="noindex">' in app.test_client().get(urls.pop()).text


def test_an_invitation_tells_of_itself_and_its_picture_is_there(app: Flask) -> None:
    table, client = Table(app, joined=False), app.test_client()
    for address in ("/live", "/live?board=5x4x4", table.url):
        told = tags(client.get(address).text)
        assert told["og:url"] == f"http://localhost{address}"
        assert client.get(told["og:image"].replace(".png?", ".svg?")).status_code == 200
    assert told["og:title"] == "A friend invites you: play O"
    assert told["description"] == "3×3, three in a row wins. Open it to join."
    table.post(table.o, do="join")
    assert "X to move. You can watch." in tags(table.page(table.watcher))["description"]


def test_who_may_begin_at_random_has_a_seat_too(app: Flask) -> None:
    invited = status(Table(app, joined=False, begins="random").page(app.test_client()))
    assert invited in {"A friend invites you: play X", "A friend invites you: play O"}


@pytest.mark.parametrize(
    ("name", "shown"),
    [(" Ann\n ", "Ann"), ("\u202eA\u200dnn\0 B", "Ann B"), ("\u202e\n", "A friend"), (1000 * "A", 24 * "A")],
)
def test_of_a_hosts_name_what_can_be_printed_is_shown(app: Flask, name: str, shown: str) -> None:
    table = Table(app, joined=False, name=name)
    assert status(table.page(table.o)) == f"{shown} invites you: play O"


def test_an_invitation_has_a_qr_code(app: Flask) -> None:
    table = Table(app, joined=False)
    code = table.o.get(found(r'class="qr" src="(.*?)"', table.page(table.x)))
    assert (code.status_code, code.mimetype) == (200, "image/svg+xml")


def test_a_game_of_an_earlier_version_without_players_seats_the_first_two_who_join(app: Flask) -> None:
    table = Table(app, joined=False)
    app.extensions["live"].store().add(new_game("b" * 22, moved=4e9), HERE)
    table.url = f"/live/{'b' * 22}"
    assert said(table.page(table.watcher)) == "Join to play X. X begins."
    assert [table.post(each, do="join").status_code for each in (table.o, table.watcher, table.x)] == [303, 303, 409]


@pytest.mark.parametrize("column", ["board", "ending", "series"])
def test_a_game_that_a_newer_version_made_is_said_to_be_too_new(app: Flask, column: str) -> None:
    table = Table(app)
    newer = sql.update(GAMES).where(GAMES.c.id == table.url.removeprefix("/live/")).values({column: "3x3x3-later"})
    app.extensions["live"].store().database.do(lambda connection: connection.execute(newer), writes=True)
    for answer in (table.x.get(table.url), table.post(table.x, cell="a1"), table.x.get(f"{table.url}/news?once")):
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert "A newer version of Noughts made this game" in table.x.get(table.url).text


def test_a_seat_is_a_secret_that_scripts_cannot_read_for_the_addresses_of_its_game_alone(app: Flask) -> None:
    table = Table(app, joined=False)
    cookie = table.post(table.o, do="join").headers.getlist("Set-Cookie")[-1]
    assert {"HttpOnly", "SameSite=Lax", f"Path={table.url}"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    table = Table(app, joined=False)
    encrypted = table.o.post(table.url, data={"do": "join"}, base_url="https://localhost").headers.getlist(
        "Set-Cookie"
    )[-1]
    assert encrypted.startswith("__Secure-seat=")
    assert "Secure" in encrypted.split("; ")


def test_who_presses_twice_has_one_seat(app: Flask) -> None:
    table = Table(app, joined=False)
    offered = table.o.get(table.url).headers["Set-Cookie"]
    assert {"HttpOnly", f"Path={table.url}"} <= set(offered.split("; "))
    table.watcher.set_cookie("seat", found(SEAT, offered), path=table.url)
    for client in (table.o, table.o, table.watcher):  # the last as if the first answer had never come
        assert table.post(client, do="join").status_code == 303


# The way back to a seat.


def test_the_link_back_to_a_seat_is_shown_once_after_joining(app: Flask) -> None:
    table = Table(app, joined=False)
    page = table.page(table.o)
    assert secret_of(table.o, table) not in page
    table.post(table.o, do="join")
    assert [secret_of(table.o, table) in table.page(table.o) for _ in range(2)] == [True, False]


def test_who_invites_is_shown_the_link_back_once(app: Flask) -> None:
    client = app.test_client()
    url = made_from(client, f"198.18.{next(MAKERS)}.1").headers["Location"]
    assert ['id="way-back"' in client.get(url).text for _ in range(2)] == [True, False]


def test_a_page_with_the_link_back_is_kept_nowhere(app: Flask) -> None:
    table = Table(app, joined=False)
    table.post(table.o, do="join")
    answer = table.o.get(table.url)
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert "http-equiv" not in answer.text, "a page that reloads itself would lose it"


def way_back(table: Table, client: FlaskClient) -> str:
    """Return the path of the link back to a client's seat."""
    page = table.post(client, do="keep")
    assert page.status_code == 303
    return found(r'id="way-back-link".*?value="http://localhost(.*?)"', table.page(client))


def test_the_link_back_opens_the_seat_by_its_button_alone(app: Flask, table: Table) -> None:
    path, elsewhere = way_back(table, table.o), app.test_client()
    assert "You play O" in elsewhere.get(path).text
    assert status(table.page(elsewhere)) == "X to move", "messengers open links too"
    key = found(r'name="key" value="(.*?)"', elsewhere.get(path).text)
    assert table.post(elsewhere, do="back", key=key).status_code == 303
    assert status(table.page(elsewhere)) == "Your friend's turn (X)"


def test_a_log_has_only_the_beginning_of_a_link_back(table: Table) -> None:
    assert _SECRET.sub(r"\1…", way_back(table, table.o)) == f"{table.url[:12]}…"


ACTS = ["", "join", "back", "keep", "claim-X", "claim-", "seat-", "no-seat-", "resign", *Matter, "no-draw"]


@settings(examples(200), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    who=st.sampled_from(["x", "o", "watcher"]),
    act=st.one_of(st.sampled_from(ACTS), st.text(max_size=9)),
    more=st.dictionaries(st.sampled_from(["at", "cell", "key", "seen"]), st.text("019.a \0\u0663", max_size=9)),
)
def test_no_form_of_a_live_game_is_our_fault(table: Table, who: str, act: str, more: dict[str, str]) -> None:
    answer = getattr(table, who).post(table.url, data={"do": act, **more}, query_string=more)
    assert 200 <= answer.status_code < 500


# Cookies.


def offered_for(app: Flask, table: Table) -> str:
    """Return the value of a cookie that the server has handed out for a game."""
    return found(SEAT, app.test_client().get(table.url).headers["Set-Cookie"])


def test_nobody_sits_down_with_a_secret_that_the_server_did_not_hand_out_for_this_game(app: Flask) -> None:
    for planted in ("A" * 32, offered_for(app, Table(app, joined=False))):
        table = Table(app, joined=False)
        table.o.set_cookie("seat", planted, path=table.url)
        table.post(table.o, do="join")
        assert secret_of(table.o, table) != planted.partition(".")[0]
        table.watcher.set_cookie("seat", planted, path=table.url)
        assert status(table.page(table.watcher)) == "X to move"
        assert table.post(table.watcher, cell="a1", at="0.0").status_code == 403


def test_over_https_nobody_sits_down_with_a_cookie_that_http_could_have_set(app: Flask) -> None:
    table = Table(app, joined=False)
    planted = offered_for(app, table)
    table.o.set_cookie("seat", planted, path=table.url)
    table.o.post(table.url, data={"do": "join"}, base_url="https://localhost")
    assert secret_of(table.o, table, "__Secure-seat") != planted.partition(".")[0]


def with_seat_of_an_earlier_version(table: Table) -> FlaskClient:
    """Give the spectator the seat of X as earlier versions stored it: the secret alone."""
    table.watcher.set_cookie("seat", secret_of(table.x, table), path=table.url)
    return table.watcher


@pytest.mark.parametrize("address", ["http://localhost", "https://localhost"])
def test_a_seat_in_a_cookie_of_an_earlier_version_is_held_still(table: Table, address: str) -> None:
    client = with_seat_of_an_earlier_version(table)
    assert client.post(table.url, data={"cell": "b2"}, base_url=address).status_code == 303
    assert table.marks() == {"b2": "X"}


@pytest.mark.parametrize(("address", "name"), [("http://localhost", "seat"), ("https://localhost", "__Secure-seat")])
def test_who_shows_a_cookie_of_an_earlier_version_is_given_a_signed_one(table: Table, address: str, name: str) -> None:
    client = with_seat_of_an_earlier_version(table)
    handed = client.get(table.url, base_url=address).headers["Set-Cookie"]
    assert handed.startswith(f"{name}={secret_of(table.x, table)}.")
    assert "Set-Cookie" not in client.get(table.url, base_url=address).headers


def test_a_planted_cookie_beside_it_does_not_hide_a_seat(app: Flask, table: Table) -> None:
    planted = f"seat={'A' * 32}; seat={cookie_of(table.x, table)}"
    page = app.test_client(use_cookies=False).get(table.url, headers={"Cookie": planted}).text
    assert status(page) == "Your turn (X)"


def test_all_servers_with_one_database_take_each_other_s_seats(tmp_path: Path) -> None:
    here, there = (create_app(config=_kept(tmp_path)).test_client() for _ in range(2))
    url = here.post("/live").headers["Location"]
    cookie = here.get_cookie("seat", path=url)
    assert cookie
    there.set_cookie("seat", cookie.value, path=url)
    answer = there.get(url)
    assert status(answer.text) == "Waiting for your friend"
    assert "Set-Cookie" not in answer.headers


def test_a_seat_that_was_signed_with_another_key_is_still_held(table: Table) -> None:
    elsewhere = sign(secret_of(table.x, table), table.url.removeprefix("/live/"), b"another key")
    table.watcher.set_cookie("seat", elsewhere, path=table.url)
    answer = table.watcher.get(table.url)
    assert status(answer.text) == "Your turn (X)"
    assert "Set-Cookie" in answer.headers


def test_an_answer_to_htmx_has_the_cookie_of_a_seat_once(app: Flask) -> None:
    table = Table(app, joined=False)
    table.watcher.set_cookie("seat", secret_of(table.x, table), path=table.url)  # of an earlier version
    answer = table.watcher.post(table.url, data={"do": "join"}, headers=HTMX)
    assert len(answer.headers.getlist("Set-Cookie")) == 1


def test_another_site_cannot_move(table: Table) -> None:
    answer = table.x.post(table.url, data={"cell": "a1"}, headers={"Origin": "https://elsewhere.example"})
    assert answer.status_code == 403
    assert table.marks() == {}


@pytest.mark.parametrize(
    "said",
    [(("x", "resign"),), (("x", "draw"), ("o", "draw")), (("o", "colours"),), (("o", "no-draw"),)],
    ids=lambda said: said[-1][1],
)
def test_what_is_said_twice_since_the_answer_was_lost_changes_nothing_more(
    table: Table, said: tuple[tuple[str, str], ...]
) -> None:
    for who, what in said:
        assert table.post(getattr(table, who), do=what, at="0.0").status_code == 303
    before = table.page(table.x)
    who, what = said[-1]
    assert table.post(getattr(table, who), do=what, at="0.0").status_code == 303
    assert table.page(table.x) == before


@pytest.mark.parametrize("form", [{"board": "9x9x5"}, {"board": "nonsense"}, {"begins": "nobody"}])
def test_a_game_that_cannot_be_is_not_made(app: Flask, form: dict[str, str]) -> None:
    answer = app.test_client().post("/live", data=form)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize("path", ["/live/short", "/live/" + "A" * 22, "/live/" + "A" * 22 + "/news"])
def test_an_address_of_no_game_says_so(app: Flask, path: str) -> None:
    answer = app.test_client().get(path)
    assert answer.status_code == 404
    assert "A game ends 24 hours after its last move." in answer.text


def made_from(client: FlaskClient, address: str) -> TestResponse:
    return client.post("/live", environ_overrides={"REMOTE_ADDR": address})


def test_one_visitor_makes_only_so_many_games_in_all_processes_together(tmp_path: Path) -> None:
    clients = cycle([create_app(config=_kept(tmp_path)).test_client() for _ in range(2)])
    answers = [made_from(next(clients), "192.0.2.1") for _ in range(32)]
    assert [answer.status_code for answer in answers] == [303] * 30 + [429] * 2
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 600
    assert made_from(next(clients), "192.0.2.2").status_code == 303


def test_where_all_games_at_a_time_are_played_the_next_is_refused_kindly(tmp_path: Path) -> None:
    app = create_app(config=_kept(tmp_path, most=1))
    maker, friend = app.test_client(), app.test_client()
    url = made_from(maker, "192.0.2.1").headers["Location"]
    for client, address in ((maker, "192.0.2.1"), (friend, "192.0.2.2")):
        client.post(url, data={"do": "join"}, environ_overrides={"REMOTE_ADDR": address})
    answer = made_from(app.test_client(), "192.0.2.3")
    assert answer.status_code == 503
    assert "Try again later" in answer.text
    assert answer.headers["Retry-After"] == "60"


def test_without_its_database_live_games_are_refused_and_all_else_works(tmp_path: Path) -> None:
    client = create_app(config=AppConfig(database=f"sqlite:///{tmp_path}/no/folder/live.sqlite")).test_client()
    assert client.post("/live").status_code == 503
    assert client.get("/live/" + "A" * 22).status_code == 503
    assert [client.get(path).status_code for path in ("/", "/live", "/readyz")] == [200, 200, 200]
    assert client.get("/readyz").get_json()["checks"]["live"]["ok"] is False


def test_a_database_that_can_be_read_but_not_written_shows_the_game(
    table: Table, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "ahead", 60.0)
    with patch.object(LiveStore, "beat", side_effect=Unreachable) as beat:
        assert table.x.get(table.url).status_code == 200
    assert beat.called


def test_an_answer_to_htmx_is_the_swapped_part_and_stays_at_its_address(table: Table) -> None:
    answer = table.x.post(table.url, data={"cell": "a1", "at": "0.0"}, headers=HTMX)
    assert answer.status_code == 200
    assert answer.text.startswith("<title>Your friend&#39;s turn (O)")
    assert answer.headers["HX-Replace-Url"] == table.url
    assert "<html" not in answer.text


def test_the_word_of_the_news_changes_with_the_game_and_is_sent_once(table: Table) -> None:
    asked = f"{table.url}/news?once=1"
    before = table.watcher.get(asked)
    assert table.watcher.get(asked, headers={"If-None-Match": before.headers["ETag"]}).status_code == 304
    table.play("a1")
    after = table.watcher.get(asked)
    assert before.text != after.text
    assert f'data-tag="{after.text}"' in table.page(table.watcher)
    stream = table.watcher.get(f"{table.url}/news")
    assert stream.mimetype == "text/event-stream"
    assert f"data: {after.text}\n\n" in stream.text


def test_a_new_game_with_a_friend_offers_to_invite_one_from_elsewhere(app: Flask) -> None:
    client = app.test_client()
    assert 'href="/live?board=5x4x4"' in client.get("/play/5x4x4?o=friend").text
    assert 'href="/live"' in client.get("/").text
    assert '<option value="5x4x4" selected>' in client.get("/live?board=5x4x4").text


def _kept(folder: Path, most: int = 1000) -> AppConfig:
    return AppConfig(database=f"sqlite:///{folder}/live.sqlite", live_games=most)


def test_a_vanishing_game_of_two_friends_goes_on_until_they_agree(app: Flask) -> None:
    vanishing = Table(app, board="3x3x3-vanishing")
    vanishing.play("b2", "a1", "a3", "c1", "b1", "b3", "c3")
    assert vanishing.marks() == {"a3": "X", "b3": "O", "c3": "X", "a1": "O", "b1": "X", "c1": "O"}
    assert "a draw goes on for ever." in " ".join(vanishing.page(vanishing.x).split())
    with patch("webapp.pages.live.game.MOST_MOVES", 7):
        refused = vanishing.post(vanishing.o, cell="b2", at=vanishing.at(vanishing.o))
    assert refusal(refused) == (409, "This game has gone on for 7 moves. Agree on a draw, or resign.")
