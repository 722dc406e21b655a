"""Every opponent is legal everywhere; each does what its description says, also where it breaks ties."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import format_cell, parse_position, parse_rules
from solver.board.outcome import DRAWN, Outcome, Value
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell
from solver.players import STRATEGIES, Decision, strategy_named
from solver.players.match import results
from solver.players.searching import Opportunities, Paths, impossible, opportunities, paths
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction
from solver.search.minimax import alphabeta, minimax
from tests.marked import exhaustive, slow
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, UNKNOWN, boards, examples, positions, reachable

UNFINISHED = tuple(position for position in reachable(TIC_TAC_TOE) if position.result is None)
CLASSES = {position.canonical() for position in UNFINISHED}
SOME = [name for name, each in STRATEGIES.items() if each.depth in (None, 1, 9) and name != "twos"]
EACH = [name if name in SOME else pytest.param(name, marks=pytest.mark.slow) for name in STRATEGIES]
"""The opponents; `make test` leaves out those that look ahead, but for the first and the last."""


def decided(name: str, text: str, board: str = "3x3x3") -> Decision:
    return STRATEGIES[name].decide(parse_position(text, parse_rules(board)))


def squares(name: str, text: str) -> set[str]:
    return {format_cell(cell, TIC_TAC_TOE) for cell in decided(name, text).choices}


def assert_sound(decision: Decision, position: Position) -> None:
    assert list(decision.choices) == sorted(set(decision.choices) & set(position.legal_moves))
    assert sum(decision.choices.values()) == 1
    assert all(chance > 0 for chance in decision.choices.values())
    assert decision.reason


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", EACH)
def test_every_opponent_is_legal_in_every_position_that_any_play_reaches(name: str, every: int) -> None:
    for position in UNFINISHED[::every]:
        assert_sound(STRATEGIES[name].decide(position), position)


@examples(40)
@given(positions(boards()))
def test_every_opponent_is_legal_on_every_board_it_plays(position: Position) -> None:
    if position.result is None:
        for strategy in STRATEGIES.values():
            if strategy.plays_on(position.rules) and strategy.depth in (None, 9):
                assert_sound(strategy.decide(position), position)


@pytest.mark.parametrize("name", STRATEGIES)
def test_no_opponent_decides_a_finished_game(name: str) -> None:
    with pytest.raises(ValueError, match="finished game"):
        decided(name, "XXX/OO./...")


@pytest.mark.parametrize("name", STRATEGIES)
def test_an_opponent_that_remembers_decides_once_and_the_same_unless_more_may_be_proved(name: str) -> None:
    asked = []
    strategy = STRATEGIES[name]

    def decide(position: Position) -> Decision:
        asked.append(position)
        return strategy.decide(position)

    position = parse_position("X../.O./..X", TIC_TAC_TOE)
    remembering = replace(strategy, decide=decide).remembering()
    assert [remembering.decide(position) for _ in range(2)] == [strategy.decide(position)] * 2
    assert len(asked) == (1 if strategy.settled else 2)


def test_easy_plays_any_square_with_the_same_probability() -> None:
    assert set(decided("easy", "X../.../...").choices.values()) == {Fraction(1, 8)}


def test_on_three_by_three_the_last_of_the_seven_rules_never_has_to_decide() -> None:
    assert not any(STRATEGIES["seven-rules"].decide(position).reason.startswith("the rest") for position in UNFINISHED)


LINES = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 4, 7], [2, 5, 8], [3, 6, 9], [1, 5, 9], [3, 5, 7]]
CORNERS = [[1, 2, 4], [3, 6, 2], [7, 4, 8], [9, 8, 6]]


def as_printed(board: dict[int, str], me: str, you: str) -> set[int]:
    """Return the squares that the article's appendix can pick, transcribed from it: cells 1 to 9, `me` the computer."""

    def winning(player: str) -> int | None:
        for line in LINES:
            if sorted(board[c] for c in line) == sorted([player, player, "."]):
                return next(c for c in line if board[c] == ".")
        return None

    for player in (you, me):
        if (cell := winning(player)) is not None:
            return {cell}
    if board[5] == ".":
        return {5}
    for corner, one, other in CORNERS:
        if board[corner] == "." and board[one] == board[other] == you:
            return {corner}
    sides = {c for c in (2, 4, 6, 8) if board[c] == "."}
    if sides and board[5] != you:
        return sides
    corners_free = {c for c, _, _ in CORNERS if board[c] == "."}
    return corners_free or {c for c in board if board[c] == "."}


def test_the_program_picks_what_the_articles_appendix_picks_in_every_position() -> None:
    for position in UNFINISHED:
        board = {cell + 1: str(position.mark_at(cell) or ".") for cell in range(9)}
        expected = as_printed(board, str(position.mover), str(position.mover.other))
        assert {cell + 1 for cell in STRATEGIES["pyfl-program"].decide(position).choices} == expected


def test_impossible_plays_exactly_the_best_squares_of_every_position() -> None:
    for position in UNFINISHED:
        assert set(STRATEGIES["impossible"].decide(position).choices) == set(predict(position).best)


def test_plain_minimax_takes_late_wins_as_gladly_as_early_ones() -> None:
    early_or_late = "XX./OO./..."
    assert squares("impossible", early_or_late) == {"c3"}
    for position in UNFINISHED:
        outcomes = predict(position).squares
        values = [Value.WIN, Value.DRAW, Value.LOSS]
        best = min((outcome.value for outcome in outcomes.values()), key=values.index)
        expected = {cell for cell, outcome in outcomes.items() if outcome.value is best}
        assert set(STRATEGIES["minimax"].decide(position).choices) == expected


def test_alphabeta_to_the_full_depth_is_plain_minimax() -> None:
    for position in UNFINISHED:
        full, plain = (STRATEGIES[name].decide(position) for name in ("alphabeta-9", "minimax"))
        assert full.choices == plain.choices
        assert "asked for" not in full.reason


@pytest.mark.parametrize("depth", [1, 3, *slow(5), *exhaustive(2, 4)])
def test_alphabeta_that_looks_up_decides_as_the_search_does(depth: int) -> None:
    for position in CLASSES:
        scores = {cell: -alphabeta(position.after(cell), depth - 1).score for cell in position.legal_moves}
        signs = {cell: (score > 0) - (score < 0) for cell, score in scores.items()}
        expected = {cell for cell in signs if signs[cell] == max(signs.values())}
        assert set(STRATEGIES[f"alphabeta-{depth}"].decide(position).choices) == expected


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", EACH)
def test_symmetric_opponents_decide_alike_in_positions_that_look_alike(name: str, every: int) -> None:
    strategy = STRATEGIES[name]
    for position in [*CLASSES][::every]:
        choices = strategy.decide(position).choices
        turned = [
            {symmetry[cell]: chance for cell, chance in choices.items()}
            == strategy.decide(position.transformed(symmetry)).choices
            for symmetry in TIC_TAC_TOE.symmetries
        ]
        assert all(turned) or not strategy.symmetric(TIC_TAC_TOE)


@examples(20)
@given(positions(st.sampled_from([parse_rules("4x3x3"), parse_rules("4x4x4"), parse_rules("5x4x4")]), max_empty=14))
def test_symmetric_opponents_decide_alike_on_larger_boards(position: Position) -> None:
    if position.result is not None:
        return
    for strategy in STRATEGIES.values():
        if strategy.plays_on(position.rules) and strategy.settled and strategy.symmetric(position.rules):
            choices = strategy.decide(position).choices
            for symmetry in position.rules.symmetries:
                turned = strategy.decide(position.transformed(symmetry)).choices
                assert turned == {symmetry[cell]: chance for cell, chance in choices.items()}


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([UNKNOWN, Outcome(Value.DRAW, 16), Outcome(Value.LOSS, 4)], {1}),
        ([Outcome(Value.DRAW, 16), UNKNOWN, Outcome(Value.WIN, 13)], {2}),
        ([Outcome(Value.LOSS, 2), UNKNOWN, Outcome(Value.LOSS, 4)], {1}),
    ],
)
def test_impossible_takes_what_is_proved_to_be_safe_where_the_best_is_not_proved(
    monkeypatch: pytest.MonkeyPatch, outcomes: list[Outcome], expected: set[int]
) -> None:
    position = Position(parse_rules("4x4x4"))
    prediction = Prediction(position, dict(enumerate(outcomes)), 0)
    monkeypatch.setattr("solver.players.searching.predict", lambda _: prediction)
    decision = impossible(position)
    assert set(decision.choices) == expected
    assert "proved" in decision.explanation


@pytest.mark.usefixtures("without_books")
def test_impossible_says_that_nothing_is_proved_on_a_large_board() -> None:
    decision = decided("impossible", "/".join(["........"] * 8), "8x8x5")
    assert "proved" in decision.explanation
    assert {format_cell(cell, parse_rules("8x8x5")) for cell in decision.choices} == {"d4", "d5", "e4", "e5"}


MEASURES: dict[str, Callable[[Position, Cell], Opportunities | Paths]] = {
    "impossible-opportunities": opportunities,
    "impossible-paths": paths,
}


late = positions(st.sampled_from(SMALL_BOARDS), max_empty=6)


def walked(position: Position, player: Mark, ply: int) -> tuple[int, int, int, Fraction]:
    """Walk every path from a position: count those that `player` wins, draws and loses, and add up their weights."""
    if position.result is not None:
        if not position.winning_lines:
            return 0, 1, 0, Fraction(0)
        won = position.result == str(player)
        weight = Fraction(1, 2**ply)
        return int(won), 0, int(not won), weight if won else -weight
    parts = [walked(position.play(cell), player, ply + 1) for cell in position.legal_moves]
    won, drawn, lost, value = (sum(each) for each in zip(*parts, strict=True))
    return int(won), int(drawn), int(lost), Fraction(value)


@pytest.mark.slow
@given(late)
def test_paths_agree_with_walking_each_of_them(position: Position) -> None:
    for cell in position.legal_moves:
        found = paths(position, cell)
        expected = walked(position.play(cell), position.mover, 0)
        assert (found.won, found.drawn, found.lost, found.value) == expected


def test_a_path_that_ends_at_once_weighs_one_and_one_that_ends_two_plies_later_a_quarter() -> None:
    position = parse_position("X.X/OO./X.O", TIC_TAC_TOE)
    b3, c2, _ = position.legal_moves
    assert paths(position, b3) == Paths(won=1, drawn=0, lost=0, value=Fraction(1))
    assert paths(position, c2) == Paths(won=1, drawn=1, lost=0, value=Fraction(1, 4))


@given(late)
def test_opportunities_are_the_replies_that_win_less_those_that_lose_by_plain_minimax(position: Position) -> None:
    for cell in position.legal_moves:
        after = position.play(cell)
        scores = [minimax(after.play(reply)).score for reply in after.legal_moves]
        expected = sum(score > DRAWN for score in scores) - sum(score < DRAWN for score in scores)
        assert opportunities(position, cell).value == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", MEASURES)
def test_the_perfect_player_with_a_tie_break_plays_the_best_of_the_best_in_every_position(name: str) -> None:
    for position in UNFINISHED:
        best = predict(position).best
        values = {cell: MEASURES[name](position, cell).value for cell in best}
        decision = STRATEGIES[name].decide(position)
        assert set(decision.choices) == {cell for cell in best if values[cell] == max(values.values())}


def test_an_opponent_answers_to_its_title_as_well() -> None:
    for name, strategy in STRATEGIES.items():
        assert strategy_named(name, TIC_TAC_TOE) is strategy_named(strategy.title.upper(), TIC_TAC_TOE) is strategy


@pytest.mark.parametrize(
    ("name", "expected", "value"),
    [
        ("impossible-opportunities", {"a3", "c3", "a1", "c1"}, "7 replies let it win and 0 lose: +7"),
        ("impossible-paths", {"b2"}, "15,648 paths win, 5,616 lose, weighing +100.500 together"),
    ],
)
def test_the_tie_break_opens_the_game_and_says_why(name: str, expected: set[str], value: str) -> None:
    decision = STRATEGIES[name].decide(Position(TIC_TAC_TOE))
    assert {format_cell(cell, TIC_TAC_TOE) for cell in decision.choices} == expected
    assert decision.explanation.endswith(value)


def test_against_easy_both_tie_breaks_win_more_often_than_impossible_alone() -> None:
    easy, alone = STRATEGIES["easy"], STRATEGIES["impossible"]
    for name in MEASURES:
        as_x, as_o = (results(TIC_TAC_TOE, STRATEGIES[name], easy), results(TIC_TAC_TOE, easy, STRATEGIES[name]))
        assert as_x[Result.X] > results(TIC_TAC_TOE, alone, easy)[Result.X]
        assert as_o[Result.O] > results(TIC_TAC_TOE, easy, alone)[Result.O]
