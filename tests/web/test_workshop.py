"""The workshop: every control is a link to another list, and the page shows what is proved about the list."""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from solver.analysis.trial import trial
from solver.articles.rulebooks import against_everyone, find_mending, player_by_classes, trials
from solver.board.outcome import DRAWN
from solver.board.position import Mark, Result
from solver.board.rules import TIC_TAC_TOE
from solver.players import STRATEGIES
from solver.players.decision import consult
from solver.players.handbook import HANDBOOK, MOST_RULES, SHORT_RULEBOOK, SLUGS, parse_list, player_of
from solver.search.tablebase import look_up
from tests.web.test_pages import page
from webapp.pages.learn.content import read_content
from webapp.pages.learn.lessons.workshop import FIRST_LIST, PRESETS, url_of, view
from webapp.pages.learn.stage import now_you
from webapp.pages.play.link import read_link

SHORT = ",".join(("win", "block", "guard", "live-lines"))


@pytest.fixture(autouse=True)
def _within_a_request(app: Flask) -> Iterator[None]:
    with app.test_request_context():
        yield


def links(client: FlaskClient, path: str) -> dict[str, str]:
    """Return the addresses of a page's links by their ids."""
    return {name: url for name, each in page(client, path).elements.items() if (url := each.get("href"))}


def test_the_last_rule_may_go_too_and_a_full_list_takes_no_more(client: FlaskClient) -> None:
    assert links(client, "/learn/workshop?rules=win")["remove-win"] == "/learn/workshop?rules=rest"
    full = ",".join(list(SLUGS)[:MOST_RULES])
    assert not any(name.startswith("add-") for name in links(client, f"/learn/workshop?rules={full}"))


@pytest.mark.parametrize("names", PRESETS.values(), ids=PRESETS)
def test_a_preset_is_shown_with_what_is_proved_of_it(client: FlaskClient, names: tuple[str, ...]) -> None:
    text = client.get(url_of(names)).text
    beaten = [tried for tried in trials(player_by_classes(names)) if tried.refutation]
    assert ("It can be beaten." in text) == bool(beaten)
    assert ("It never loses." in text) != bool(beaten)
    for tried in beaten:
        assert f"loses {tried.counts.lost:,} of {tried.counts.games:,} games" in text


def test_some_presets_are_beaten_and_some_never_lose() -> None:
    lists = [trials(player_by_classes(names)) for names in PRESETS.values()]
    assert {all(each.unbeatable for each in tried) for tried in lists} == {True, False}


def test_a_beaten_list_is_shown_the_shortest_game_and_the_rule_that_erred() -> None:
    shown = view({})
    stage = shown["stage"]
    tried = trials(player_by_classes(FIRST_LIST))[1]
    assert tried.refutation is not None
    assert stage.game == tried.refutation.game
    assert shown["own"]["erring"].name == "corner"
    (current,) = (place for place, still in enumerate(stage.stills) if still.current)
    assert current == tried.refutation.erred == stage.erred


def test_at_every_turn_the_stage_has_the_trace_of_every_rule() -> None:
    game = view({})["stage"].stills
    for at, still in enumerate(game):
        lines = view({"at": str(at)})["stage"].lines
        position = still.board.position
        if position.result is None and position.mover is Mark.O:
            consulted = consult(player_of(FIRST_LIST).follows, position)
            assert [line.title for line in lines] == [each.rule.name for each in consulted]
            assert [line.fate == "decides" for line in lines] == [each.decides for each in consulted]
            assert all(
                line.why == each.lacking for line, each in zip(lines, consulted, strict=True) if line.fate == "silent"
            )
        else:
            assert {line.fate for line in lines} == {"unasked"}


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_opponent_is_on_trial_too_and_can_be_beaten_from_its_mistake_on(client: FlaskClient, name: str) -> None:
    for tried in trials(STRATEGIES[name]):
        text = client.get(f"/learn/workshop?strategy={name}&side={tried.mark}").text
        lost = f"loses {tried.counts.lost:,} of {tried.counts.games:,} games" if tried.counts.lost else "never loses"
        assert f"As {tried.mark} it {lost}" in text
        assert ('class="erred"' in text) == bool(tried.refutation)
        if tried.refutation:
            link = read_link("3x3x3", now_you(tried).partition("?")[2])
            position = link.link.game.positions[link.link.at]
            assert (link.problems, position.mover, look_up(position) > DRAWN) == ((), tried.mark.other, True)


def test_a_player_by_rules_is_watched_as_one_follows_an_old_link(client: FlaskClient) -> None:
    text = client.get("/learn/workshop?see=rulebook&player=pyfl-literal&side=O&at=1").text
    assert "every line holds" not in text  # its first rule decides at once
    assert "“its rule “win X”” decides, and plays b3." in text


def test_the_stage_goes_on_with_any_reply_and_with_squares_that_the_rule_names(client: FlaskClient) -> None:
    found = links(client, f"/learn/workshop?rules={SHORT}&side=O&moves=b2&at=1")
    assert {name for name in found if name.startswith("place-")} == {
        f"place-{name}" for name in ("a3", "c3", "a1", "c1")
    }
    after = links(client, found["place-a1"])
    assert len([name for name in after if name.startswith("place-")]) == 7
    assert after["stage-back"].endswith("moves=b2a1&at=1#stage")


def test_the_chances_are_shown_exactly_against_every_opponent(client: FlaskClient) -> None:
    text = client.get(f"/learn/workshop?rules={SHORT}").text
    rows = re.findall(r'<tr><th scope="row">(.*?)</th><td>(.)</td>' + r'<td class="number">(.*?)</td>' * 3, text)
    expected = [
        (
            each.opponent.title,
            str(mark),
            *(str(each.chances[mark][result]) for result in (Result(mark), Result.DRAW, Result(mark.other))),
        )
        for each in against_everyone(SHORT_RULEBOOK)
        for mark in Mark
    ]
    assert [tuple(map(unescape, row)) for row in rows] == expected


def test_what_mends_a_list_is_told_when_one_asks(client: FlaskClient) -> None:
    path = "/learn/workshop?rules=win,block,centre,corner,edge"
    before, after = client.get(path).text, client.get(f"{path}&mend=1").text
    found = find_mending(parse_list("win,block,centre,corner,edge"))
    assert f"{len(found)} changes make it unbeatable" in after
    assert f'href="{url_of(found[0].names)}#your-rules" hx-boost="false">{found[0].words}</a>' in unescape(after)
    assert "unbeatable on both sides" not in before
    assert f'href="{path}&amp;mend=1#mend"' in before
    assert "No single change" in client.get("/learn/workshop?rules=win,block&mend=1").text
    assert 'id="mend"' not in client.get(f"/learn/workshop?rules={SHORT}&mend=1").text


def paper_of(client: FlaskClient, rules: str) -> str:
    shown = client.get(f"/learn/workshop?rules={rules}").text
    return " ".join(unescape(shown.partition('class="paper"')[2].partition("</section>")[0]).split())


def test_the_sheet_has_each_rule_in_plain_words_with_a_board(client: FlaskClient) -> None:
    paper = paper_of(client, SHORT)
    words = re.findall(r"<p><b>(.*?)</b>", paper)
    assert words[0] == "If you have two in a row and the third square is free, take it."
    assert len(words) == len(SHORT_RULEBOOK) + 2  # and the rest, and the proof
    assert paper.count('class="example"') == len(SHORT_RULEBOOK)
    assert read_content("workshop")["plain"].keys() == HANDBOOK.keys()


def test_the_sheet_says_that_all_games_are_checked_or_shows_one_that_is_lost(client: FlaskClient) -> None:
    games = [trial(player_of(SHORT_RULEBOOK), mark, TIC_TAC_TOE).counts.games for mark in Mark]
    assert f"<b>Proved unbeatable:</b> all {sum(games):,} games checked, as X and as O." in paper_of(client, SHORT)
    beaten = paper_of(client, "centre,corner,edge")
    assert "<b>It can be beaten:</b> it loses" in beaten
    assert beaten.partition("This one beats it")[2].count("<li>") >= 6


def test_every_rule_of_a_list_in_an_address_is_a_rule() -> None:
    assert all(parse_list(url_of(names).partition("=")[2]) == names for names in PRESETS.values())
