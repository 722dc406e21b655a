"""The pages under /practise: the drill of an address, the judgement of an answer, and no answer unasked."""

import re
from dataclasses import replace
from datetime import date, timedelta
from html import unescape
from urllib.parse import parse_qs, urlsplit
from uuid import UUID
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver import oracle
from solver.analysis.drills import LADDER, LISTED, Drill, DrillKind, daily, drill_of, drills, hints, judge_drill
from solver.board.notation import format_cell, parse_rules
from solver.board.outcome import Outcome, Value
from solver.oracle import LongQuestion
from solver.proofs.predict import predict
from tests.strategies import TIC_TAC_TOE, examples
from tests.web.conftest import HTMX, RESTORE
from tests.web.test_pages import is_fragment, is_page, page
from webapp.app import create_app
from webapp.pages.practise import drill as drill_module
from webapp.pages.practise.drill import drills_of, format_answer, name_level, parse_answer
from webapp.pages.practise.link import LEVELS, MOST_DRILLS, PARTS, DrillLink, next_step
from webapp.pages.practise.view import today_view
from webapp.serving.pool.asking import answer_question
from webapp.serving.pool.messages import Task

TODAY = date(2026, 11, 22)
OF_EACH_KIND = {kind: drills(TIC_TAC_TOE, kind, seed="test", count=1)[0] for kind in DrillKind}
WITH_SQUARES = [drill for drill in OF_EACH_KIND.values() if drill.kind is not DrillKind.EVALUATE]
EVALUATED = OF_EACH_KIND[DrillKind.EVALUATE]
FORK = OF_EACH_KIND[DrillKind.FORK]


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(today=lambda: TODAY).test_client()


def name(drill: Drill, cell: int) -> str:
    return format_cell(cell, drill.position.rules)


def wrong_of(drill: Drill) -> str:
    return name(drill, next(cell for cell in drill.position.legal_moves if cell not in drill.answers))


def text_of(html: str, identity: str) -> str:
    found = re.search(rf'id="{identity}"[^>]*>(.*?)</(?:p|h1|h2)>', html, re.DOTALL)
    assert found is not None, identity
    return unescape(found[1]).strip()


def squares(html: str) -> dict[str, str]:
    """Return the button of each square that can be pressed, without the square's name and place."""
    found = re.findall(r"(<button id=\"sq-(\w\d)\".*?</button>)", html, re.DOTALL)
    pressed = {cell: button for button, cell in found if 'name="cell"' in button}
    return {cell: re.sub(rf"\b{cell}\b(, [a-z ]+)?", "", button) for cell, button in pressed.items()}


def query(url: str | None) -> dict[str, str]:
    assert url is not None
    return {part: values[0] for part, values in parse_qs(urlsplit(url).query).items()}


@pytest.mark.parametrize(
    "url", ["/practise", "/practise/daily", f"/practise/{FORK.id}", "/practise/run?seed=a", "/practise/set?seed=a"]
)
def test_a_drill_is_a_page_or_a_fragment_and_history_gets_the_page(client: FlaskClient, url: str) -> None:
    assert is_page(client.get(url).text)
    assert is_fragment(client.get(url, headers=HTMX).text)
    assert is_page(client.get(url, headers=RESTORE).text)


def climbed(client: FlaskClient, link: str, answers: int) -> str:
    """Answer this many drills of a run, each at the first try, and return the page after the last one."""
    for number in range(answers):
        drill = drill_of(str(re.search(r'data-item="([^"]*)"', client.get(link).text)[1]))  # type: ignore[index]
        link = str(client.post(link, data={"cell": name(drill, drill.answers[0])}).location)
        if number < answers - 1:
            link = str(page(client, link).elements["new"]["href"])
    return client.get(link).text


def test_five_right_in_a_row_open_the_next_kind(client: FlaskClient) -> None:
    fourth = climbed(client, "/practise/run?kind=win-now&seed=a", 4)
    assert text_of(fourth, "progress") == "4 right in a row. 1 more to open Block."
    assert "data-opens" not in fourth
    fifth = climbed(client, "/practise/run?kind=win-now&seed=a", 5)
    assert text_of(fifth, "progress") == "Five right in a row! Block is open."
    assert text_of(fifth, "said").endswith("Five right in a row! Block is open.")
    assert 'data-step="3x3x3-win-now" data-opens="/practise/run?kind=block"' in fifth
    assert re.search(r'id="new"[^>]* href="/practise/run\?kind=block&amp;seed=a"[^>]*>Next: Block<', fifth)


def test_the_ladder_goes_on_with_the_next_board_and_ends_with_the_last_one() -> None:
    top = DrillLink("run", kind=DrillKind.EVALUATE, rules=TIC_TAC_TOE, seed="a")
    assert next_step(top) == DrillLink("run", kind=DrillKind.WIN_NOW, rules=LADDER[1], seed="a")
    assert next_step(top.having(rules=LADDER[-1])) is None
    assert next_step(top.having(kind=None)) is next_step(top.having(level="easy")) is None


@pytest.mark.parametrize("drill", OF_EACH_KIND.values(), ids=OF_EACH_KIND)
def test_before_it_is_asked_for_nothing_in_the_page_depends_on_the_answer(
    client: FlaskClient, drill: Drill, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/practise/{drill.id}"
    monkeypatch.setattr(Drill, "title", drill.title)
    html = client.get(address).text
    assert len(set(squares(html).values())) == (drill.kind is not DrillKind.EVALUATE)
    moves = drill.position.legal_moves
    other = tuple(cell for cell in moves if cell not in drill.answers) or moves[:1]
    outcome = Outcome(Value.LOSS, 2) if drill.outcome.value is not Value.LOSS else Outcome(Value.WIN, 1)
    monkeypatch.setattr(Drill, "task", drill.task)  # which may say in how many moves, and is all that is told
    monkeypatch.setattr(Drill, "outcome", outcome)
    monkeypatch.setattr(drill_module, "drill_of", lambda *_: replace(drill, answers=other))
    monkeypatch.setattr(drill_module, "hints", lambda _: hints(drill))
    assert client.get(address).text == html


@pytest.mark.parametrize("drill", WITH_SQUARES, ids=lambda drill: drill.kind)
def test_a_right_square_is_judged_right_with_its_reason_and_marked(client: FlaskClient, drill: Drill) -> None:
    square = name(drill, drill.answers[0])
    answer = client.post(f"/practise/{drill.id}", data={"cell": square})
    assert (answer.status_code, answer.location) == (303, f"/practise/{drill.id}?tried={square}")
    html = client.get(str(answer.location)).text
    assert text_of(html, "said") == f"Yes, {square}! {judge_drill(drill, drill.answers[0]).reason.text}"
    assert re.search(rf'id="sq-{square}" class="[^"]*\bbest\b', html)
    assert 'data-verdict="right"' in html
    assert squares(html) == {}


@pytest.mark.parametrize("drill", WITH_SQUARES, ids=lambda drill: drill.kind)
def test_a_wrong_square_is_judged_wrong_and_another_can_be_pressed(client: FlaskClient, drill: Drill) -> None:
    square = wrong_of(drill)
    answer = client.post(f"/practise/{drill.id}", data={"cell": square}, headers=HTMX)
    assert is_fragment(answer.text)
    assert answer.headers["HX-Push-Url"] == f"/practise/{drill.id}?missed=1&tried={square}"
    assert text_of(answer.text, "said").startswith(f"Not {square}. ")
    assert f'class="chip" href="/practise/{drill.id}?missed=1&amp;tried={square}&amp;step=1"' in answer.text
    assert len(squares(answer.text)) == len(drill.position.legal_moves)
    assert "best" not in "".join(squares(answer.text).values())


def test_a_refutation_is_drawn_on_the_board_and_gone_through_in_steps(client: FlaskClient) -> None:
    drill = OF_EACH_KIND[DrillKind.BLOCK]
    link = f"/practise/{drill.id}?missed=1&tried={wrong_of(drill)}"
    html = client.get(link).text
    assert html.count('class="sq shown ') > 1
    assert '<svg class="overlay"' in html
    assert client.get(f"{link}&step=1").text.count('class="sq shown ') == 1
    assert client.get(f"{link}&step=0").text.count('class="sq shown ') == 0


EVERY = [drill for drill in drills(TIC_TAC_TOE) if drill.kind is not DrillKind.EVALUATE]


@pytest.mark.parametrize("every", [EVERY[::20], pytest.param(EVERY, marks=pytest.mark.exhaustive)], ids=["some", "all"])
def test_why_a_square_that_does_not_lose_is_wrong_names_no_right_one(client: FlaskClient, every: list[Drill]) -> None:
    for drill in every:
        for cell in set(drill.position.legal_moves) - set(drill.answers):
            judgement = judge_drill(drill, cell)
            if judgement.reason.outcome.value is not Value.LOSS:
                html = client.get(f"/practise/{drill.id}?tried={name(drill, cell)}").text
                assert judgement.grade.is_mistake or html.count('class="chip"') == 1
                said = text_of(html, "said")
                assert not [right for right in drill.answers if re.search(rf"\b{name(drill, right)}\b", said)], said


def test_why_a_square_loses_is_told_without_the_one_that_would_win(client: FlaskClient) -> None:
    tried = ((drill, cell) for drill in drills(TIC_TAC_TOE, DrillKind.WIN_NOW) for cell in drill.position.legal_moves)
    reasons = ((*each, judge_drill(*each).reason) for each in tried)
    drill, cell, reason = next(
        each for each in reasons if each[2].outcome.value is Value.LOSS and each[2].text != each[2].guarded
    )
    html = client.get(f"/practise/{drill.id}?tried={name(drill, cell)}").text
    assert text_of(html, "said") == f"Not {name(drill, cell)}. {reason.guarded}"


def test_who_wins_is_answered_by_buttons_the_right_one_among_them(client: FlaskClient) -> None:
    for drill in drills(TIC_TAC_TOE, DrillKind.EVALUATE):
        text = format_answer(drill.outcome, drill.position)
        assert judge_drill(drill, parse_answer(text, drill)).right
    right = format_answer(EVALUATED.outcome, EVALUATED.position)
    assert f"says-{right}" in page(client, f"/practise/{EVALUATED.id}").elements
    answer = client.post(f"/practise/{EVALUATED.id}", data={"says": right})
    assert text_of(client.get(str(answer.location)).text, "said").startswith("Yes, ")


def test_of_a_wrong_outcome_nothing_is_told_but_whether_the_winner_is_right(client: FlaskClient) -> None:
    drill = next(
        each for each in drills(TIC_TAC_TOE, DrillKind.EVALUATE) if format_answer(each.outcome, each.position) == "x2"
    )
    for says, half in (("x1", " You have the winner, but not the number of moves."), ("draw", "")):
        html = client.get(f"/practise/{drill.id}?missed=1&tried={says}").text
        assert text_of(html, "said").endswith(f"”.{half}")
        assert 'class="sq shown ' not in html
        assert 'class="chip"' not in html


def test_hints_come_one_after_the_other_and_the_answer_when_it_is_asked_for(client: FlaskClient) -> None:
    link, given = f"/practise/{FORK.id}", hints(FORK)
    for number, hint in enumerate(given, start=1):
        link = str(page(client, link).elements["hint"]["href"])
        assert query(link) == {"hints": str(number)}
        assert text_of(client.get(link).text, "said") == hint
    assert "href" not in page(client, link).elements["hint"]
    told = client.get(str(page(client, link).elements["answer"]["href"])).text
    assert text_of(told, "said").startswith(f"The answer is {name(FORK, FORK.answers[0])}")
    assert 'data-verdict="told"' in told


def test_a_run_counts_what_was_right_at_the_first_try_in_its_link(client: FlaskClient) -> None:
    first, second, third, _, fifth = drills(TIC_TAC_TOE, DrillKind.BLOCK, seed="a", count=5)
    right = {drill.id: name(drill, drill.answers[0]) for drill in (first, second, third, fifth)}
    link = "/practise/run?kind=block&seed=a"
    for at, (answers, counted) in enumerate(
        (
            ([right[first.id]], {"right": "1", "row": "1"}),
            ([right[second.id]], {"right": "2", "row": "2"}),
            ([wrong_of(third), right[third.id]], {"right": "2"}),
            ([], {"right": "2"}),
            ([right[fifth.id]], {"right": "3", "row": "1"}),
        ),
        start=2,
    ):
        for square in answers:
            link = str(client.post(link, data={"cell": square}).location)
        link = str(page(client, link).elements["new"]["href"])
        assert query(link) == {"kind": "block", "seed": "a", "at": str(at)} | counted
    assert text_of(client.get(link).text, "progress") == "1 right in a row. 4 more to open Fork."


def test_a_rush_adds_up_by_how_many_moves_first_answers_win_later(client: FlaskClient) -> None:
    forks = drills(TIC_TAC_TOE, DrillKind.FORK, seed="a")
    lost = [max((judge_drill(drill, cell).lost, cell) for cell in drill.position.legal_moves) for drill in forks]
    at, drill, (later, slower) = next(each for each in zip(range(1, 99), forks, lost, strict=False) if each[2][0])
    link = f"/practise/run?kind=fork&seed=a&at={at}&right={at - 1}&rush=1&lost=2"
    assert page(client, link).elements["stop"]["href"] == f"/practise?at={at}&right={at - 1}&lost=2"
    for cell in (slower, slower, drill.answers[0]):
        link = str(client.post(link, data={"cell": name(drill, cell)}).location)
        assert query(link)["lost"] == str(2 + later)
    elements = page(client, link).elements
    assert elements["stop"]["href"] == f"/practise?at={at + 1}&right={at - 1}&lost={2 + later}"
    assert query(elements["new"]["href"])["lost"] == str(2 + later)


def test_in_a_rush_the_kinds_take_turns_from_the_first_that_is_learnt() -> None:
    drills_found = drills_of(DrillLink("run", seed="a", rush=True))
    assert [each.kind for each in drills_found[: len(LISTED)]] == [*LISTED]
    assert drills_found[0] != drills_of(DrillLink("run", seed="b", rush=True))[0]
    assert {*drills_found} == {*drills_of(DrillLink("run", seed="a"))}


def test_a_rush_opens_no_step_of_the_ladder() -> None:
    assert next_step(DrillLink("run", kind=DrillKind.FORK, rush=True)) is None


def test_a_kind_that_the_ladder_lacks_can_be_run_and_opens_no_step(client: FlaskClient) -> None:
    assert client.get("/practise/run?kind=keep&seed=1").status_code == 200
    assert next_step(DrillLink("run", kind=DrillKind.KEEP)) is None


def test_today_starts_with_a_kind_of_drills_and_has_the_drill_of_the_day(client: FlaskClient) -> None:
    for day in (TODAY + timedelta(days=number) for number in range(len(DrillKind))):
        view = today_view(DrillLink(), (), day)
        assert view.daily.drill == daily(day)
        assert view.fresh[0] is LISTED[0]
    text, links = client.get("/practise").text, page(client, "/practise").links
    assert text.index('id="fresh"') < text.index('id="daily"')
    assert {f"/practise/daily?day={TODAY}", "/practise/run?rush=1", "/practise/set"} <= {*links}


def test_a_run_without_a_seed_gets_one_so_that_its_link_leads_back_to_it(client: FlaskClient) -> None:
    answer = client.get("/practise/run?kind=fork")
    assert answer.status_code == 303
    assert query(answer.location).keys() == {"kind", "seed"}
    assert query(client.get("/practise/run?kind=fork", headers=HTMX).headers["HX-Push-Url"]).keys() == {"kind", "seed"}


def test_a_name_chooses_the_same_drills_however_it_is_spelt(client: FlaskClient) -> None:
    def shown_by(name: str) -> list[str]:
        return re.findall(r"\d+\. You.*?</span>", client.get("/practise/set", query_string={"seed": name}).text)

    assert shown_by("Klasse 7b Grün") == shown_by("Klasse-7b-Grun") != shown_by("Klasse 7c")


def test_a_set_counts_this_drill_once_it_is_answered(client: FlaskClient) -> None:
    link = f"{SET}&at=2&right=1&row=1"
    drill = drill_of(str(re.search(r'data-item="([^"]*)"', client.get(link).text)[1]))  # type: ignore[index]
    answered = client.post(link, data={"cell": wrong_of(drill)}, headers=HTMX).text
    assert text_of(answered, "progress") == "1 of 2 right so far."


SET = "/practise/set?kind=block&count=3&seed=class-7"


def test_a_set_is_the_same_drills_for_everybody_easy_ones_first(client: FlaskClient) -> None:
    shown_first = page(client, SET).links
    assert shown_first == page(create_app().test_client(), SET).links
    each = [re.search(r'data-item="([^"]*)"', client.get(f"{SET}&at={at}").text) for at in (1, 2, 3)]
    chosen = drills(TIC_TAC_TOE, DrillKind.BLOCK, seed="class-7", count=3)
    assert [found[1] for found in each if found] == [
        drill.id for drill in sorted(chosen, key=lambda drill: drill.difficulty)
    ]


def test_a_sheet_has_its_answers_only_where_they_are_asked_for(client: FlaskClient) -> None:
    found = drills(TIC_TAC_TOE, seed="b", count=MOST_DRILLS)
    bare, told = (client.get(f"/practise/sheet?count={MOST_DRILLS}&seed=b{more}").text for more in ("", "&answers=1"))
    blank = re.compile(r'<p class="blank">(.*?)</p>')
    assert blank.findall(bare) == [""] * len(found)
    assert "right" not in " ".join(re.findall(r'class="(cell[^"]*)"', bare))
    assert all(blank.findall(told))
    assert told.count('class="cell right"') == sum(
        len(drill.answers) for drill in found if drill.kind is not DrillKind.EVALUATE
    )


@pytest.mark.parametrize(
    "url", ["/practise/no-such-drill", "/practise/run?kind=nonsense&seed=a", "/practise/set?count=0"]
)
def test_what_is_wrong_with_an_address_is_said_on_a_page_one_can_use(client: FlaskClient, url: str) -> None:
    assert re.search(r'<form|id="start"', client.get(url).text)


DRAWN = "4x3x4-holesb2-linesa1b1c1d1a3b3c3d3"
"""A board that is not among the chosen ones, on which a visitor drew the lines."""


class Pool:
    """A gate that does every task at once and records it."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def answer(self, question: LongQuestion, long: bool = False) -> object:
        return self.run(Task.of(answer_question, question, long=long))

    def run(self, task: Task) -> object:
        self.tasks.append(task)
        result, lasting = task.function(*task.arguments)
        assert lasting
        return result


def test_the_pool_makes_the_drills_of_a_board_that_a_visitor_draws_once() -> None:
    drill_module.find_drills.cache_clear()
    pool = Pool()
    client = create_app(pool).test_client()  # type: ignore[arg-type]
    for path in ("/practise?", "/practise/run?seed=a&", "/practise/set?seed=a&", "/practise/sheet?seed=a&"):
        assert client.get(f"{path}board={DRAWN}").status_code == 200
    first = drills(DRAWN, DrillKind.WIN_NOW, seed="a")[0]
    square = {"cell": name(first, first.answers[0])}
    answer = client.post(f"/practise/run?kind=win-now&seed=a&board={DRAWN}", data=square, headers=HTMX)
    assert 'data-verdict="right"' in answer.text
    made, judged = pool.tasks
    assert made == Task.of(drill_module.make_drills, parse_rules(DRAWN), long=True)
    question = oracle.ReasonsQuestion(first.position, tuple(predict(first.position).squares.items()), first.answers[:1])
    assert judged == Task.of(answer_question, question)


PLACES = st.sampled_from(["", "/daily", "/run", "/set", "/sheet", f"/{FORK.id}", f"/{EVALUATED.id}", "/x"])
VALUES = st.one_of(
    st.sampled_from([*DrillKind, *LEVELS, "3x3x3", "0", "1", "3", "9", "a1", "x1", "draw", "2026-11-21", ""]),
    st.text(max_size=9),
)
QUERIES = st.dictionaries(st.sampled_from([part.name for part in PARTS]), VALUES)


@settings(examples(200), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=PLACES, asked=QUERIES, form=st.dictionaries(st.sampled_from(["cell", "says"]), VALUES))
def test_nothing_a_visitor_asks_for_here_is_our_fault(
    client: FlaskClient, place: str, asked: dict[str, str], form: dict[str, str]
) -> None:
    for answer in (
        client.get(f"/practise{place}", query_string=asked),
        client.post(f"/practise{place}", query_string=asked, data=form),
    ):
        assert 200 <= answer.status_code < 500


# The drill of the day: its result and its feed.

ATOM = "{http://www.w3.org/2005/Atom}"


def test_the_feed_is_atom_with_the_drills_of_a_fortnight_and_without_their_answers(client: FlaskClient) -> None:
    answer = client.get("/practise/feed.atom")
    assert (answer.mimetype, answer.cache_control.max_age) == ("application/atom+xml", 3600)
    feed = ElementTree.fromstring(answer.data)  # noqa: S314 - our own
    assert feed.tag == f"{ATOM}feed"
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "Noughts"
    entries = feed.findall(f"{ATOM}entry")
    ids = [each.findtext(f"{ATOM}id", "") for each in (feed, *entries)]
    assert len({*ids}) == 15
    assert all(UUID(each).urn == each for each in ids)
    for ago, each in enumerate((feed, *entries), start=-1):
        day = TODAY - timedelta(days=max(ago, 0))
        assert each.findtext(f"{ATOM}title")
        assert each.findtext(f"{ATOM}updated") == f"{day}T00:00:00Z"
        links = {link.get("rel"): link.get("href", "") for link in each.findall(f"{ATOM}link")}
        assert client.get(links["alternate"]).status_code == 200
    assert links["alternate"].endswith(f"/practise/daily?day={day}")
    assert {link.get("rel") for link in feed.findall(f"{ATOM}link")} == {"self", "alternate"}
    assert 'type="application/atom+xml"' in client.get("/practise").text
    for entry, ago in zip(entries, range(14), strict=True):
        drill = daily(TODAY - timedelta(days=ago))
        told = "".join(entry.itertext())
        assert drill.task in told
        assert not re.search(rf"\b({'|'.join(name(drill, cell) for cell in drill.answers)})\b", told)
        assert next(entry.iter("{http://www.w3.org/1999/xhtml}img")).get("src", "").endswith(f"/{drill.id}.png")


@pytest.mark.parametrize(
    ("before", "words"),
    [("", "first try ●"), ("&hints=1", "with a hint ◐"), ("&missed=1", "found it ○"), ("&missed=1&answers=1", None)],
)
def test_the_result_of_the_daily_drill_tells_how_it_was_solved_and_no_square(
    client: FlaskClient, before: str, words: str | None
) -> None:
    drill = daily(TODAY)
    tried = "" if words is None else f"&tried={name(drill, drill.answers[0])}"
    found = re.search(
        r"<textarea[^>]*>(.*)\n(.*)</textarea>", client.get(f"/practise/daily?day={TODAY}{before}{tried}").text
    )
    if words is None:
        assert found is None
        return
    assert found is not None
    assert found[1] == f"Noughts 326 · {drill.title} · {words}"
    assert found[2] == f"http://localhost/practise/daily?day={TODAY}"


def test_only_the_drill_of_a_day_has_a_result(client: FlaskClient) -> None:
    assert "<textarea" not in client.get(f"/practise/{FORK.id}?tried={name(FORK, FORK.answers[0])}").text


def test_the_front_page_names_the_level_of_todays_drill_and_follows_the_day() -> None:
    days = [TODAY + timedelta(days=number) for number in range(6)]
    levels = [name_level(daily(day)) for day in days]
    client = create_app(today=lambda: days[0]).test_client()
    for level in levels:
        assert re.search(rf'href="/practise/daily">Today\'s drill</a>\s*<span>· {level}<', client.get("/").text)
        days.pop(0)
    assert len({*levels}) > 1
