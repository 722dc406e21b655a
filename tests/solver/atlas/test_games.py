"""The atlas of other games and the shelf: what is proved anew, and nothing else."""

from pathlib import Path

import pytest

from solver.atlas.entry import ProvedBy
from solver.atlas.games import (
    ProvedGame,
    board_or_game,
    format_game,
    game_named,
    games,
    parse_games,
    proved_games,
)
from solver.atlas.make import extend_games, prove_game
from solver.atlas.shelf import shelf
from solver.board.outcome import Outcome
from solver.board.position import Position
from solver.board.rules import Rules
from solver.players.levels import LEVELS
from solver.proofs.predict import predict
from solver.search.budget import Budget
from tests.marked import sampled
from tests.strategies import minimax_score, scores_by_the_rules

SOON = 300
"""The most nodes of a proof that is made anew."""

LONG = 100_000
"""The nodes from which on a proof takes too long for a test: `noughts atlas --rules --make` makes them all anew."""

PROVED = [
    name
    for name, game in proved_games().items()
    if game.proof not in {None, ProvedBy.THREATS} and game.nodes < LONG  # that one's certificate is checked
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
