"""The census as a flow: what each cut takes away, and what is left, which the next row shows enlarged."""

from dataclasses import dataclass
from typing import Final

from solver.articles.census import Census, Stage

WIDTH, BAR, STEP, LEAST = 360, 34, 96, 3.0
"""In units of the drawing: its width, a bar's height, from one bar to the next, the least width of a part."""

CUTS: Final = {
    Stage.WON_CUT: "Finished games stop",
    Stage.DUPLICATES: "Duplicates merge",
    Stage.SYMMETRY: "Symmetry merges",
    Stage.FORCED: "Only forced moves are played",
}
"""What leads to each stage from the one before, in a few words."""


@dataclass(frozen=True, slots=True)
class Band:
    """A stage as a bar of full width, of which the first `kept` units go on; `lost` nodes fall away by the `cut`."""

    stage: Stage
    nodes: int
    top: float
    kept: float = WIDTH
    lost: int = 0
    cut: str = ""
    into: str = ""

    @property
    def plate(self) -> float:
        """How wide the words are that say so."""
        return 12 + 7.4 * len(f"-{self.lost:,} (99.9%)")

    @property
    def share(self) -> float:
        """How much of the stage falls away."""
        return self.lost / self.nodes


@dataclass(frozen=True, slots=True)
class Flow:
    """The stages from the widest on."""

    bands: tuple[Band, ...]
    width: int = WIDTH
    bar: int = BAR
    step: int = STEP

    @property
    def height(self) -> int:
        """The whole drawing's."""
        return self.step * (len(self.bands) - 1) + self.bar + 2 * HEAD


HEAD: Final = 20
"""Room above a bar, for its name."""


def flow(counted: tuple[Census, ...]) -> Flow:
    """The flow through the stages, in their order."""
    following = (*(each for each in counted[1:]), None)
    return Flow(tuple(_band(index, *pair) for index, pair in enumerate(zip(counted, following, strict=True))))


def _band(index: int, here: Census, following: Census | None) -> Band:
    top = HEAD + index * STEP
    if following is None:
        return Band(here.stage, here.nodes, top)
    kept = max(LEAST, WIDTH * following.nodes / here.nodes) if following.nodes < here.nodes else WIDTH
    lost, stage = here.nodes - following.nodes, following.stage
    return Band(here.stage, here.nodes, top, round(kept, 1), lost, CUTS[stage], str(stage))
