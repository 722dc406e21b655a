"""What the unit on matchboxes knows: boxes and their beads."""

import pytest

from solver.board.notation import parse_position
from webapp.pages.learn.content import UNITS_FOLDER, Facts, Remark, read_content
from webapp.pages.learn.facts import matchboxes
from webapp.pages.learn.facts.matchboxes import judge_reward


def says(facts: Facts) -> dict[str, str]:
    return {name: each.says if isinstance(each, Remark) else each for name, each in facts.answers.items()}


def items(unit: str, facts: str) -> list[object]:
    """Return the arguments of a unit's items about these facts."""
    screens = read_content(unit, UNITS_FOLDER)["screens"]
    found = [each for screen in screens for each in screen.get("items", ()) if each.get("facts") == facts]
    return [one for each in found for one in each.get("of") or each["boards"]]


@pytest.mark.parametrize("board", items("matchboxes", "matchboxes.judge_survivors"))
def test_perfect_play_leaves_the_beads_of_one_square_alone(board: str) -> None:
    assert [*says(matchboxes.judge_survivors(parse_position(board))).values()].count("stays") == 1


@pytest.mark.parametrize(("result", "beads"), [("X", "6"), ("draw", "4"), ("O", "2")])
def test_a_bead_comes_back_with_three_more_with_one_more_or_not(result: str, beads: str) -> None:
    facts = judge_reward(result)
    assert facts.titles is not None
    assert [facts.titles[name] for name, said in says(facts).items() if said == "right"] == [beads]


def test_four_boxes_of_the_seventeen_are_lost_whatever_is_drawn() -> None:
    assert matchboxes.count_hopeless().values == {"all": 304, "mini": 17, "micro": 4, "hopeless": 4}
