"""Certificates: all that are written prove their claims, and no damaged one does."""

import ast
import gzip
import json
import random
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from solver.board.notation import format_cell, format_position, parse_position, parse_rules
from solver.board.outcome import Outcome, Value, counted
from solver.board.position import Mark, Position
from solver.board.rules import Rules
from solver.catalogue import check
from solver.catalogue.certify import certificate
from solver.catalogue.check import Flaw, check_certificate, read_certificate, read_lines
from solver.catalogue.entry import ProvedBy, atlas, entry_named, without_search
from solver.catalogue.games import board_or_game, game_named, proved_games
from solver.errors import BadCertificate
from solver.search.tablebase import look_up
from tests.marked import exhaustive, sampled, slow
from tests.solver.conftest import Run

SMALL = ["1x1x1", "3x1x2", "3x3x3", "4x3x3", "3x4x3", "4x4x4", "5x5x5"]
VARIANTS = ["3x3x1", "3x3x2", "3x3x3", "3x2x2", "3x2x3", "2x2x2", "4x1x2", "5x1x3"]
QUICK = 15_000
"""The most nodes of a proof whose certificate is quickly written."""

SOON = 1_000
"""The most nodes of a proof whose certificate the long tests write."""

OTHERS = [entry for entry in atlas().values() if entry.rules and entry.proof and entry.nodes < QUICK and entry.k > 2]
SOME = [str(entry) for entry in OTHERS if entry.nodes < SOON][::4]


GAMES = [
    game
    for game in proved_games().values()
    if game.proof and game.proof is not ProvedBy.THREATS and game.rules.stones_never_harm
]
"""All games that have a certificate, but for the one by threats, which is shipped."""

EASY = [str(game) for game in GAMES if game.nodes < QUICK]


def lines_of(board: str) -> list[str]:
    entry = board_or_game(board)
    assert entry.rules is not None
    return [*certificate(entry.rules, entry.outcome, entry.pairs)]


def judged(lines: list[str]) -> str:
    return check_certificate(read_certificate(lines))


def refused(lines: list[str]) -> bool:
    with suppress(Flaw, BadCertificate):
        return not judged(lines)
    return True


@pytest.mark.parametrize("board", SMALL)
def test_a_certificate_proves_what_the_atlas_says(board: str) -> None:
    verdict = judged(lines_of(board))
    outcome = entry_named(board).outcome
    latest = counted(outcome.plies or 0, "ply", "plies")
    said = f"X wins, in {latest} at the latest." if outcome.value is Value.WIN else "draw"
    assert verdict.startswith("Proved by")
    assert said in verdict


@pytest.mark.parametrize("board", [*slow(*SOME), *exhaustive(*map(str, OTHERS))])
def test_so_do_those_of_the_other_boards_and_they_are_small(board: str) -> None:
    lines = lines_of(board)
    assert judged(lines).startswith("Proved by")
    assert sum(map(len, lines)) < 50_000_000


@pytest.mark.parametrize("name", [*EASY[::60], *slow(*EASY[1::40]), *exhaustive(*map(str, GAMES))])
def test_a_certificate_proves_a_game_by_other_rules(name: str) -> None:
    outcome = game_named(name).outcome
    said = f"in {counted(outcome.plies or 0, 'ply', 'plies')}" if outcome.value is Value.WIN else "draw"
    assert said in judged(lines_of(name))


TIPPY = [
    "...../...../...../...../.....,c3",
    "...../..O../..X../...../.....,b3",
    "...../.O.../..X../...../.....,c4",
    "..O../...../..X../...../.....,b4",
    ".O.../...../..X../...../.....,b4",
    "O..../...../..X../...../.....,b4",
]

BY_THREATS = [
    ("4x3x3", ["..../..../....,b2"]),
    ("4x4x3", ["..../..../..../....,b2"]),
    ("3x3x3-torus", [".../.../...,a1"]),
    ("5x4x3-cylinder", ["...../...../...../.....,c2"]),
    ("5x5-tippy", TIPPY),
]


def by_threats(board: str, steps: list[str]) -> list[str]:
    """Return the lines of a certificate of a win by threats; each step is a position and a move."""
    claim = {"board": board, "outcome": "win", "threats": True}
    return [*map(json.dumps, (claim, *(step.split(",") for step in steps)))]


@pytest.mark.parametrize(("board", "steps"), BY_THREATS)
def test_threats_prove_a_win_with_few_steps_or_none(board: str, steps: list[str]) -> None:
    assert judged(by_threats(board, steps)).endswith(f"and by threats: on {board} X wins.")
    assert len(steps) + 1 < len(lines_of(board))
    for index, step in enumerate(steps):
        assert refused(by_threats(board, [*steps[:index], *steps[index + 1 :]])), step


@pytest.mark.parametrize("board", ["3x3x3", "4x4x4"])
def test_threats_prove_no_win_where_there_is_none(board: str) -> None:
    assert refused(by_threats(board, []))
    assert refused(by_threats(board, [f"{format_position(Position(parse_rules(board)))},b2"]))


@pytest.mark.parametrize("claim", [{"outcome": "win", "plies": 9}, {"outcome": "draw", "pairs": ""}])
@pytest.mark.parametrize("board", ["3x3x3-misere", "3x3x3-notakto"])
def test_nothing_is_certified_where_a_line_loses(board: str, claim: dict[str, Any]) -> None:
    with pytest.raises(BadCertificate, match="where a line loses"):
        judged([json.dumps({"board": board} | claim)])


@pytest.mark.parametrize("board", ["3x3x3", "4x3x3", "4x4x4", "3x3x3-torus", "5x5-tippy"])
def test_a_missing_step_is_found(board: str) -> None:
    rules, (claim, *steps) = parse_rules(board), lines_of(board)
    for index, step in enumerate(steps):
        position = parse_position(json.loads(step)[0], rules)
        if len(position.threats(position.mover.other)) != 1:  # else it is forced, and need not be there
            assert refused([claim, *steps[:index], *steps[index + 1 :]]), step


@pytest.mark.parametrize("board", ["3x3x3", "4x2x2"])
def test_a_move_that_gives_the_outcome_away_is_found(board: str) -> None:
    rules, (claim, *steps) = parse_rules(board), lines_of(board)
    enough = {Value.WIN, entry_named(board).outcome.value}
    for index, step in enumerate(steps):
        text, _, *pairs = json.loads(step)
        position = parse_position(text, rules)
        for cell in range(rules.size):
            if not position.empty >> cell & 1 or worth(position.after(cell)) not in enough:
                wrong = json.dumps([text, format_cell(cell, rules), *pairs])
                assert refused([claim, *steps[:index], wrong, *steps[index + 1 :]]), wrong


def worth(position: Position) -> Value:
    """Return the outcome of a position for the player who has just moved."""
    return Outcome.of_score(-look_up(position), position.plies_left).value


@pytest.mark.parametrize(
    ("board", "claim"),
    [
        ("3x3x3", {"outcome": "win", "plies": 9}),
        ("5x5x5", {"outcome": "win", "plies": 9}),
        ("4x3x3", {"outcome": "draw"}),
        ("4x3x3", {"outcome": "win", "plies": 5}),
        ("4x3x3", {"outcome": "win", "plies": 9}),
        ("3x3x3", {"board": "3x3x2", "outcome": "draw"}),
        ("4x4x4", {"board": "4x4x3", "outcome": "draw"}),
        ("5x5x5", {"board": "5x5x4", "outcome": "draw"}),
    ],
)
def test_a_changed_claim_is_found(board: str, claim: dict[str, Any]) -> None:
    first, *steps = lines_of(board)
    pairs = {name: value for name, value in json.loads(first).items() if name == "pairs"}
    assert refused([json.dumps({"board": board} | claim | pairs), *steps])


@pytest.mark.parametrize("damage", [lambda pairs: pairs[:-1], lambda pairs: ["a1b1", *pairs], lambda _: []])
def test_damaged_pairs_are_found(damage: Callable[[list[str]], list[str]]) -> None:
    claim, *steps = lines_of("4x4x4")
    text, move, pairs = json.loads(steps[0])
    assert refused([claim, json.dumps([text, move, " ".join(damage(pairs.split()))]), *steps[1:]])
    whole = json.loads(lines_of("5x5x5")[0])
    assert refused([json.dumps(whole | {"pairs": " ".join(damage(whole["pairs"].split()))})])


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["hello"],
        ["[]"],
        ["[" * 100_000],
        ['{"board": "3x3x3"}'],
        ['{"board": "9x9x9", "outcome": "draw"}'],
        ['{"board": "3x3x3", "outcome": "loss"}'],
        ['{"board": "4x3x3", "outcome": "win", "plies": 7, "threats": true}'],
        ['{"board": "4x3x3", "outcome": "draw", "threats": true}'],
        ['{"board": "3x3x3", "outcome": "draw"}', "{}"],
        ['{"board": "3x3x3", "outcome": "draw"}', '[".../.../...", "z9"]'],
        ['{"board": "3x3x3", "outcome": "draw"}', '["XXX/.../...", "a1"]'],
        ['{"board": "3x3x3", "outcome": "draw"}', '[".../.../...", "a1", "a1"]'],
        ['{"board": "3x3x3", "outcome": "draw"}', '[".../.../...", "a1"]', '[".../.../...", "b2"]'],
    ],
)
def test_what_is_no_certificate_is_said_to_be_none(lines: list[str]) -> None:
    with pytest.raises(BadCertificate):
        read_certificate(lines)


@pytest.mark.parametrize("board", sampled(VARIANTS, 3))
def test_the_checker_judges_any_strategy_as_play_through_all_its_games_does(board: str) -> None:
    """Draw random strategies for a draw and for wins, perfect ones among them."""
    rules, chance = parse_rules(board), random.Random(1)
    judged = set()
    for error in (0.0, 0.02, 1.0):
        for plies in (None, 1, 3, 5, 7):
            strategy = at_random(rules, chance, error)
            lines = [json.dumps([format_position(at), format_cell(cell, rules)]) for at, cell in strategy.items()]
            claim = {"outcome": "draw"} if plies is None else {"outcome": "win", "plies": plies}
            proves = not refused([json.dumps({"board": board} | claim), *lines])
            judged.add(proves)
            assert proves == kept(rules, plies, strategy)
    assert judged == {True, False}


Steps = dict[Position, int]


def at_random(rules: Rules, chance: random.Random, error: float) -> Steps:
    """Draw a move for every position: a best one, except for some errors."""
    found: Steps = {}
    waiting = [Position(rules)]
    while waiting:
        position = waiting.pop()
        if position.result is None and position not in found:
            best = max(position.legal_moves, key=lambda cell: -look_up(position.after(cell)))
            found[position] = chance.choice(position.legal_moves) if chance.random() < error else best
            waiting += {each.canonical() for each in position.successors()}
    return found


def kept(rules: Rules, plies: int | None, strategy: Steps) -> bool:
    """Return whether X's longest win by this strategy takes `plies`; without plies, whether neither side loses."""
    if plies is None:
        return all(None not in ends(rules, player, strategy, {"lost"}) for player in Mark)
    found = ends(rules, Mark.X, strategy, {"lost", "drawn"})
    return None not in found and max(each or 0 for each in found) == plies


def ends(rules: Rules, player: Mark, strategy: Steps, bad: set[str]) -> set[int | None]:
    """Return the plies of all games that this strategy can lead to; None for games that end badly."""

    @cache
    def below(position: Position) -> set[int | None]:
        return set().union(*map(below, following(position))) if position.result is None else over(position)

    def following(position: Position) -> tuple[Position, ...]:
        if position.mover is not player:
            return position.successors()
        own, blocks = position.threats(player), position.threats(player.other)
        canonical = position.canonical()
        if own:
            return (position.after(own[0]),)
        if canonical in strategy:
            return (canonical.after(strategy[canonical]),)
        return (position.after(blocks[0]),)

    def over(position: Position) -> set[int | None]:
        how = {"draw": "drawn", str(player): "won"}.get(str(position.result), "lost")
        return {None if how in bad else rules.size - position.plies_left}

    return below(Position(rules))


def test_the_command_checks_every_step(run: Run, refuse: Callable[..., None], tmp_path: Path) -> None:
    path = tmp_path / "4x4x4.jsonl"
    assert run("certify", "4x4x4", "--output", str(path))[0] == 0
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    code, out, err = run("check", str(path))
    assert (code, err) == (1, "")
    assert out.startswith("Not proved: There is no step for ")
    path.write_text("hello")
    refuse("check", str(path))


def test_a_bomb_takes_no_memory(run: Run, tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.jsonl.gz"
    bomb.write_bytes(gzip.compress(b"[" * (64 << 20)))
    tracemalloc.start()
    try:
        code, out, err = run("check", str(bomb))
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()
    assert (code, out, err) == (2, "", "noughts: Line 1 has more than 10,000 bytes.\n")


@pytest.mark.parametrize("damage", ["cut", "cut early", "changed", "not packed", "longer"])
def test_a_broken_file_is_no_refutation(refuse: Callable[..., None], tmp_path: Path, damage: str) -> None:
    whole = gzip.compress("\n".join(lines_of("4x3x3")).encode())
    path = tmp_path / "4x3x3.jsonl.gz"
    path.write_bytes(
        {
            "cut": whole[:-9],
            "cut early": whole[:20],
            "changed": whole[:30] + b"\0\xff" + whole[32:],
            "not packed": b"hello",
            "longer": whole + b"hello",
        }[damage]
    )
    refuse("check", str(path))


def test_a_file_is_read_up_to_its_bytes_lines_and_seconds(tmp_path: Path) -> None:
    path = tmp_path / "certificate.jsonl"
    path.write_bytes(b" " * 9_999 + b"\n" + b" " * 9_999 + b"\n")
    assert len([*read_lines(path, 20_000)]) == 2
    with pytest.raises(BadCertificate, match="more than 19,999 bytes"):
        [*read_lines(path, 19_999)]
    with pytest.raises(BadCertificate, match="given up after 1 lines"):
        [*read_lines(path, 20_000, deadline=0)]
    path.write_bytes(b" " * 10_000 + b"\n")
    with pytest.raises(BadCertificate, match="Line 1 has more than 10,000 bytes"):
        [*read_lines(path, 20_000)]


def test_a_check_is_given_up_at_its_deadline_or_after_too_many_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = read_certificate(lines_of("4x3x3"))
    certificate.deadline = 0
    with pytest.raises(BadCertificate, match="--seconds"):
        check_certificate(certificate)
    monkeypatch.setattr(check, "MOST_POSITIONS", 3)
    with pytest.raises(BadCertificate, match="given up"):
        judged(lines_of("4x3x3"))


def test_a_search_for_threats_remembers_up_to_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "MOST_FAILED", 5)
    search = check.ThreatSearch(parse_rules("6x6x4"))
    assert not search.win(0b10000001000000000010000001000000, 0b10100000000000001000000000010)
    assert len(search.failed) == 5


def test_the_command_allows_50_megabytes_and_an_hour(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def read(_: Path, *bounds: float) -> list[str]:
        asked.append(bounds)
        return []

    monkeypatch.setattr("solver.catalogue.questions.read_lines", read)
    monkeypatch.setattr("solver.catalogue.questions.monotonic", lambda: 1000.0)
    run("check", __file__)
    run("check", __file__, "--limit", "1", "--seconds", "5")
    assert asked == [(50_000_000, 4600.0), (1_000_000, 1005.0)]


def test_no_unproved_board_is_certified(refuse: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.catalogue.entry.atlas", lambda: {(8, 8, 5): without_search(8, 8, 5)})
    refuse("certify", "8x8x5")


def test_a_certificate_that_grows_too_large_or_takes_too_long_is_given_up(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.catalogue.questions.certificate", lambda *_: ["." * 400_000] * 3)
    output = ("--output", str(tmp_path / "3x3x3.jsonl"))
    code, out, err = run("certify", "3x3x3", "--limit", "1", *output)
    assert (code, out) == (3, "")
    assert "larger than 1 MB" in err
    monkeypatch.undo()
    code, out, err = run("certify", "5x4x4", "--budget", "1n", *output, "--json")
    assert (code, json.loads(out)["file"]) == (3, None)
    assert "not done within the budget" in err
    assert [*tmp_path.iterdir()] == []


def test_the_checker_is_short_and_knows_nothing_but_the_rules() -> None:
    source = Path(check.__file__).read_text(encoding="utf-8")
    assert len(source.splitlines()) < 295
    known = {*sys.stdlib_module_names, "solver.board", "solver.errors"}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
            assert all(known & {name, name.partition(".")[0], name.rpartition(".")[0]} for name in names)
