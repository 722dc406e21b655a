"""The small PyFL: its operators one by one, its laziness and its bounds, and the article's program as a player."""

from collections.abc import Iterable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.analysis.trial import trial
from solver.articles.pyfl.player import PLAYER, ProgramPlayer
from solver.articles.pyfl.running import MAX_SIZE, ProgramRun, run_program, write
from solver.articles.pyfl.syntax import MAX_BYTES, OPERATORS, POWERS, RESERVED, BadProgram, parse_program
from solver.board.notation import parse_position
from solver.board.position import Mark, Position
from solver.players import STRATEGIES
from solver.search.tablebase import unfinished
from tests.strategies import TIC_TAC_TOE, examples


def worth(program: str) -> str:
    return write(run_program(parse_program(program), ProgramRun()))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("those x in [3 1 2]: x > 1 end", "[3 2]"),
        ("exist x in [3 1 2]: x == 1 end", "true"),
        ("exist x in []: true end", "false"),
        ("forall x in [3 1 2]: x > 1 end", "false"),
        ("forall x in []: false end", "true"),
        ("firstof x in [3 1 2]: x < 3 end", "1"),
        ("sumfor x in [3 1 2]: x > 1 all x * x end", "13"),
        ("sumfor x in [3 1 2] all 1 end", "3"),
        ("concatfor x in [3 1 2] all str(x) ^ '.' end", "3.1.2."),
        ("those l in [[1 2] [3] [4 2]]: exist x in l: x == 2 end end", "[[1 2] [4 2]]"),
        ("if false then 1 true then 2 else 3 fi", "2"),
        ("if false then 1 else 3 fi", "3"),
        ("f(2) where f(x) = x + y; y = 40; end", "42"),
        ("valof result = 1 + a; a = 2; end", "3"),
        ("while n < 5 n = 1 fby n + n; result = n; end", "8"),
        ("until n > 5 n = 1 fby n + n; result = n; end", "8"),
        ("hd(tl([1 2] <> [3]))", "2"),
        ("1 + 2 * 3 - 1", "6"),
        ("not 1 == 2 and true", "true"),
        ("'a' && 'b' ^ 'c'", "bc"),
        ("1 = 1", "true"),
        ("true == 1", "false"),
    ],
)
def test_an_expression_has_its_value(expression: str, value: str) -> None:
    assert worth(f"result = {expression};") == value


def test_the_streams_of_a_loop_go_on_together() -> None:
    fibonacci = "while i < 30 i = 1 fby i + 1; f = 1 fby f + last; last = 0 fby f; result = f; end"
    assert worth(f"result = {fibonacci};") == "832040"


def test_a_function_is_a_value_and_a_new_board_asks_the_old_one() -> None:
    program = "old(c) = '.'; put(p, at) = b where b(c) = if c == at then p else old(c) fi; end;"
    assert worth(f"{program} new = put('X', 5); result = new(4) ^ new(5);") == ".X"


@pytest.mark.parametrize(
    "program",
    [
        "has, it = (% false, hd([]) %); result = if has then it else 0 fi;",
        "f(x, y) = x; result = f(0, error('never'));",
        "result = if true or error('never') then 0 else 1 fi;",
        "result = 0 where never = never; end;",
    ],
)
def test_what_nothing_asks_for_is_never_worked_out(program: str) -> None:
    assert worth(program) == "0"


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("result = ;", "Line 1: a value should be here, not “;”."),
        ("a = 1;\nresult = 1", "Line 2: “;” should be here, not the end."),
        ("result = if true\nthen 1 fi;", "Line 2: a value should be here, not “fi”."),
        ("result = those x in [1]\nx == 1 end;", "Line 2: “:” should be here, not “x”."),
        ("w(l) = not exist c in l: c == 1 end;\nand 2 == 2;", "Line 2: a definition should be here, not “and”."),
        ("x = 1;", "Define “result”: that's the value of the program."),
        ("result = y;", "Line 1: nothing is called y."),
        ("result =\n1 + 'a';", "Line 2: this needs a number, not a."),
        ("result = if 1 then 1 else 1 fi;", "Line 1: this needs true or false, not 1."),
        ("result = hd(5);", "Line 1: this needs a list, not 5."),
        ("result = hd([]);", "Line 1: this list is empty."),
        ("result = firstof x in [1]: false end;", "Line 1: firstof finds nothing."),
        ("f(x) = x; result = f(1, 2);", "Line 1: this function takes 1 argument, not 2."),
        ("a, b = (% 1 %); result = b;", "Line 1: the tuple is too short."),
        ("result = error('stop');", "Line 1: the program stops with “stop”."),
        ("result = input('?');", "Line 1: the program asks for one more input."),
        ("result = result;", "Line 1: this needs its own value."),
        ("f(n) = f(n + 1); result = f(0);", "Line 1: too many calls inside one another. Does it ever end?"),
        ("result = while true n = 0 fby n + 1; end;", "Line 1: this takes too many steps. Does it ever end?"),
        (
            "result = while true l = [1] fby l <> l; end;",
            "Line 1: lists and texts hold 200 elements or characters at most.",
        ),
        ("result = while true n = 9 fby n * n; end;", "Line 1: numbers go to 1,000,000,000,000 at most."),
        (f"result = {'(' * 99};", "Line 1: too many expressions inside one another."),
        (f"result = {'1 + ' * 99}1;", "Line 1: too many expressions inside one another."),
        (f"result = 1;{' ' * MAX_BYTES}", "A program has 6,000 bytes at most."),
    ],
)
def test_a_program_that_goes_wrong_says_on_which_line_and_why(program: str, message: str) -> None:
    with pytest.raises(BadProgram) as raised:
        worth(program)
    assert str(raised.value) == message


WORDS = [*RESERVED, *"()[],;:%.'\"", "(%", "%)", "=", "n", "f", "f(n)", "1", "'a'", "[1 2]", "hd", "tl", "str", "error"]


def expressions() -> st.SearchStrategy[str]:
    leaves = st.sampled_from(["n", "f(n)", "g", "1", "0", "'a'", "true", "[]", "[1 [2 n]]", "h(1)"])
    signs = st.sampled_from([sign for sign in POWERS if sign not in ("where", "not", "(")])

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return (
            st.builds("({} {} {})".format, inner, signs, inner)
            | st.builds("if {} == 1 then {} else {} fi".format, inner, inner, inner)
            | st.builds("{}({})".format, st.sampled_from(["f", "hd", "tl", "str", "not ", "randomelement"]), inner)
            | st.builds("({} where g = {}; f(n) = {}; end)".format, inner, inner, inner)
            | st.builds("while n < 9 n = {} fby {}; result = {}; end".format, inner, inner, inner)
            | st.builds("{} n in {}: {} all {} end".format, st.sampled_from(OPERATORS), inner, inner, inner)
            | st.builds("{} n in {}: {} == 1 end".format, st.sampled_from(OPERATORS), inner, inner)
        )

    return st.recursive(leaves, larger, max_leaves=12)


@examples(100)
@given(
    st.lists(st.sampled_from(WORDS), max_size=40).map(lambda words: f"result = {' '.join(words)};")
    | st.builds("n = 3; g = {}; f(n) = {}; h(n) = {}; result = {};".format, *[expressions()] * 4)
    | st.text()
)
def test_no_program_fails_otherwise_or_takes_more_than_its_steps(program: str) -> None:
    run = ProgramRun()
    with suppress(BadProgram):
        assert len(write(run_program(parse_program(program), run))) < 10_000
    assert run.steps >= -MAX_SIZE


def test_the_program_plays_a_whole_game_by_itself() -> None:
    run = ProgramRun(inputs=iter([1, 9, 8, 3, 4]))
    assert write(run_program(parse_program(PLAYER), run)) == "A draw."
    assert [said.strip() for said in run.said if said.strip().isalpha()] == ["centre", "side", "block", "block"]
    assert "".join(run.said).endswith("X O X \nX O O \nO X X \n\n")


def player(program: str = PLAYER) -> ProgramPlayer:
    made = ProgramPlayer.of(program)
    assert made is not None
    return made


def agrees(positions: Iterable[Position]) -> bool:
    decide = player().strategy().decide
    return all(decide(each).choices == STRATEGIES["pyfl-program"].decide(each).choices for each in positions)


def test_the_program_takes_the_squares_of_its_rules_with_their_probabilities() -> None:
    assert agrees(unfinished(TIC_TAC_TOE)[::20])


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_it_does_so_in_all_positions(part: int) -> None:
    assert agrees(unfinished(TIC_TAC_TOE)[part::4])


@pytest.mark.slow
def test_its_trials_are_those_of_its_rules() -> None:
    strategy = player().strategy()
    for mark in Mark:
        tried, same = (trial(each, mark, TIC_TAC_TOE) for each in (strategy, STRATEGIES["pyfl-program"]))
        assert tried.counts == same.counts


def test_all_moves_together_are_bounded() -> None:
    slow = PLAYER.replace("move = if", "move = if waste([1 2 3 4 5 6 7 8 9 0]) < 0 then 0").replace(
        "empty(c) =", "waste(l) = sumfor a in l all sumfor b in l all sumfor c in l all a end end end; empty(c) ="
    )
    with pytest.raises(BadProgram, match="all moves together take too many steps"):
        trial(player(slow).strategy(), Mark.O, TIC_TAC_TOE)


def test_a_move_is_traced_from_condition_to_condition() -> None:
    *asked, decides, _, _ = player().ask(parse_position("X../.O./..X", TIC_TAC_TOE))
    assert [(each.words, each.true) for each in asked] == [
        ('player == "X"', False),
        ("xThreatens", False),
        ("oThreatens", False),
        ('board(5) == "."', False),
        ("cornerThreatened", False),
    ]
    assert (decides.words, decides.true) == ("sideOpen", True)
    assert [(note.words, write(note.value)) for note in decides.notes] == [("those c in sides", "[2 4 6 8]")]


def test_a_move_that_is_not_open_is_told_with_its_position() -> None:
    always = PLAYER.replace('player == "X"    then input', 'true then 5 player == "X" then input')
    with pytest.raises(BadProgram, match=r"Line 9: 5 is no open cell in XO./\.X\./\.\.\.\."):
        player(always).decide(parse_position("XO./.X./...", TIC_TAC_TOE))


def test_a_program_without_a_move_is_no_player() -> None:
    assert ProgramPlayer.of("result = 1;") is None
