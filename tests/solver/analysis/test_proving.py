"""Proofs of players from outside, compared with trials of our own players."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from solver.analysis.trial import Answerer, BotVerdict, NoAnswer, asked_as, prove, results_against, table, trial
from solver.board.game import Counts
from solver.board.notation import format_cell, format_position, parse_cell, parse_position, parse_rules
from solver.board.outcome import Value
from solver.board.position import Mark, Position
from solver.board.rules import Rules
from solver.errors import BadNotation, TooLarge
from solver.players import STRATEGIES, Strategy
from solver.players.decision import any_of
from solver.players.match import results
from solver.proofs.predict import predict
from solver.report import prove_report
from solver.search.budget import Budget
from tests.strategies import TIC_TAC_TOE

NAMES = ["impossible", "rulebook", "seven-rules", "pyfl-program", "easy", "alphabeta-2"]


def first_choice(name: str) -> Strategy:
    """Return the opponent that plays the first square that one of ours may play."""
    own = STRATEGIES[name]
    first = lambda position: any_of([min(own.decide(position).choices)], "")  # noqa: E731
    return replace(own, decide=first, symmetric=lambda _: False)


def answering(strategy: Strategy) -> Answerer:
    return lambda position: format_cell(min(strategy.decide(position).choices), position.rules)


@pytest.mark.parametrize("mark", Mark)
@pytest.mark.parametrize("name", NAMES)
def test_a_proof_says_the_same_as_a_trial(name: str, mark: Mark) -> None:
    player = first_choice(name)
    tried, proof = trial(player, mark, TIC_TAC_TOE), prove(answering(player), mark, TIC_TAC_TOE)
    assert proof.verdict == ("unbeatable" if tried.unbeatable else "beaten")
    assert (proof.counts, proof.asked, proof.slips) == (tried.counts, tried.positions, tried.slips)
    refutation = tried.refutation
    assert proof.game == (refutation and refutation.game)
    blamed = refutation.plies[refutation.erred] if refutation and refutation.erred is not None else None
    assert (proof.blame and proof.blame[:2]) == (blamed and (blamed.position, blamed.cell))
    if proof.blame:
        held = predict(proof.blame.position).squares
        assert proof.blame.better == tuple(cell for cell, outcome in held.items() if outcome.value is not Value.LOSS)


def test_each_position_is_asked_once_ply_by_ply() -> None:
    asked: list[Position] = []
    own = answering(first_choice("easy"))

    def answer(position: Position) -> str:
        asked.append(position)
        return own(position)

    proof = prove(answer, Mark.O, TIC_TAC_TOE)
    assert asked == list(proof.answers)
    assert set(Counter(asked).values()) == {1}
    assert asked == sorted(asked, key=lambda position: -position.plies_left)
    assert len(asked) == proof.asked


def test_answers_in_the_order_of_asking_prove_the_same_again() -> None:
    proof = prove(answering(first_choice("rulebook")), Mark.X, TIC_TAC_TOE)
    squares = iter([format_cell(cell, TIC_TAC_TOE) for decision in proof.answers.values() for cell in decision.choices])
    assert prove(lambda _: next(squares), Mark.X, TIC_TAC_TOE) == proof


def test_a_player_that_draws_by_chance_is_never_proved_unbeatable() -> None:
    turns = iter(range(10_000))
    perfect = STRATEGIES["impossible"]

    def answer(position: Position) -> str:
        best = sorted(perfect.decide(position).choices)
        return format_cell(best[next(turns) % len(best)], position.rules)

    proof = prove(answer, Mark.O, TIC_TAC_TOE, samples=8)
    assert (proof.verdict, proof.samples, proof.slips) == ("undecided", 8, 0)
    assert prove_report(proof)["samples"] == 8
    assert proof.counts is not None
    assert proof.counts.games > 0 == proof.counts.lost
    corner = parse_position(".../.X./...")
    assert proof.answers[corner].choices == dict.fromkeys(
        (parse_cell(text, TIC_TAC_TOE) for text in ("a3", "c3", "a1", "c1")), Fraction(1, 4)
    )


def test_one_bad_square_among_the_samples_is_enough_to_be_beaten() -> None:
    turns = iter(range(100_000))
    good, bad = answering(first_choice("impossible")), answering(first_choice("easy"))

    def answer(position: Position) -> str:
        return (bad if next(turns) % 4 == 3 else good)(position)

    proof = prove(answer, Mark.O, TIC_TAC_TOE, samples=4)
    assert proof.verdict == "beaten"


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("a3", "a3 is taken: X stands there."),
        ("z9", "“z9” is off the board: squares go from a1 at the bottom left to c3 at the top right."),
        ("", "“” isn't a square. Write a column letter"),
    ],
)
def test_an_illegal_answer_breaks_the_player(said: str, message: str) -> None:
    proof = prove(lambda _: said, Mark.O, TIC_TAC_TOE)
    assert (proof.verdict, proof.asked, proof.counts, proof.game, proof.slips) == ("broken", 1, None, None, None)
    assert proof.problem is not None
    assert proof.problem[:2] == (parse_position("X../.../..."), said)
    assert proof.problem.message.startswith(message)


def test_no_answer_breaks_the_player_even_if_it_was_beaten_before() -> None:
    lazy = answering(first_choice("easy"))

    def answer(position: Position) -> str:
        if position.plies_left < 3:
            raise NoAnswer("It sleeps.", "zzz")
        return lazy(position)

    proof = prove(answer, Mark.O, TIC_TAC_TOE)
    assert (proof.verdict, proof.game, proof.blame) == ("broken", None, None)
    assert proof.problem is not None
    assert proof.problem[1:] == ("zzz", "It sleeps.")


def test_digits_and_rows_with_columns_are_answers_too() -> None:
    answer = answering(first_choice("impossible"))

    def by_number(position: Position) -> str:
        cell = parse_cell(answer(position), TIC_TAC_TOE)
        return str(cell + 1) if cell % 2 else f"{cell // 3 + 1},{cell % 3 + 1}"

    assert prove(by_number, Mark.O, TIC_TAC_TOE) == prove(answer, Mark.O, TIC_TAC_TOE)


def test_a_budget_leaves_a_player_undecided_unless_it_is_already_beaten() -> None:
    board = parse_rules("5x5x5")
    first = prove(answering(first_choice("hard")), Mark.O, board, budget=Budget(nodes=300))
    assert (first.verdict, first.counts, first.slips, first.game) == ("undecided", None, None, None)
    assert first.asked > 10
    lazy = prove(
        lambda position: format_cell(position.legal_moves[-1], board),
        Mark.O,
        parse_rules("5x5x3"),
        budget=Budget(nodes=5000),
    )
    assert (lazy.verdict, lazy.counts) == ("beaten", None)
    assert lazy.game is not None
    assert (len(lazy.game.moves), lazy.game.last.result) == (5, "X")


def test_no_move_is_to_blame_where_perfect_play_wins_anyway() -> None:
    proof = prove(answering(first_choice("hard")), Mark.O, parse_rules("2x2x2"))
    assert (proof.verdict, proof.blame) == ("beaten", None)


def test_a_table_is_a_player_and_may_hold_more_than_is_asked() -> None:
    proof = prove(answering(first_choice("rulebook")), Mark.O, TIC_TAC_TOE)
    moves = {
        format_position(position): format_cell(cell, TIC_TAC_TOE)
        for position, decision in proof.answers.items()
        for cell in decision.choices
    }
    assert prove(table(moves | {"XXX/XXX/XXX": "?"}, TIC_TAC_TOE), Mark.O, TIC_TAC_TOE) == proof
    del moves["X../.../..."]
    broken = prove(table(moves, TIC_TAC_TOE), Mark.O, TIC_TAC_TOE)
    assert (broken.verdict, broken.problem and broken.problem.answer) == ("broken", None)


def test_a_table_is_checked_before_the_proof_begins() -> None:
    with pytest.raises(BadNotation):
        table({"X../...": "a1"}, TIC_TAC_TOE)
    with pytest.raises(TooLarge):
        table({str(number): "a1" for number in range(5479)}, TIC_TAC_TOE)


def test_chances_against_the_opponents_are_exact() -> None:
    player = first_choice("rulebook")
    proof = prove(answering(player), Mark.O, TIC_TAC_TOE)
    found = results_against(proof)
    assert found["Medium"] == results(TIC_TAC_TOE, STRATEGIES["medium"], player)
    assert all(sum(each.values()) == 1 for each in found.values())
    assert results_against(prove(lambda _: "?", Mark.O, TIC_TAC_TOE)) == {}


def test_a_small_board_is_counted_whole() -> None:
    board = parse_rules("2x2x2")
    proof = prove(answering(first_choice("impossible")), Mark.X, board)
    assert (proof.verdict, proof.counts, proof.asked) == ("unbeatable", Counts(3, 0, 0), 4)


VANISHING, STRICT, WILD = (parse_rules(f"3x3x3-{marks}") for marks in ("vanishing", "vanishing-strict", "wild"))


def best(position: Position) -> str:
    return format_cell(predict(position).best[0], position.rules)


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "mark"), [(VANISHING, Mark.O), (STRICT, Mark.X)], ids=str)
def test_a_perfect_player_of_a_game_without_end_is_unbeatable(rules: Rules, mark: Mark) -> None:
    proof = prove(best, mark, rules, budget=Budget(nodes=200_000))
    assert (proof.verdict, proof.counts, proof.slips) == (BotVerdict.UNBEATABLE, None, 0)


def test_a_beaten_player_of_a_game_without_end_gets_a_shortest_lost_game() -> None:
    def first(position: Position) -> str:
        return format_cell(position.legal_moves[0], position.rules)

    proof = prove(first, Mark.O, VANISHING)
    assert proof.verdict is BotVerdict.BEATEN
    assert proof.game
    assert len(proof.game.moves) == 5
    assert proof.game.last.result == "X"


def test_a_player_of_a_vanishing_game_is_asked_by_moves() -> None:
    position = Position(VANISHING)
    assert asked_as(position) == "-"
    for cell in ("b2", "a1", "a3", "c1", "b1", "b3", "c3"):
        position = position.play(cell)
    assert asked_as(position) == "a1a3c1b1b3c3"
    assert table({"-": "b2", "a1a3c1b1b3c3": "b2"}, VANISHING)(position) == "b2"
    with pytest.raises(BadNotation):
        table({"X../.../...": "b2"}, VANISHING)


def test_a_player_of_a_wild_game_answers_with_its_mark() -> None:
    assert prove(best, Mark.X, WILD).verdict is BotVerdict.UNBEATABLE
    broken = prove(lambda _: "b2", Mark.X, WILD)
    assert broken.problem
    assert "Say which one: Xb2 or Ob2" in broken.problem.message
