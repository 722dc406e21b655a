"""Clauses of a game: gravity, who wins by a line, marks, holes and drawn lines, and boards in space."""

import pickle
from functools import reduce
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Game, explain, parse_game, parse_position, predict, review, solve
from solver.analysis.trial import loses, wins
from solver.board.families import lines_in_space
from solver.board.game import game_to
from solver.board.names import parse_rules
from solver.board.notation import format_cell, format_line, format_moves, format_position, parse_cell
from solver.board.outcome import DRAWN, WIN, Outcome, Value
from solver.board.pasted import read_pasted
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules, bits_of, rules_of
from solver.errors import BadNotation, BadRules, IllegalMove
from solver.kernel import engine
from solver.search import vanishing
from solver.search.budget import UNLIMITED, Budget, BudgetExhausted, Meter
from solver.search.exact import at_first, narrowing, narrowing_together, prove_score
from solver.search.fold import reached
from solver.search.solver import Solver, principal_variation
from solver.search.tablebase import look_up
from tests.marked import exhaustive
from tests.solver.stored_proofs import opened
from tests.strategies import drawn_games, examples, met, reachable
from tests.strategies import positions as drawn_positions


def test_symmetries_keep_the_bottom_down() -> None:
    for symmetry in parse_rules("4x3x3-cylinder-gravity").symmetries:
        assert [image // 4 for image in symmetry] == [cell // 4 for cell in range(12)]


def test_a_stone_goes_to_the_lowest_empty_cell_of_its_column() -> None:
    position = Position("3x3x3-gravity").play("b1")
    assert position.legal_moves == (4, 6, 8)
    with pytest.raises(IllegalMove, match="b3 is in the air: a stone in its column falls to b2"):
        position.play("b3")
    assert position.rules.landing(1, position.empty) == 4


@pytest.mark.parametrize("text", [".../.../OX.", "X../O../X..", "O../X../XOX", ".../OX./OX."])
def test_positions_that_falling_stones_can_reach_are_taken(text: str) -> None:
    assert format_position(parse_position(text, "3x3x3-gravity")) == text


@pytest.mark.skipif(engine.KERNEL == "interpreted", reason="too many nodes for the interpreter")
@pytest.mark.parametrize(
    ("board", "outcome"), [("5x4x4", "draw"), ("5x5x4", "draw"), ("6x4x4", "O wins in 12 moves (24 plies)")]
)
def test_boards_for_four_in_a_row_have_their_published_outcome(board: str, outcome: str) -> None:
    """Source: Tromp, "John's Connect Four Playground", for the winners."""
    position = Position(f"{board}-gravity")
    solver, known = Solver(position.rules), {position: at_first(position)}
    known |= narrowing(solver, known, Meter(UNLIMITED))
    assert known[position].score == (0 if outcome == "draw" else -9976)


@pytest.mark.skipif(engine.KERNEL == "interpreted", reason="too many nodes for the interpreter")
def test_threads_that_share_a_table_prove_what_one_proves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.search.exact.ALONE", 0)
    known = opened(Position("5x5x4-gravity"))
    first, *others = Solver(parse_rules("5x5x4-gravity")).team(3)
    together = known | dict(narrowing_together((first, *others), known, Meter(UNLIMITED)))
    assert all(solver.nodes for solver in others)
    assert together == known | dict(narrowing(Solver(first.rules), known, Meter(UNLIMITED)))


def test_who_must_play_below_a_threat_in_the_end_loses_without_a_search() -> None:
    position = parse_position("..X..../O.X...O/X.X...X/O.O...O/X.O.XOO/O.XOXXX", "7x6x4-gravity")
    solver = Solver(position.rules)
    assert solver.decided(position, position.plies_left - 1, Meter(UNLIMITED))
    assert solver.nodes == 1


def test_of_a_falling_game_what_the_budget_does_not_reach_stays_unproved() -> None:
    prediction = predict(Position("7x6x5-gravity"), budget=Budget(nodes=1000))
    assert set(prediction.squares) == set(range(35, 42))
    assert all(each.plies is None for each in prediction.squares.values())


@pytest.mark.parametrize(("board", "count"), [("3x4x4", 6_000), ("4x3x4", 12_031)])
def test_turns_reach_as_many_positions_as_are_published(board: str, count: int) -> None:
    """Source: Tromp, "John's Connect Four Playground"."""
    start = Position(f"{board}-gravity")
    assert len(reached(start, Position.successors)) == count


def test_a_line_loses_in_misere() -> None:
    game = parse_game("3x3x3-misere", None, "a1a2b1b2c1")
    assert game.last.result is Result.O
    assert predict(game.last).outcome.value is Value.WIN


def test_both_place_x_in_notakto_and_a_line_loses() -> None:
    game = parse_game("3x3x3-notakto", None, "a1b1c1")
    assert str(game.last) == "...\n...\nXXX"
    assert [position.mover for position in game.positions] == [Mark.X, Mark.O, Mark.X, Mark.O]
    assert game.last.result is Result.O


def test_only_the_centre_wins_notakto_and_draws_misere() -> None:
    assert [predict(f"3x3x3-{clause}").best for clause in ("misere", "notakto")] == [(4,), (4,)]


def test_what_the_budget_does_not_reach_stays_unproved() -> None:
    position = Position("6x6x4-misere")
    known = {position: at_first(position)} | dict(
        narrowing(Solver(position.rules), {position: at_first(position)}, Meter(Budget(nodes=2000)))
    )
    assert known[position].score is None
    with pytest.raises(BudgetExhausted):
        Solver(position.rules).decided(position, 20, Meter(Budget(nodes=2000)))


@pytest.mark.parametrize("board", ["3x3x3-misere", "3x3x3-notakto"])
def test_the_kernel_refuses_what_it_cannot_answer(board: str) -> None:
    with pytest.raises(BadRules, match="a stone never harms"):
        engine.check_answerable(parse_rules(board))


@pytest.mark.parametrize("board", ["4x3x3-misere", "4x3x3-notakto"])
def test_a_trial_asks_who_wins_on_larger_boards_too(board: str) -> None:
    start = Position(board)
    for position in (start, *start.successors(), start.play("b2").play("c2")):
        value = predict(position, Budget(seconds=60)).outcome.value
        assert (wins(position), loses(position)) == (value is Value.WIN, value is Value.LOSS)


WILD, VANISHING, STRICT = (Position(f"3x3x3-{marks}") for marks in ("wild", "vanishing", "vanishing-strict"))
FULL = parse_game("3x3x3-vanishing", None, "b2a1a3c1b1b3").last


def wins_within(position: Position, plies: int) -> bool:
    """Return whether the mover forces a win within some plies, by plain search of that depth."""
    if position.result is not None:
        return str(position.result) == position.mover
    return plies > 0 and any(loses_within(after, plies - 1) for after in position.successors())


def loses_within(position: Position, plies: int) -> bool:
    """Return whether the opponent forces a win within some plies."""
    if position.result is not None:
        return str(position.result) == position.mover.other
    return plies > 0 and all(wins_within(after, plies - 1) for after in position.successors())


def test_a_wild_move_says_its_mark() -> None:
    game = parse_game("3x3x3-wild", None, "Xb2 oa1 XA3")
    assert format_moves(game.moves, game.last.rules) == "Xb2Oa1Xa3"
    assert str(game.last) == "X..\n.X.\nO.."
    assert [position.mover for position in game.positions] == [Mark.X, Mark.O, Mark.X, Mark.O]


@given(st.sampled_from(range(18)))
def test_a_wild_move_reads_back_as_written(number: int) -> None:
    move = WILD.legal_moves[number]
    assert parse_cell(format_cell(move, WILD.rules), WILD.rules) == move


def test_whoever_completes_a_line_of_either_mark_wins_wild() -> None:
    game = parse_game("3x3x3-wild", None, "Xa1Xb1Xc1")
    assert game.last.result is Result.X
    assert parse_game("3x3x3-misere-wild", None, "Oa1Ob1Oc1").last.result is Result.O


@pytest.mark.parametrize(("board", "nodes"), [("4x3x4-wild", 12_000), ("4x3x4-misere-wild", 17_000)])
def test_dead_lines_and_cells_are_left_out_of_the_search_of_wild(board: str, nodes: int) -> None:
    found = prove_score(Position(board))
    assert found.score == DRAWN
    assert found.nodes <= nodes


def test_the_oldest_stone_leaves_as_a_fourth_is_placed() -> None:
    assert (FULL.mover, format_cell(FULL.ages[0], FULL.rules)) == (Mark.X, "b2")
    after = FULL.play("c3")
    assert after.mark_at(4) is None
    assert (after.x.bit_count(), after.o.bit_count(), after.mover) == (3, 3, Mark.O)


def test_the_square_that_is_freed_can_be_taken_at_once_unless_the_rule_is_strict() -> None:
    assert FULL.play("b2").mark_at(4) is Mark.X
    with pytest.raises(IllegalMove, match="b2 is about to be freed, and by the strict rule"):
        parse_game("3x3x3-vanishing-strict", None, "b2a1a3c1b1b3").last.play("b2")


def test_a_line_counts_among_the_stones_that_are_left() -> None:
    # X had b2 and c1; the oldest stone, a3, leaves as X completes what would have been a diagonal with it.
    game = parse_game("3x3x3-vanishing", None, "a3a1b2a2b1c2c1")
    assert game.last.result is None


def test_a_vanishing_game_is_told_by_its_moves() -> None:
    assert read_pasted("3x3x3-vanishing b2 a1").last.ages == (4, 6)
    assert read_pasted("https://play.example/practise/3x3x3-vanishing-b2a1-keep").last.ages == (4, 6)


def test_a_draw_without_end_has_no_plies() -> None:
    outcome = predict(VANISHING).outcome
    assert (outcome, outcome.letter, outcome.number) == (Outcome(Value.DRAW, None), "D", "")
    assert outcome.is_exact
    assert outcome.is_endless


@pytest.mark.parametrize(("moves", "plies"), [("3x2x3-vanishing", None), ("3x2x3-vanishing-strict", 1)])
def test_a_draw_has_plies_where_the_board_is_full_before_a_stone_can_leave(moves: str, plies: int | None) -> None:
    before_last = parse_game(moves, None, "a1a2b1b2c2").last
    assert set(predict(before_last).squares.values()) == {Outcome(Value.DRAW, plies)}


@examples(20)
@given(st.permutations(range(6)), st.integers(0, 4))
def test_a_board_that_is_full_before_a_stone_can_leave_is_the_usual_game(order: list[int], played: int) -> None:
    strict, usual = (Game.starting(board).playing(order[:played]) for board in ("3x2x3-vanishing-strict", "3x2x3"))
    assert predict(strict.last).squares == predict(usual.last).squares


@pytest.mark.parametrize("board", ["3x3x3-vanishing", "3x3x3-vanishing-strict", "3x2x3-vanishing", "3x3x2-vanishing"])
def test_a_game_leads_to_each_position_of_a_vanishing_game(board: str) -> None:
    for position in met(parse_rules(board), 20):
        assert game_to(position).last == position


def test_positions_of_vanishing_games_print_and_pickle() -> None:
    assert eval(repr(FULL)) == FULL  # noqa: S307 - a repr is code
    assert pickle.loads(pickle.dumps(FULL)) == FULL  # noqa: S301 - of our own
    assert Position(FULL.rules, FULL.x, FULL.o, FULL.ages[2:] + FULL.ages[:2]) != FULL


@examples(20)
@given(st.sampled_from((VANISHING.rules, STRICT.rules)), st.lists(st.integers(0, 8), max_size=30))
def test_looked_up_scores_agree_with_a_plain_search_of_limited_depth(rules: object, choices: list[int]) -> None:
    position = VANISHING if rules == VANISHING.rules else STRICT
    for choice in choices:
        if position.result is None:
            position = position.after(position.legal_moves[choice % len(position.legal_moves)])
    if position.result is None:
        score = look_up(position)
        for plies in range(6):
            assert wins_within(position, plies) == (score >= WIN - plies), repr(position)
            assert loses_within(position, plies) == (score <= plies - WIN), repr(position)
        assert look_up(position.canonical()) == score


@pytest.mark.parametrize("start", [VANISHING, STRICT], ids=["usual", "strict"])
def test_a_search_that_is_asked_for_more_and_more_plies_agrees_with_the_table(start: Position) -> None:
    search = vanishing.DepthFirst(start.rules, 1 << 16)
    for position in met(start.rules, 20):
        for plies in range(1, 7):
            assert search.wins(position.ages, True, plies) == (look_up(position) >= WIN - plies), repr(position)
            assert search.wins(position.ages, False, plies) == (look_up(position) <= plies - WIN), repr(position)


def test_beyond_the_table_wins_are_proved_and_nothing_else() -> None:
    position = parse_game("4x4x3-vanishing", None, "b2a1b3d4").last
    assert not position.rules.is_small
    squares = predict(position, Budget(nodes=3000)).squares
    assert str(squares[parse_cell("b1", position.rules)]) == "win in 1 ply"
    assert {each.value for each in squares.values()} <= {Value.WIN, Value.LOSS, Value.UNKNOWN}


def test_a_strict_game_is_won_from_an_edge_by_best_play() -> None:
    score = look_up(STRICT)
    line = principal_variation(
        lambda position, plies, _: look_up(position) >= WIN - plies if plies % 2 else look_up(position) <= plies - WIN,
        STRICT,
        score,
        Meter(UNLIMITED),
    )
    game = Game.starting(STRICT).playing(line)
    assert (len(line), game.last.result) == (13, Result.X)
    assert format_cell(line[0], STRICT.rules) in {"a2", "b1", "b3", "c2"}


def test_no_move_of_play_without_end_is_a_mistake() -> None:
    assert review(Game.starting(VANISHING).playing([4, 0, 8])).mistakes == ()


def test_orders_are_counted_before_all_scores_are_computed() -> None:
    assert vanishing.orders(VANISHING.rules) == 79210


@pytest.mark.parametrize("board", ["3x3-fatty", "3x3x3-linesa1b1c1a1b2c3", "4x4x3-holesa1b2c3d4a4b1c2", "5x2x3"])
def test_a_vanishing_game_of_up_to_nine_squares_has_a_table(board: str) -> None:
    rules = Position(f"{board}-vanishing").rules
    assert rules.is_small == (rules.squares <= 9)


@pytest.mark.parametrize("marks", ["vanishing", "vanishing-strict", "misere-vanishing", "misere-vanishing-strict"])
@pytest.mark.parametrize(
    "board", ["1x1x1", "3x2x2-linesa1b1b1c2", "3x2x3", *exhaustive("3x3x3", "4x3x2-holesb2c3d1", "2x4x4")]
)
def test_the_table_of_a_vanishing_game_has_the_scores_found_up_to_symmetry(board: str, marks: str) -> None:
    start = Position(f"{board}-{marks}")
    for ages, score in vanishing.scores(start.rules).items():
        assert look_up(Position(start.rules, ages=ages)) == score, ages


@pytest.mark.parametrize("board", ["3x2x2-vanishing", "3x2x2-misere-vanishing-strict"])
def test_the_interpreted_table_is_the_compiled_one(board: str) -> None:
    rules = Position(board).rules
    interpreted, chosen = engine.interpreted().VanishingTable(rules), engine.kernel.VanishingTable(rules)
    for orders in (permutations(range(rules.size), stones) for stones in range(5)):
        for ages in (reduce(lambda ages, cell: ages << 6 | cell, each, 1) for each in orders):
            assert interpreted.plies(ages) == chosen.plies(ages)


@pytest.mark.parametrize("board", ["3x3x3-vanishing", "3x3x3-linesa1b1c1-vanishing", "3x2x3-vanishing-strict"])
def test_a_small_vanishing_game_is_solved_without_a_search(board: str) -> None:
    solution = solve(board, Budget(nodes=0))
    assert solution.prediction.squares == predict(board).squares
    assert solution.outcome.value is Value.DRAW
    assert solution.prediction.nodes == 0


RING = parse_rules("3x3x3-holesb2")
EVERY_LINE = "3x3x3-linesa1a2a3a1b1c1a1b2c3a2b2c2a3b2c1a3b3c3b1b2b3c1c2c3"


def test_the_eight_lines_drawn_one_by_one_are_tic_tac_toe() -> None:
    drawn = parse_rules(EVERY_LINE)
    assert {*drawn.lines} == {*Rules(3, 3, 3).lines}
    for position in reachable(Rules(3, 3, 3))[::9]:
        assert look_up(Position(drawn, position.x, position.o)) == look_up(position)


def test_lines_keep_clear_of_holes_and_so_do_stones() -> None:
    assert (RING.size, RING.squares, len(RING.lines)) == (9, 8, 4)
    assert Position(RING).plies_left == len(Position(RING).legal_moves) == 8
    assert RING.lines_through[4] == ()
    with pytest.raises(IllegalMove, match="b2 is a hole"):
        Position(RING).play("b2")


def test_more_lines_than_a_search_can_number_are_refused() -> None:
    pairs = tuple(1 << one | 1 << other for one in range(24) for other in range(one))
    with pytest.raises(BadRules, match="276 lines are drawn, and 256 at most"):
        rules_of(5, 5, 2, winning=pairs)


def test_a_hole_is_a_cross_hatch_in_the_text_of_a_position() -> None:
    position = parse_position("X../.#O/...", RING)
    assert format_position(position) == "X../.#O/..."
    assert parse_position("X...#O...", RING) == position
    assert str(predict(position)).splitlines()[1].split()[1] == "#"


def test_the_board_is_full_once_every_square_but_the_holes_is_taken() -> None:
    game = parse_game(RING, None, "a1c1b1a2c2b3a3c3")
    assert str(game.last.result) == "draw"


@given(drawn_positions(drawn_games(), max_empty=6))
def test_reasons_hold_for_holes_and_drawn_lines(position: Position) -> None:
    assert all(explain(position, cell).verified for cell in position.legal_moves)


CUBE, QUBIC = parse_rules("3x3x3x3"), parse_rules("4x4x4x4")


def test_one_layer_is_a_flat_board() -> None:
    assert parse_rules("4x3x1x3") == parse_rules("4x3x3")
    assert {*lines_in_space((4, 3, 1), 3)} == {*parse_rules("4x3x3").lines}


def test_a_cell_is_named_by_letter_number_and_layer() -> None:
    assert [format_cell(cell, CUBE) for cell in (0, 13, 26)] == ["a3.1", "b2.2", "c1.3"]
    assert all(parse_cell(format_cell(cell, QUBIC), QUBIC) == cell for cell in range(64))
    assert format_line(bits_of((0, 13, 26)), CUBE) == "a3.1–c1.3"


def test_layers_are_written_from_the_bottom() -> None:
    position = Position(CUBE).play("b2.2").play("a1.1")
    assert format_position(position) == ".../.../O..|.../.X./...|.../.../..."
    assert str(position) == "...\n...\nO..\n\n...\n.X.\n...\n\n...\n...\n..."
    assert parse_position(format_position(position), CUBE) == position == eval(repr(position))  # noqa: S307
    with pytest.raises(BadNotation, match="3 layers from the bottom up"):
        parse_position(".../.../O..|.../.X./...", CUBE)


def test_a_line_through_all_layers_wins() -> None:
    game = parse_game("3x3x3x3", None, "b2.2a1.1a3.3c1.2b3.2b1.2c1.1")
    assert game.last.winning_lines == (bits_of(parse_cell(each, CUBE) for each in ("c1.1", "b2.2", "a3.3")),)
    with pytest.raises(IllegalMove, match="The game is over"):
        game.play("a1.3")


def test_the_cube_of_three_is_won_in_four_moves_from_its_centre() -> None:
    assert predict(Position(CUBE)).best == (parse_cell("b2.2", CUBE),)
