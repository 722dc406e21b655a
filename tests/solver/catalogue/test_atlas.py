"""The atlas: it has every board and game once, and agrees with proofs and publications."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from solver.board.notation import parse_cell, parse_rules
from solver.board.outcome import Outcome, Value
from solver.board.position import Position
from solver.board.rules import Rules
from solver.catalogue.entry import (
    Entry,
    ProvedBy,
    atlas,
    entry_named,
    entry_of,
    format_entry,
    parse_entries,
    without_search,
)
from solver.catalogue.games import (
    ProvedGame,
    board_or_game,
    format_game,
    game_named,
    games,
    parse_games,
    proved_games,
)
from solver.catalogue.make import boards, extend_atlas, extend_games, never_a_line, prove_board, prove_game
from solver.catalogue.shelf import shelf
from solver.kernel.engine import KERNEL
from solver.players.levels import LEVELS
from solver.proofs.predict import predict
from solver.search.budget import UNLIMITED, Budget, Meter
from tests.marked import exhaustive, sampled, slow
from tests.solver.conftest import Run
from tests.strategies import minimax_score, scores_by_the_rules

ENTRIES = [*atlas().values()]
CHEAP = ["1x1x1", "2x1x2", "3x3x3", "4x4x3", "5x4x4", "5x5x5"]
OTHERS = [rules for rules in boards() if str(rules) not in CHEAP and entry_named(str(rules)).proof]
LONG = {"4x3x3", "6x2x3", "4x3x4", "6x2x4", "6x2x5", "6x2x6", "8x7x5", "8x8x4", "8x7x4", "5x2x3", "8x6x4", "8x5x4"}
"""Boards whose proof or whole tree takes long to make again."""
QUICK = [rules for rules in OTHERS if str(rules) not in LONG]
HARD = 200_000
"""Nodes from which on a proof is repeated by the compiled kernel only."""
LONGEST = 5_000_000
"""Nodes from which on a proof is not repeated: 8x8x5 takes at least a quarter of an hour."""


def test_every_board_up_to_eight_by_eight_is_there_once() -> None:
    assert len(ENTRIES) == 36 * 8
    assert len({str(entry) for entry in ENTRIES}) == len(ENTRIES)
    assert all(entry.rows <= entry.columns for entry in ENTRIES)


def test_where_no_line_fits_it_is_a_draw_by_a_full_board() -> None:
    for entry in ENTRIES:
        assert (entry.proof is ProvedBy.NO_LINE) == (entry.k > entry.columns)
        if entry.proof is ProvedBy.NO_LINE:
            assert (entry.outcome.value, entry.outcome.plies) == (Value.DRAW, entry.columns * entry.rows)


def again(rules: Rules) -> None:
    shipped, now = entry_named(str(rules)), prove_board(rules, UNLIMITED)
    assert replace(now, seconds=shipped.seconds) == next(parse_entries([format_entry(shipped)])) == shipped


@pytest.mark.parametrize("board", CHEAP)
def test_what_is_shipped_of_a_board_is_what_is_made(board: str) -> None:
    again(parse_rules(board))


@pytest.mark.parametrize(
    "rules",
    [*slow(*QUICK[::4]), *exhaustive(*(rules for rules in OTHERS if rules not in QUICK[::4]))],
    ids=str,
)
def test_what_is_shipped_of_every_board_is_what_is_made(rules: Rules) -> None:
    if entry_named(str(rules)).nodes > LONGEST:
        pytest.skip("takes most of a minute")
    if KERNEL == "interpreted" and (entry_named(str(rules)).nodes > HARD or (rules.k == 4 and rules.size > 24)):
        pytest.skip("the interpreted kernel takes too long")
    again(rules)


def test_of_a_board_that_is_not_proved_nothing_is_shipped() -> None:
    unproved = [entry for entry in ENTRIES if entry.proof is None]
    assert unproved == [without_search(entry.columns, entry.rows, entry.k) for entry in unproved]


def test_nothing_is_published_that_differs_from_what_is_proved() -> None:
    assert [str(entry) for entry in ENTRIES if entry.differs] == []
    with_plies = [str(entry) for entry in ENTRIES if entry.published and entry.published.plies]
    assert with_plies == ["4x3x3", "4x4x3", "6x5x4", "6x6x4"]


def test_a_difference_to_what_is_published_would_be_seen() -> None:
    entry = entry_named("6x5x4")
    assert replace(entry, outcome=replace(entry.outcome, plies=13)).differs
    assert replace(entry, outcome=entry_named("5x5x4").outcome).differs


def test_the_mirror_image_of_a_board_has_its_moves_turned() -> None:
    position = Position(parse_rules("3x4x3"))
    assert entry_of(3, 4, 3).openings == predict(position, UNLIMITED).squares
    assert entry_of(3, 4, 3).turned() == entry_of(4, 3, 3)


def test_first_moves_are_told_by_what_they_keep_and_how_long_they_win() -> None:
    entry, rules = entry_named("4x3x3"), parse_rules("4x3x3")
    edges = {parse_cell(name, rules) for name in ("a2", "d2")}
    assert entry.fair == ()
    assert {entry.openings[cell].value for cell in edges} == {Value.LOSS}
    assert set(entry.keeping) == set(range(rules.size)) - edges
    assert {entry.openings[cell].plies for cell in entry.keeping} == {7, 9}
    assert {entry.openings[cell].plies for cell in entry.longest_wins} == {9}


def test_of_fair_first_moves_the_hardest_to_hold_has_the_greatest_chance_to_win() -> None:
    tic_tac_toe, rules = entry_named("3x3x3"), parse_rules("3x3x3")
    corners = tuple(parse_cell(name, rules) for name in ("a3", "c3", "a1", "c1"))
    assert tic_tac_toe.hardest_to_hold("medium") == corners
    assert tic_tac_toe.hardest_to_hold("hard") == (parse_cell("b2", rules),)
    assert tic_tac_toe.hardest_to_hold("nobody") == ()


def test_making_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path, wanted = tmp_path / "boards.jsonl", [*map(parse_rules, ("3x3x3", "4x4x4", "5x5x5"))]
    assert [str(entry) for entry in extend_atlas(path, dict.fromkeys(wanted[:2], UNLIMITED))] == ["3x3x3", "4x4x4"]
    assert [str(entry) for entry in extend_atlas(path, dict.fromkeys(wanted, UNLIMITED))] == ["5x5x5"]
    assert [*extend_atlas(path, dict.fromkeys(wanted, UNLIMITED))] == []
    assert [str(entry) for entry in parse_entries(path.read_text().splitlines())] == ["3x3x3", "4x4x4", "5x5x5"]


def test_what_was_not_proved_is_tried_again(tmp_path: Path) -> None:
    path, rules = tmp_path / "boards.jsonl", parse_rules("5x4x4")

    def proofs(budget: Budget) -> list[Entry]:
        return [*extend_atlas(path, {rules: budget})]

    assert [entry.outcome.value for entry in proofs(Budget(nodes=1))] == [Value.UNKNOWN]
    assert [entry.outcome.value for entry in proofs(UNLIMITED)] == [Value.DRAW]


@pytest.mark.parametrize(("board", "never"), [("4x4x4", True), ("5x4x4", True), ("4x3x3", False)])
def test_that_a_line_is_never_completed_can_be_asked_without_counting_plies(board: str, never: bool) -> None:
    assert never_a_line(parse_rules(board), Meter(UNLIMITED)) is never
    assert not never_a_line(parse_rules(board), Meter(Budget(nodes=0)))


def test_the_command_refuses_a_file_that_is_no_atlas(refuse: Callable[..., None], tmp_path: Path) -> None:
    path = tmp_path / "boards.jsonl"
    path.write_text("hello\n")
    refuse("atlas", "4x4x4", "--make", str(path))
    assert path.read_text() == "hello\n"


def test_each_board_takes_as_long_as_the_budget(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    budgets: list[Budget] = []

    def never(rules: Rules, budget: Budget) -> Entry:
        budgets.append(budget)
        return without_search(rules.columns, rules.rows, rules.k)

    monkeypatch.setattr("solver.catalogue.make.prove_board", never)
    for given in ((), ("--budget", "5n")):
        assert run("atlas", "8x8x5", "--make", str(tmp_path / "boards.jsonl"), *given)[0] == 3
    assert budgets == [UNLIMITED, Budget(nodes=5)]


SOON = 300
"""The most nodes of a proof that is made anew."""

MANY = 100_000
"""The nodes from which on a proof takes too long for a test: `noughts atlas --rules --make` makes them all anew."""

PROVED = [
    name
    for name, game in proved_games().items()
    if game.proof not in {None, ProvedBy.THREATS} and game.nodes < MANY  # that one's certificate is checked
]


def test_every_game_has_one_entry_and_at_least_four_hundred_are_proved() -> None:
    names = [str(rules) for rules in games()]
    assert [*proved_games()] == names
    assert len({*names}) == len(names)
    assert sum(each.proof is not None for each in proved_games().values()) >= 400


@pytest.mark.parametrize("name", [name for name, each in proved_games().items() if each.nodes < SOON][::9])
def test_a_proof_made_anew_is_the_one_in_the_file(name: str) -> None:
    shipped = game_named(name)
    found = prove_game(shipped.rules, Budget(nodes=2 * SOON))
    assert (found.outcome, found.proof, found.nodes) == (shipped.outcome, shipped.proof, shipped.nodes)


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(PROVED, 6))
def test_every_proof_is_made_anew_with_the_nodes_in_the_file(name: str) -> None:
    shipped = game_named(name)
    assert prove_game(shipped.rules, Budget(nodes=10 * shipped.nodes + SOON)).outcome == shipped.outcome


@pytest.mark.exhaustive
def test_a_vanishing_game_of_many_positions_is_proved_backwards_from_its_ends() -> None:
    shipped = game_named("4x4x3-misere-vanishing-strict")
    found = prove_game(shipped.rules, Budget(nodes=1))
    assert (found.outcome, found.proof, found.nodes) == (shipped.outcome, ProvedBy.BACKWARDS, shipped.nodes)


SMALL = [rules for rules in games() if rules.size <= (6 if rules.vanishes else 9)]


@pytest.mark.parametrize("rules", sampled(SMALL, 19), ids=str)
def test_plain_minimax_finds_the_same_on_small_boards(rules: Rules) -> None:
    start = Position(rules)
    score = minimax_score(start) if rules.stones_never_harm else scores_by_the_rules(rules)[start]
    found = Outcome.of_score(score, start.plies_to_draw)
    assert found == game_named(str(rules)).outcome


def test_an_entry_can_be_written_and_read() -> None:
    lines = [format_game(each) for each in proved_games().values()]
    assert [*parse_games(lines)] == [*proved_games().values()]


def test_a_file_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    wanted = {game_named(name).rules: Budget(nodes=SOON) for name in ("3x3x3-torus", "3x3-el")}
    assert [str(each) for each in extend_games(path, wanted)] == ["3x3x3-torus", "3x3-el"]
    assert [*extend_games(path, wanted)] == []
    assert [str(each) for each in parse_games(path.read_text().splitlines())] == ["3x3x3-torus", "3x3-el"]


@pytest.mark.parametrize("name", ["3x5x3-cylinder", "5x4x4-gravity", "3x3x3-torus", "2x3x3-mobius"])
def test_a_board_whose_turn_is_another_game_has_its_own_outcome(name: str) -> None:
    assert game_named(name) == proved_games()[name]


def test_the_changelog_counts_what_is_proved() -> None:
    proved = sum(each.proof is not None for each in proved_games().values())
    changelog = (Path(__file__).parents[3] / "CHANGELOG.md").read_text()
    assert f"{proved} of {len(proved_games())} such games are proved in the atlas," in " ".join(changelog.split())


PUBLISHED = [each for each in proved_games().values() if each.published]


@pytest.mark.parametrize("game", PUBLISHED, ids=str)
def test_what_is_published_of_a_game_is_what_is_proved(game: ProvedGame) -> None:
    assert not game.differs
    assert len(PUBLISHED) > 50


NAMES = [each.game.name for each in shelf()]


@pytest.mark.parametrize("game", shelf(), ids=NAMES)
def test_the_outcome_of_a_game_is_the_atlas_one_and_on_small_boards_the_table_s(game: object) -> None:
    outcome = game.outcome  # type: ignore[attr-defined]
    rules = game.rules  # type: ignore[attr-defined]
    assert outcome == board_or_game(str(rules)).outcome
    if rules.is_small:
        assert predict(Position(rules)).outcome == outcome


def test_levels_are_in_the_order_of_the_dropdown() -> None:
    assert all(list(each.levels) == sorted(each.levels, key=LEVELS.index) for each in shelf())
