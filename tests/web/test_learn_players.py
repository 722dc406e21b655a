"""The lessons on opponents: trials, everyone against everyone, and rulebooks."""

import re
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from solver.analysis.trial import trial
from solver.articles import trials
from solver.articles.crosstable import crosstable
from solver.articles.figures import crosstable_of_3x3
from solver.articles.rulebooks import Aim, mending, shortest
from solver.board.notation import format_moves, format_percent, parse_cell, parse_position, parse_rules
from solver.board.outcome import DRAWN, Value
from solver.board.position import Mark, Result
from solver.players import STRATEGIES, playing_on
from solver.players.handbook import RULEBOOK, SEVEN_RULES, SHORT_RULEBOOK
from solver.proofs.predict import predict
from solver.search.tablebase import look_up
from tests.strategies import TIC_TAC_TOE
from webapp.pages.learn.lessons import LESSONS, lazily, rulebook
from webapp.pages.learn.lessons import trial as trial_page
from webapp.pages.learn.lessons.crosstable import alike
from webapp.pages.play.link import read_link

RESULTS = (("X wins", Result.X), ("draw", Result.DRAW), ("O wins", Result.O))


def test_a_trial_shows_the_game_that_refutes_and_the_rule_that_erred(client: FlaskClient) -> None:
    text = client.get("/learn/workshop?see=trial&strategy=seven-rules&side=O").text
    refutation = trial(STRATEGIES["seven-rules"], Mark.O, TIC_TAC_TOE).refutation
    assert refutation is not None
    assert refutation.erred is not None
    steps = re.findall(r"<li>.*?</li>", text, re.DOTALL)[: len(refutation.plies)]
    erring = [number for number, step in enumerate(steps) if "the mistake</b>" in step]
    assert erring == [refutation.erred]
    assert refutation.plies[refutation.erred].reason in steps[refutation.erred]


def test_a_refuting_game_can_be_gone_through_on_the_board(client: FlaskClient) -> None:
    for side in Mark:
        text = client.get(f"/learn/workshop?see=trial&strategy=pyfl-program&side={side}").text
        link = re.findall(r'href="(/play/[^"]*moves=[^"]*)">Replay', text)[0]
        answer = client.get(link.replace("&amp;", "&"))
        assert answer.status_code == 200
        assert f"{side.other} wins" in answer.text


@pytest.mark.parametrize("name", [each.name for each in STRATEGIES.values()])
def test_the_game_that_refutes_can_be_won_from_the_mistake_on(name: str) -> None:
    for found in (trial_page.try_on_3x3(name, mark) for mark in Mark):
        if found.refutation:
            link = read_link("3x3x3", trial_page.now_you(found).partition("?")[2])
            assert not link.problems
            position = link.link.game.positions[link.link.at]
            assert position.mover is found.mark.other
            assert look_up(position) > DRAWN


def test_a_longer_look_ahead_than_six_plies_changes_no_result() -> None:
    (same,) = (each.members for each in alike(crosstable_of_3x3()) if each.name == "impossible")
    assert [each.depth for each in same if each.depth] == [6, 7, 8, 9]
    assert "With more" in LESSONS["workshop"].quizzes["judge"]().questions[-1].shown.words


def test_all_opponents_are_summed_up_with_the_counts_of_both_sides(client: FlaskClient) -> None:
    text = client.get("/learn/workshop?see=trial").text
    for strategy in STRATEGIES.values():
        row = re.search(rf'<tr><th scope="row">{re.escape(strategy.title)}</th>.*?</tr>', text, re.DOTALL)
        assert row is not None
        for mark in Mark:
            for number in trial(strategy, mark, TIC_TAC_TOE).counts:
                assert f'<td class="number">{number:,}</td>' in row[0]


@pytest.mark.exhaustive
def test_a_side_that_is_lost_from_the_start_has_no_move_to_blame(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial_page, "playing_on", lambda _: (STRATEGIES["hard"], STRATEGIES["alphabeta-2"]))
    text = client.get("/learn/workshop?see=trial&strategy=hard&side=O&board=4x3x3").text
    assert "It makes no mistake" in text
    assert "the mistake" not in text
    assert "not counted here" in text


def test_what_is_too_much_says_so_by_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    large = parse_rules("4x4x4")
    monkeypatch.setattr(trials, "EARLY", 500)
    problem = trials.try_strategy(STRATEGIES["easy"], Mark.X, large).problem
    assert "as X on 4x4x4, Easy meets more positions than there is time for; 500 were visited within half" in problem
    monkeypatch.setattr(trials, "MOST", 200)
    assert "time for; 200 were visited. " in trials.try_strategy(STRATEGIES["easy"], Mark.X, large).problem
    assert "searches before every move" in trials.try_strategy(STRATEGIES["alphabeta-2"], Mark.X, large).problem
    assert "searches before every move" in trials.try_strategy(STRATEGIES["impossible"], Mark.O, large).problem


@pytest.mark.exhaustive
def test_opponents_that_do_not_look_ahead_are_tried_on_four_by_three_and_the_seven_rules_on_four_by_four() -> None:
    small, large = parse_rules("4x3x3"), parse_rules("4x4x4")
    for strategy in playing_on(small):
        assert {trials.try_strategy(strategy, mark, small).found is not None for mark in Mark} == {
            strategy.quick(small) or strategy.name == "impossible"
        }
    assert all(trials.try_strategy(STRATEGIES["seven-rules"], mark, large).found for mark in Mark)


def test_everyone_meets_everyone_in_percent_and_in_fractions(client: FlaskClient) -> None:
    table = crosstable(TIC_TAC_TOE)
    text = client.get("/learn/crosstable?show=fractions").text
    assert text.count("<i>draw</i>") == len(alike(crosstable_of_3x3())) ** 2
    assert f"<i>X</i> {table.chances['easy', 'easy'][Result.X]}<" in text
    assert f"{float(table.strength('hard')):.1%}".removesuffix("%") in client.get("/learn/crosstable").text


def test_the_heat_map_has_a_number_a_pair_and_says_the_chances_of_one(client: FlaskClient) -> None:
    table, text = crosstable(TIC_TAC_TOE), client.get("/learn/crosstable?x=hard&o=easy").text
    chances = table.chances["hard", "easy"]
    ends = (f"{said} {format_percent(chances[result])}" for said, result in RESULTS)
    said = f"Hard as X against Easy: {', '.join(ends)}"
    assert text.count("</a></td>") == len(alike(crosstable_of_3x3())) ** 2
    assert f'aria-live="polite">{said}</p>' in text
    assert f'title="{said}"' in text
    assert client.get("/learn/crosstable?x=nobody").status_code == 400


def test_opponents_with_the_same_figures_are_one(client: FlaskClient) -> None:
    titles = [each.title for each in alike(crosstable_of_3x3()) if len(each.members) > 1]
    assert titles == ["Perfect, Plain minimax, Alpha-beta 6 to 9", "Rulebook, Short rulebook"]
    text = client.get("/learn/crosstable").text
    assert all(f'<tr><th scope="row">{title}</th>' in text for title in titles)
    table = crosstable(TIC_TAC_TOE)
    for each in alike(crosstable_of_3x3()):
        for other in each.members:
            assert table.strength(other.name) == table.strength(each.name)


def test_the_points_of_a_pair_are_shown_as_fractions(client: FlaskClient) -> None:
    text = client.get("/learn/crosstable?show=points").text
    for x, o in (crosstable(TIC_TAC_TOE).points["easy", other] for other in ("easy", "hard")):
        assert f"<i>X</i> {x} (" in text
        assert f"<i>O</i> {o} (" in text


def test_the_quiz_asks_for_the_rule_that_the_player_follows() -> None:
    *deciding, _ = LESSONS["workshop"].quizzes["decide"]().questions
    for question in deciding:
        assert question.board
        (right,) = (name for name in question.titles if (answer := question.judge(name)) and answer.right)
        reason = STRATEGIES["seven-rules"].decide(question.board.position).reason
        assert reason.startswith(right.replace("-", " "))


def test_one_of_the_squares_that_the_seven_rules_name_loses() -> None:
    question = LESSONS["workshop"].quizzes["decide"]().questions[-1]
    answers = {name: question.judge(name) for name in question.squares}
    position = parse_position("X../.OX/...", TIC_TAC_TOE)
    assert {name for name, answer in answers.items() if answer and answer.right} == {"a2"}
    assert {name for name in answers if look_up(position.after(parse_cell(name, TIC_TAC_TOE))) > DRAWN} == {"a2"}


def test_no_list_shorter_than_the_four_rules_never_loses() -> None:
    found = shortest(Aim.UNBEATABLE, 2)
    assert found is not None
    lists, count = LESSONS["workshop"].quizzes["short"]().questions
    assert SHORT_RULEBOOK in found.lists
    assert found.length == 4
    assert f"{found.shorter:,}" in count.shown.words
    assert lists.titles["2"] == "win, block, guard, live lines"
    assert [names for names in lists.titles.values() if tuple(names.split(", ")) in found.lists] == [lists.titles["2"]]


@pytest.fixture(scope="module", name="shown")
def _shown(app: Flask) -> rulebook.RulebookView:
    with app.test_request_context():
        return rulebook.view({})


def test_both_rulebooks_are_shown_rule_by_rule_with_what_goes_wrong_without_it(shown: rulebook.RulebookView) -> None:
    found = [tuple(each.rule.name for each in book.rules) for book in shown.rulebooks]
    assert found == [RULEBOOK, SHORT_RULEBOOK]
    assert all(each.error is not None for book in shown.rulebooks for each in book.rules)


def test_the_seven_rules_are_mended_by_a_guard(client: FlaskClient, shown: rulebook.RulebookView) -> None:
    assert rulebook.MENDED in {change.names for change in mending(SEVEN_RULES)}
    assert "It never loses." in client.get(shown.mended).text
    assert f"{len(mending(SEVEN_RULES))} changes make it unbeatable" in client.get(shown.mending).text


def test_the_search_names_the_shortest_lists_and_what_was_tried(shown: rulebook.RulebookView) -> None:
    unbeatable = [found for aim, _, found in shown.sought if aim == "never loses a game, on either side"]
    assert [found.length for found in unbeatable] == [6, 5, 4, 4, 2]
    assert all(0 < found.examined <= found.shorter for _, _, found in shown.sought)


def test_the_page_links_to_the_games_that_refute_a_shorter_list(
    client: FlaskClient, shown: rulebook.RulebookView
) -> None:
    text = client.get("/learn/workshop?see=rulebook").text
    refuted = [each.without.refutation for book in shown.rulebooks for each in book.rules]
    lost = [format_moves(each.game.moves, TIC_TAC_TOE) for each in refuted if each]
    assert lost
    for moves in lost:
        url = f"/play/3x3x3?moves={moves}&x=friend&o=friend"
        assert f'<a href="{url}">Replay it</a>'.replace("&", "&amp;") in text
        assert client.get(url).status_code == 200


def test_one_watches_a_player_by_rules_in_a_shortest_game_that_it_loses(app: Flask, client: FlaskClient) -> None:
    with app.test_request_context():
        scene = rulebook.view({"player": "pyfl-literal", "side": "O"}).scene
    lost = trial(STRATEGIES["pyfl-literal"], Mark.O, TIC_TAC_TOE).refutation
    assert lost is not None
    assert [still.board.position for still in scene.strip] == list(lost.game.positions)
    assert [still.erred for still in scene.strip].index(True) - 1 == lost.erred
    text = client.get("/learn/workshop?see=rulebook&player=pyfl-literal&side=O&at=1").text
    assert "every line holds" not in text  # its first rule decides at once
    assert "Which rule decides?" in text
    assert "“its rule “win X”” decides, and plays b3." in text


def test_the_streams_are_shown_with_the_code_that_runs(client: FlaskClient) -> None:
    text = unescape(client.get("/learn/lazily").text)
    assert "def fby(first: Any, rest: Equation) -> Equation:" in text
    assert lazily.LESSON.quizzes["asking"]().questions[2].shown.words == (
        "Asked are board 4, board 3, board 2: the last one knows, since 1 was its move."
    )


def test_the_board_beside_questions_about_opponents_is_a_trap_for_o() -> None:
    position = trial_page.TRAP.position
    lost = {cell for cell, outcome in predict(position).squares.items() if outcome.value == Value.LOSS}
    assert position.mover is Mark.O
    assert lost == {cell for cell in position.legal_moves if TIC_TAC_TOE.column_row(cell) in ((0, 2), (2, 0))}
