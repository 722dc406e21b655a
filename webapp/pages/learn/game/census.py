"""The lesson on the size of the game tree: its nodes ply by ply at five stages, as charts and as tables."""

from dataclasses import dataclass
from math import log10
from typing import Final

from solver.articles.census import (
    MAX_WALKED_CELLS,
    Census,
    Stage,
    census,
    census_table,
    depth_first,
    distinct_upper_bound,
)
from solver.board.notation import parse_rules
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.errors import TooLarge
from webapp.pages.learn.lesson import Lesson, Level, settled
from webapp.pages.learn.thumbs import bars
from webapp.ui.address import Query
from webapp.ui.choices import Option, board_options

OFFERED: Final = ("3x3x3", "2x2x2", "3x2x2", "3x3x2", "4x2x3", "4x3x3")
"""The boards of the dropdown; an address may name any other of up to 12 squares."""

MAX_CENSUS_CELLS: Final = 12
"""The most squares of a board that is counted while somebody waits."""

BAR, GAP, LEFT, LENGTH, WIDTH = 11, 9, 42, 200, 330
"""The bar chart, in its own units: a bar's height, the gap between plies, the left edge, the longest bar, the width."""

FLOW_WIDTH, BAND_HEIGHT, BAND_STEP, LEAST_KEPT = 360, 34, 96, 3.0
"""The flow, in its own units: its width, a band's height, the step from band to band, and the least width of a part."""

CUTS: Final = {
    Stage.WON_CUT: "Finished games stop",
    Stage.DUPLICATES: "Duplicates merge",
    Stage.SYMMETRY: "Symmetry merges",
    Stage.FORCED: "Only forced moves are played",
}
"""The change that leads to each stage from the stage before."""

HEAD: Final = 20
"""The room above a band for its name."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of the chart: its place and width, the number of its stage, and the nodes it stands for."""

    y: float
    width: float
    stage: int
    nodes: int


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars by ply. `plies` are labels with their heights, and `ticks` the places of the powers of ten."""

    width: int
    height: int
    left: int
    bar: int
    bars: tuple[Bar, ...]
    plies: tuple[tuple[int, float], ...]
    ticks: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Band:
    """A stage as a band of full width: `kept` units of it lead on, and `lost` nodes are taken away by the `cut`."""

    stage: Stage
    nodes: int
    top: float
    kept: float = FLOW_WIDTH
    lost: int = 0
    cut: str = ""
    into: str = ""

    @property
    def plate(self) -> float:
        """The width of the label with the lost nodes."""
        return 12 + 7.4 * len(f"-{self.lost:,} (99.9%)")

    @property
    def share(self) -> float:
        """The share of the nodes that is lost."""
        return self.lost / self.nodes


@dataclass(frozen=True, slots=True)
class Flow:
    """The stages as bands, the widest stage first. Each band shows enlarged what the one above keeps."""

    bands: tuple[Band, ...]
    width: int = FLOW_WIDTH
    bar: int = BAND_HEIGHT
    step: int = BAND_STEP

    @property
    def height(self) -> int:
        """The height of the whole drawing."""
        return self.step * (len(self.bands) - 1) + self.bar + 2 * HEAD


@dataclass(frozen=True, slots=True)
class CensusView:
    """A board with the nodes of each stage. `distinct` is the upper bound without duplicates."""

    rules: Rules
    boards: tuple[Option, ...]
    distinct: int
    flow: Flow
    chart: Chart
    stages: tuple[Census, ...]

    def table(self, counted: Census) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """Return the titles and the rows of a stage's table."""
        return census_table(counted)


def view(query: Query) -> CensusView:
    """Show the census of a board. Raises BadRules, or TooLarge beyond 12 squares."""
    rules = parse_rules(query.get("board", OFFERED[0]))
    if rules.size > MAX_CENSUS_CELLS:
        raise TooLarge(
            f"This page counts boards of up to {MAX_CENSUS_CELLS} squares; {rules} has {rules.size}."
            f" On the command line `noughts census --board {rules}{_on_large(rules)}` counts"
            f" {'them' if rules.size <= MAX_WALKED_CELLS else 'what is a formula'}."
        )
    counted = tuple(census(rules, stage) for stage in Stage)
    return CensusView(
        rules,
        board_options(OFFERED, str(rules)),
        sum(distinct_upper_bound(rules)),
        flow(counted),
        _chart(counted),
        counted,
    )


def _on_large(rules: Rules) -> str:
    """Return the option that the command needs on boards whose positions cannot be walked one by one."""
    return "" if rules.size <= MAX_WALKED_CELLS else f" --stage {Stage.UPPER_BOUND}"


def _chart(counted: tuple[Census, ...]) -> Chart:
    """Draw the bars on a logarithmic scale."""
    decades = log10(max(tally.total for each in counted for tally in each.plies)) + 1
    bars, plies = [], []
    y = 14.0
    for tallies in zip(*(each.plies for each in counted), strict=True):
        plies.append((tallies[0].ply, y + BAR * len(tallies) / 2 + 4))
        for stage, tally in enumerate(tallies, start=1):
            width = (log10(tally.total) + 1) / decades * LENGTH if tally.total else 0
            bars.append(Bar(y, round(width, 1), stage, tally.total))
            y += BAR
        y += GAP
    ticks = (round(LEFT + (power + 1) / decades * LENGTH, 1) for power in range(int(decades)))
    return Chart(WIDTH, round(y), LEFT, BAR, tuple(bars), tuple(plies), tuple(ticks))


def flow(counted: tuple[Census, ...]) -> Flow:
    """Draw the flow through the stages, in their order."""
    following = (*(each for each in counted[1:]), None)
    return Flow(tuple(_band(index, *pair) for index, pair in enumerate(zip(counted, following, strict=True))))


def _band(index: int, here: Census, following: Census | None) -> Band:
    top = HEAD + index * BAND_STEP
    if following is None:
        return Band(here.stage, here.nodes, top)
    kept = max(LEAST_KEPT, FLOW_WIDTH * following.nodes / here.nodes) if following.nodes < here.nodes else FLOW_WIDTH
    lost, stage = here.nodes - following.nodes, following.stage
    return Band(here.stage, here.nodes, top, round(kept, 1), lost, CUTS[stage], str(stage))


LESSON = Lesson(
    name="census",
    title="How large the game is",
    summary="The nodes of the game tree, ply by ply, and how few remain when what repeats is cut.",
    level=Level.FIRST,
    minutes=6,
    after=("clojure",),
    code=(distinct_upper_bound, depth_first),
    picture=lambda: bars([log10(census(TIC_TAC_TOE, stage).nodes) for stage in Stage]),
    parts=("board",),
    view=settled(view),
)
