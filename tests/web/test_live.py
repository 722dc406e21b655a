"""Live games by their forms, as browsers without JavaScript use them: seats, moves, refusals, agreements, rematches."""

import re
import time
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
from tests.web.test_previews import tags
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.pages.live.game import Matter, Unreachable
from webapp.pages.live.store import LiveStore
from webapp.pages.live.tables import GAMES
from webapp.pages.live.visitors import signed
from webapp.serving.http.log import _SECRET

MAKERS = cycle(range(256))
SEAT = r"seat=([\w.-]+)"


class Clock:
    ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Iterator[Flask]:
    made = create_app()
    made.extensions["live"]._store = store = LiveStore(tmp_path_factory.mktemp("live") / "live.sqlite", 1000, clock)
    yield made
    store.close()


def found(pattern: str, text: str) -> str:
    """Return the first group of a pattern that is in a text."""
    match = re.search(pattern, unescape(text))
    assert match, pattern
    return match[1]


class Table:
    """A game with its host, a friend, and a spectator; the host has X."""

    def __init__(self, app: Flask, joined: bool = True, **form: str) -> None:
        self.x, self.o, self.watcher = (app.test_client() for _ in range(3))
        maker = {"REMOTE_ADDR": f"198.18.{next(MAKERS)}.1"}  # not too many games from one network
        made = self.x.post("/live", data={"board": "3x3x3", **form}, environ_overrides=maker)
        self.url = made.headers["Location"]
        if joined:
            assert self.o.post(self.url, data={"do": "join"}).status_code == 303
            self.o.delete_cookie("way-back", path=self.url)
        self.x.delete_cookie("way-back", path=self.url)

    def page(self, client: FlaskClient) -> str:
        return client.get(self.url).text

    def at(self, client: FlaskClient) -> str:
        return found(r'name="at" value="([\d.]+)"', self.page(client))

    def post(self, client: FlaskClient, **form: str) -> TestResponse:
        return client.post(self.url, data=form)

    def play(self, *cells: str) -> None:
        for cell in cells:
            client = (self.x, self.o)[int(self.at(self.watcher).partition(".")[2]) % 2]
            assert self.post(client, cell=cell, at=self.at(client)).status_code == 303

    def marks(self) -> dict[str, str]:
        return dict(re.findall(r'id="sq-(\w\d)".*?<span class="mark">([XO])', self.page(self.watcher)))


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app)


def status(page: str) -> str:
    return found(r"<strong>(.*?)</strong>", page)


def said(page: str) -> str:
    return found(r'id="said" role="status".*?>(.*?)</p>', page)


def refusal(answer: TestResponse) -> tuple[int, str]:
    reason = re.search(r'id="refused".*?>(.*?)</p>', answer.text)
    return answer.status_code, reason[1] if reason else ""


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


def test_what_a_live_page_says_of_keys_and_of_its_address_is_true_of_it(table: Table) -> None:
    page = table.page(table.x)
    assert "takes a move back" not in page
    assert "The address of the page is the game." not in page


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


@pytest.mark.parametrize(("begins", "seat", "free"), [("me", "X", "O"), ("friend", "O", "X")])
def test_who_invites_has_a_seat_and_the_friend_is_invited_to_the_other(
    app: Flask, begins: str, seat: str, free: str
) -> None:
    table = Table(app, joined=False, begins=begins, name=" Ann\n ")
    assert status(table.page(table.x)) == "Waiting for your friend"
    assert said(table.page(table.x)).startswith(f"You play {seat}.")
    assert status(table.page(table.o)) == f"Ann invites you: play {free}"


def test_who_may_begin_at_random_has_a_seat_too(app: Flask) -> None:
    invited = status(Table(app, joined=False, begins="random").page(app.test_client()))
    assert invited in {"A friend invites you: play X", "A friend invites you: play O"}


@pytest.mark.parametrize(
    ("name", "shown"),
    [("\u202eA\u200dnn\0 B", "Ann B"), ("\u202e\n", "A friend"), (1000 * "A", 24 * "A")],
)
def test_of_a_hosts_name_what_can_be_printed_is_shown(app: Flask, name: str, shown: str) -> None:
    table = Table(app, joined=False, name=name)
    assert status(table.page(table.o)) == f"{shown} invites you: play O"


def test_only_who_invites_is_told_to_send_the_link(app: Flask) -> None:
    table = Table(app, joined=False)
    assert ['id="invitation"' in table.page(each) for each in (table.x, table.o)] == [True, False]
    table.post(table.o, do="join")
    assert ['id="invitation"' in table.page(each) for each in (table.x, table.o)] == [True, False]


def test_an_invitation_has_a_qr_code(app: Flask) -> None:
    table = Table(app, joined=False)
    code = table.o.get(found(r'class="qr" src="(.*?)"', table.page(table.x)))
    assert (code.status_code, code.mimetype) == (200, "image/svg+xml")


def test_the_first_who_joins_plays_and_others_watch(app: Flask) -> None:
    table = Table(app, joined=False)
    assert "Join" in table.page(table.o)
    answers = [table.post(client, do="join") for client in (table.x, table.o, table.watcher)]
    assert [answer.status_code for answer in answers] == [303, 303, 409]
    assert [status(table.page(each)) for each in (table.x, table.o, table.watcher)] == [
        "Your turn (X)",
        "Your friend's turn (X)",
        "X to move",
    ]
    assert "Join" not in table.page(table.watcher)


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
    app.extensions["live"].store()._database.do(lambda connection: connection.execute(newer), writes=True)
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


@pytest.mark.parametrize("key", ["A" * 32, "", "é", "A.B"])
def test_a_forged_key_opens_no_seat(table: Table, key: str) -> None:
    assert refusal(table.post(table.watcher, do="back", key=key))[0] == 403
    assert table.watcher.get(f"{table.url}{'A' * 32}").status_code == 404


def test_a_log_has_only_the_beginning_of_a_link_back(table: Table) -> None:
    assert _SECRET.sub(r"\1…", way_back(table, table.o)) == f"{table.url[:12]}…"


def test_a_spectator_has_no_link_back(table: Table) -> None:
    assert table.post(table.watcher, do="keep").status_code == 403


@pytest.fixture
def claimed(table: Table, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Table:
    """Return a game whose O has lost the cookie and says so as the spectator."""
    monkeypatch.setattr(clock, "ahead", 60.0)
    table.page(table.x)
    assert re.findall(r'value="claim-(.)"', table.page(table.watcher)) == ["O"]
    assert table.post(table.watcher, do="claim-O").status_code == 303
    return table


def test_this_was_me_gives_a_seat_back_once_the_other_side_confirms(claimed: Table) -> None:
    assert "Waiting for your friend to confirm" in said(claimed.page(claimed.watcher))
    claimed.post(claimed.x, do=found(r'id="yes" name="do" value="(.*?)"', claimed.page(claimed.x)))
    assert [status(claimed.page(each)) for each in (claimed.watcher, claimed.o)] == [
        "Your friend's turn (X)",
        "X to move",
    ]


@pytest.mark.parametrize("who", ["x", "o"])
def test_either_player_turns_a_stranger_away(claimed: Table, who: str) -> None:
    client = getattr(claimed, who)
    assert claimed.post(client, do=found(r'id="no" name="do" value="(.*?)"', claimed.page(client))).status_code == 303
    assert 'id="asked"' not in claimed.page(claimed.x)
    assert status(claimed.page(claimed.watcher)) == "X to move"


def test_nobody_confirms_a_claim_to_their_own_side_or_as_a_spectator(claimed: Table) -> None:
    yes = found(r'id="yes" name="do" value="(.*?)"', claimed.page(claimed.x))
    assert [claimed.post(each, do=yes).status_code for each in (claimed.o, claimed.watcher)] == [409, 403]


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


def test_the_seat_of_a_player_who_is_here_cannot_be_claimed(table: Table) -> None:
    table.page(table.o)
    assert refusal(table.post(table.watcher, do="claim-O")) == (409, "O is here right now.")


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
    elsewhere = signed(secret_of(table.x, table), table.url.removeprefix("/live/"), b"another key")
    table.watcher.set_cookie("seat", elsewhere, path=table.url)
    answer = table.watcher.get(table.url)
    assert status(answer.text) == "Your turn (X)"
    assert "Set-Cookie" in answer.headers


def test_an_answer_to_htmx_has_the_cookie_of_a_seat_once(app: Flask) -> None:
    table = Table(app, joined=False)
    table.watcher.set_cookie("seat", secret_of(table.x, table), path=table.url)  # of an earlier version
    answer = table.watcher.post(table.url, data={"do": "join"}, headers=HTMX)
    assert len(answer.headers.getlist("Set-Cookie")) == 1


def test_a_game_is_played_to_its_end_and_becomes_a_link_with_its_review(table: Table) -> None:
    table.play("a1", "b2", "b1", "c3", "c1")
    assert [status(table.page(each)) for each in (table.x, table.o, table.watcher)] == [
        "You win!",
        "Your friend wins",
        "X wins",
    ]
    review = table.x.get(found(r'id="review".*?href="(.*?)"', table.page(table.watcher)).replace("&amp;", "&"))
    assert review.status_code == 200
    assert "X wins" in review.text


@pytest.mark.parametrize("ends", [("resign",), ("draw", "draw")], ids=["resigned", "agreed"])
def test_a_game_that_the_board_did_not_end_leads_to_a_review_of_its_moves_and_says_no_more(
    table: Table, ends: tuple[str, ...]
) -> None:
    table.play("a1", "b2")
    for client, what in zip((table.x, table.o), ends, strict=False):
        table.post(client, do=what)
    link = found(r'id="review".*?href="(.*?)".*?>Review the moves so far<', table.page(table.watcher))
    assert "X to move" in table.x.get(link.replace("&amp;", "&")).text


@pytest.mark.parametrize(
    ("who", "form", "expected", "words"),
    [
        ("x", {"cell": "a2", "at": "0.2"}, 303, ""),
        ("x", {"cell": "b2", "at": "0.2"}, 409, "taken"),
        ("x", {"cell": "z9", "at": "0.2"}, 400, "off the board"),
        ("x", {"cell": "", "at": "0.2"}, 400, ""),
        ("x", {"cell": "a2", "at": "0.1"}, 409, "The game has gone on"),
        ("x", {"cell": "a2", "at": "0.7"}, 409, "The game has gone on"),
        ("x", {"cell": "a2", "at": "nonsense"}, 400, "belongs to another game"),
        ("o", {"cell": "a2", "at": "0.2"}, 409, "It&#39;s X&#39;s turn"),
        ("watcher", {"cell": "a2", "at": "0.2"}, 403, "watching"),
        ("watcher", {"do": "resign"}, 403, "watching"),
        ("x", {"do": "again"}, 409, "Finish this game first"),
        ("x", {"do": "win"}, 400, "Press a square or a button"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_clear_word(
    table: Table, who: str, form: dict[str, str], expected: int, words: str
) -> None:
    table.play("a1", "b2")
    code, sentence = refusal(table.post(getattr(table, who), **form))
    assert code == expected
    assert words in sentence
    assert len(table.marks()) == (3 if expected == 303 else 2)


def test_a_forged_seat_is_refused_and_only_watches(table: Table) -> None:
    table.watcher.set_cookie("seat", "A" * 32, path=table.url)
    code, sentence = refusal(table.post(table.watcher, cell="a1", at="0.0"))
    assert (code, "watching" in sentence) == (403, True)
    assert status(table.page(table.watcher)) == "X to move"


def test_of_two_tabs_at_once_the_first_counts_and_a_move_sent_twice_is_made_once(table: Table) -> None:
    first, again, second = (table.post(table.x, cell=cell, at="0.0") for cell in ("a1", "a1", "b2"))
    assert [each.status_code for each in (first, again, second)] == [303, 303, 409]
    assert table.marks() == {"a1": "X"}


def test_another_site_cannot_move(table: Table) -> None:
    answer = table.x.post(table.url, data={"cell": "a1"}, headers={"Origin": "https://elsewhere.example"})
    assert answer.status_code == 403
    assert table.marks() == {}


def test_resigning_ends_the_game_for_the_other(table: Table) -> None:
    table.play("a1")
    assert table.post(table.x, do="resign", at="0.1").status_code == 303
    assert [status(table.page(each)) for each in (table.x, table.o)] == ["Your friend wins", "You win!"]
    assert said(table.page(table.o)) == "Your friend resigned."
    assert refusal(table.post(table.o, cell="b2", at="0.1"))[0] == 409


def test_a_draw_is_agreed_by_both_or_declined_by_a_move(table: Table) -> None:
    table.play("a1")
    table.post(table.x, do="draw", at="0.1")
    assert "Your friend offers a draw." in table.page(table.o)
    table.play("b2")
    assert "offers a draw" not in table.page(table.o)
    table.post(table.o, do="draw")
    table.post(table.x, do="draw")
    assert status(table.page(table.watcher)) == "A draw"


def test_a_move_takes_ones_own_offer_of_a_draw_back(table: Table) -> None:
    table.post(table.x, do="draw", at="0.0")
    table.play("a1")
    assert "offers a draw" not in table.page(table.o)


def test_a_draw_is_not_wished_by_a_page_that_shows_the_game_as_it_was(table: Table) -> None:
    table.play("a1")
    table.post(table.x, do="draw", at="0.1")
    table.play("b2")
    code, sentence = refusal(table.post(table.o, do="draw", at="0.1"))
    assert (code, "gone on" in sentence) == (409, True)
    assert "offers a draw" not in table.page(table.x)


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


def test_a_rematch_takes_both_changes_sides_and_keeps_the_score(table: Table) -> None:
    table.play("a1", "b2", "b1", "c3", "c1")
    table.post(table.x, do="again", at="0.5")
    assert "wants a rematch" in table.page(table.o)
    table.post(table.o, do="again", at="0.5")
    table.post(table.o, do="again", at="0.5")  # sent again, as its answer was lost
    assert [status(table.page(each)) for each in (table.x, table.o)] == ["Your friend's turn (X)", "Your turn (X)"]
    assert "<dt>You</dt> <dd>1</dd>" in table.page(table.x)
    assert "moves=a1b2b1c3c1" in table.page(table.x)
    assert refusal(table.post(table.o, cell="a1", at="0.5"))[0] == 409, "the form of the game before"


def test_colours_are_shown_when_both_agree_and_gone_when_one_does_not(table: Table) -> None:
    def coloured() -> list[bool]:
        return ['class="future"' in table.page(each) for each in (table.x, table.o, table.watcher)]

    table.post(table.x, do="colours")
    assert coloured() == [False] * 3
    table.post(table.o, do="colours")
    assert coloured() == [True] * 3
    assert ", best move" in table.x.get(f"{table.url}?hint=1").text
    table.post(table.x, do="no-colours")
    assert coloured() == [False] * 3
    assert ", best move" not in table.x.get(f"{table.url}?hint=1").text


def test_who_joins_a_game_with_colours_agrees_to_them(app: Flask) -> None:
    table = Table(app, joined=False, colours="1")
    assert "Your friend agrees by joining." in table.page(table.x)
    assert 'class="future"' in table.page(table.x)


@pytest.mark.parametrize("board", ["1x1x1", "5x4x4", "8x8x5"])
def test_any_board_can_be_played(app: Flask, board: str) -> None:
    table = Table(app, board=board, begins="friend")
    assert f"c{board[0]} r{board[2]}" in table.page(table.o)
    assert status(table.page(table.o)) == "Your turn (X)"
    assert table.post(table.o, cell="a1").status_code == 303


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


def test_who_is_there_is_said(table: Table, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(table.page(table.x)) == "You play X. Your friend is here."
    monkeypatch.setattr(clock, "ahead", 60.0)
    assert "Your friend is away" in said(table.page(table.x))
    table.page(table.o)
    assert said(table.page(table.x)) == "You play X. Your friend is here."


REFRESHING = '<noscript><meta http-equiv="refresh"'


def test_a_page_without_a_script_has_a_link_that_refreshes_and_looks_for_news_but_on_ones_own_turn(app: Flask) -> None:
    table = Table(app, joined=False)

    def refreshing() -> list[bool]:
        pages = [table.page(each) for each in (table.x, table.o, table.watcher)]
        assert all('id="refresh"' in page for page in pages)
        return [REFRESHING in page for page in pages]

    assert refreshing() == [True] * 3, "the friend may join"
    table.post(table.o, do="join")
    table.o.delete_cookie("way-back", path=table.url)
    assert refreshing() == [False, True, True]
    table.post(table.o, do="resign")
    assert refreshing() == [True] * 3, "the friend may want a rematch"


def test_who_wants_a_page_that_stays_has_it_until_it_is_asked_for_otherwise(table: Table) -> None:
    still = f"{table.url}?still=1"
    assert REFRESHING not in table.o.get(still).text
    assert found(r'id="board-form".*?action="(.*?)"', table.x.get(still).text) == still
    answer = table.x.post(still, data={"cell": "b2"})
    assert answer.headers["Location"] == still
    assert f'<a href="{table.url}">Refresh by itself' in table.o.get(still).text
    assert f'action="{table.url}?hint=1&amp;still=1"' in table.o.get(f"{still}&hint=1").text


def test_a_new_game_with_a_friend_offers_to_invite_one_from_elsewhere(app: Flask) -> None:
    client = app.test_client()
    assert 'href="/live?board=5x4x4"' in client.get("/play/5x4x4?o=friend").text
    assert 'href="/live"' in client.get("/").text
    assert '<option value="5x4x4" selected>' in client.get("/live?board=5x4x4").text


def _kept(folder: Path, most: int = 1000) -> AppConfig:
    return AppConfig(database=f"sqlite:///{folder}/live.sqlite", live_games=most)


def test_a_wild_move_places_the_mark_that_the_player_chose(app: Flask) -> None:
    wild = Table(app, board="3x3x3-wild")
    assert 'name="mark" id="place-o" value="O"' in wild.page(wild.x)
    assert wild.post(wild.x, cell="b2", mark="O", at=wild.at(wild.x)).status_code == 303
    wild.play("Xa1", "Oc3")
    assert wild.marks() == {"a1": "X", "b2": "O", "c3": "O"}


def test_a_vanishing_game_of_two_friends_goes_on_until_they_agree(app: Flask) -> None:
    vanishing = Table(app, board="3x3x3-vanishing")
    vanishing.play("b2", "a1", "a3", "c1", "b1", "b3", "c3")
    assert vanishing.marks() == {"a3": "X", "b3": "O", "c3": "X", "a1": "O", "b1": "X", "c1": "O"}
    assert "a draw goes on for ever." in vanishing.page(vanishing.x)
    with patch("webapp.pages.live.game.MOST_MOVES", 7):
        refused = vanishing.post(vanishing.o, cell="b2", at=vanishing.at(vanishing.o))
    assert refusal(refused) == (409, "This game has gone on for 7 moves. Agree on a draw, or resign.")


def test_a_friend_plays_in_space(app: Flask) -> None:
    space = Table(app, board="3x3x3x3")
    space.play("b2.2", "a1.1", "a3.3", "c1.2", "b3.2", "b1.2", "c1.1")
    assert status(space.page(space.watcher)) == "X wins"
