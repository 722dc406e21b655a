"""The handbook's rules, the rulebooks made of them, and lists of rules as players."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solver.analysis.trial import trial
from solver.articles.rulebooks import Aim, reaches
from solver.board.notation import parse_position, parse_rules
from solver.board.outcome import DRAWN
from solver.board.position import Mark, Position
from solver.board.rules import Rules
from solver.players import STRATEGIES, Strategy, opponent_called, strategy_named
from solver.players.decision import consult, find_rule, following
from solver.players.handbook import (
    HANDBOOK,
    LIST_END,
    REST,
    SEVEN_RULES,
    SLUGS,
    allows_fork,
    forces,
    forces_fork,
    forks,
    format_list,
    listed,
    parse_list,
    player_of,
    threats_after,
)
from solver.search.minimax import minimax
from solver.search.tablebase import look_up
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, boards, examples, positions, reachable

UNFINISHED = tuple(position for position in reachable(TIC_TAC_TOE) if position.result is None)
RULEBOOKS = ("rulebook", "short-rulebook")
small = positions(st.sampled_from(SMALL_BOARDS))


def replies(position: Position, mark: Mark) -> Iterator[tuple[int, int]]:
    """Yield each open cell with the number of cells on which `mark` would then complete a line, by trying them."""
    lines = position.rules.lines_through
    for cell in position.legal_moves:
        stones = position.stones(mark) | 1 << cell
        free = [each for each in position.legal_moves if each != cell]
        yield cell, sum(any(not line & ~(stones | 1 << each) for line in lines[each]) for each in free)


@given(small)
def test_threats_and_forks_are_counted_as_by_trying_every_second_stone(position: Position) -> None:
    for mark in Mark:
        counted = dict(replies(position, mark))
        assert {cell: found.bit_count() for cell, found in threats_after(position, mark).items()} == counted
        assert set(forks(position, mark)) == {cell for cell, count in counted.items() if count >= 2}


@given(positions(st.sampled_from(SMALL_BOARDS), max_empty=6))
def test_a_forced_fork_is_a_win_by_plain_minimax(position: Position) -> None:
    if position.result is None:
        assert forces(position) <= (minimax(position).score > DRAWN)
        for cell in position.legal_moves:
            if forces_fork(position, cell) and not position.threats(position.mover.other):
                assert minimax(position.play(cell)).score < DRAWN


@given(small)
def test_after_a_square_that_allows_no_fork_the_opponent_has_none_in_time(position: Position) -> None:
    for cell in position.legal_moves:
        after = position.play(cell)
        mine = after.threats(position.mover)
        answers = [each for each in after.legal_moves if not mine or each in mine] if len(mine) < 2 else []
        counted = dict(replies(after, after.mover))
        assert allows_fork(position, cell) == any(counted[each] >= 2 for each in answers)


@given(st.data())
def test_a_rule_names_open_squares_in_reading_order_and_prefers_no_side_of_the_board(data: st.DataObject) -> None:
    position = data.draw(positions(boards(5)))
    if position.result is not None:
        return
    symmetry = data.draw(st.sampled_from(position.rules.symmetries))
    for rule in HANDBOOK.values():
        cells = list(rule.cells(position))
        assert cells == sorted(set(cells) & set(position.legal_moves))
        assert {symmetry[cell] for cell in cells} == set(rule.cells(position.transformed(symmetry)))


def test_the_seven_rules_are_the_list_of_the_handbooks_rules_of_the_same_names() -> None:
    as_list = following(listed(SEVEN_RULES))
    for position in UNFINISHED:
        assert STRATEGIES["seven-rules"].decide(position).choices == as_list(position).choices


@pytest.mark.parametrize("name", [*RULEBOOKS, "impossible", "impossible-opportunities", "impossible-paths"])
@pytest.mark.parametrize("mark", Mark)
def test_a_rulebook_or_perfect_player_is_unbeatable_and_lets_no_win_slip_in_its_games(name: str, mark: Mark) -> None:
    tried = trial(STRATEGIES[name], mark, TIC_TAC_TOE)
    assert tried.unbeatable
    assert tried.slips == 0


@pytest.mark.slow
@pytest.mark.parametrize("rules", [each for each in SMALL_BOARDS if each.columns >= each.rows], ids=str)
def test_on_every_board_of_up_to_nine_cells_the_rulebook_loses_only_what_is_lost_and_lets_no_win_slip(
    rules: Rules,
) -> None:
    value = look_up(Position(rules))
    for mark, worth in ((Mark.X, value), (Mark.O, -value)):
        tried = trial(STRATEGIES["rulebook"], mark, rules)
        assert tried.unbeatable or worth < DRAWN
        assert tried.slips == 0


def test_on_a_larger_board_the_rulebook_wins_every_game_as_x_and_lets_wins_slip_as_o() -> None:
    as_x, as_o = (trial(STRATEGIES["rulebook"], mark, parse_rules("4x3x3")) for mark in Mark)
    assert (as_x.counts.won, as_x.counts.games) == (1_856, 1_856)
    assert as_o.slips > 0


def test_the_rulebook_keeps_every_win_of_every_position_and_the_short_one_does_not() -> None:
    def slips(name: str) -> int:
        won = (position for position in UNFINISHED if look_up(position) > DRAWN)
        choices = ((position, cell) for position in won for cell in STRATEGIES[name].decide(position).choices)
        return sum(look_up(position.after(cell)) >= DRAWN for position, cell in choices)

    assert slips("rulebook") == 0
    assert slips("short-rulebook") > 0


def test_a_rulebook_says_its_rule() -> None:
    fork = STRATEGIES["rulebook"].decide(parse_position("X../OX./..O", TIC_TAC_TOE))
    assert fork.reason == "fork: make two threats at once"
    assert find_rule(listed(()), Position(TIC_TAC_TOE))[0] is REST
    rest = following(listed(("win",)))(Position(TIC_TAC_TOE))
    assert rest.reason == "the rest: no rule applies, so any open square will do"


@examples(25)
@given(positions(boards()))
def test_a_rulebook_plays_on_every_board_and_wins_and_blocks_there(position: Position) -> None:
    if position.result is None:
        for name in RULEBOOKS:
            choices = set(STRATEGIES[name].decide(position).choices)
            wins, blocks = (set(position.threats(mark)) for mark in (position.mover, position.mover.other))
            assert choices <= (wins or blocks or set(position.legal_moves))


BY_RULES = [each for each in STRATEGIES.values() if each.follows]
lists = st.lists(st.sampled_from(list(HANDBOOK)), max_size=7, unique=True).map(tuple)


@given(lists)
def test_a_list_is_read_as_it_is_written(names: tuple[str, ...]) -> None:
    assert parse_list(format_list(names)) == names
    player = player_of(names)
    assert opponent_called(player.name) is strategy_named(player.name, TIC_TAC_TOE) is player
    assert opponent_called(f"{player.name},blok") is None


def test_no_two_rules_and_no_opponent_are_written_alike() -> None:
    assert len(SLUGS) == len(HANDBOOK)
    assert not {LIST_END, *SLUGS} & set(STRATEGIES)
    assert not {f"{one}-{other}" for one, other in product(SLUGS, SLUGS)} & set(SLUGS)


def test_a_list_plays_on_a_larger_board_and_says_where_it_takes_a_while() -> None:
    large = parse_rules("5x4x4")
    block = parse_position("XXX../...../...../OO...", large)
    assert strategy_named("win,block", large).decide(block).reason == (
        "block: stop the opponent from completing a line"
    )
    assert strategy_named("win,guard", large).quick(large)
    assert not strategy_named("win,leave-nothing", large).quick(large)
    assert strategy_named("win,leave-nothing", large).quick(TIC_TAC_TOE)


@pytest.mark.parametrize("player", [*BY_RULES, player_of(tuple(HANDBOOK))], ids=lambda each: each.name[:20])
def test_a_decision_is_that_of_the_first_rule_of_its_trace_that_names_a_square(player: Strategy) -> None:
    for position in UNFINISHED[::61]:
        consulted = consult(player.follows, position)
        (decided,) = (each for each in consulted if each.decides)
        decision = player.decide(position)
        assert (set(decided.cells), decided.rule.reason(position)) == (set(decision.choices), decision.reason)
        assert [each.asked for each in consulted] == [
            place <= consulted.index(decided) for place in range(len(consulted))
        ]
        assert all(bool(each.cells) != bool(each.lacking) for each in consulted)


def test_a_rule_says_truly_whether_the_opponent_could_fork() -> None:
    for position in UNFINISHED[::7]:
        for name in ("spoil the one", "distract", "guard"):
            (consulted,) = consult((HANDBOOK[name],), position)
            could = bool(tuple(HANDBOOK["spoil"].cells(position)))
            assert could != ("could not fork next" in consulted.lacking) or consulted.cells


@examples(100)
@example(("win", "block", "guard", "live lines"))
@example(("win", "fork", "block", "corner"))
@given(lists | lists.map(lambda names: tuple(dict.fromkeys(("win", "block", *names)))))
def test_any_list_is_refuted_by_moves_of_its_own(names: tuple[str, ...]) -> None:
    beaten = False
    for mark in Mark:
        tried = trial(player_of(names), mark, TIC_TAC_TOE)
        if tried.refutation:
            beaten = True
            for ply in tried.refutation.plies:
                assert ply.position.mover is not mark or ply.cell in find_rule(listed(names), ply.position)[1]
            assert tried.refutation.erred is not None
            erred = tried.refutation.plies[tried.refutation.erred]
            assert look_up(erred.position) >= DRAWN < look_up(erred.position.play(erred.cell))
    assert reaches(names, Aim.UNBEATABLE) != beaten
