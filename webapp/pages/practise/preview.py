"""The preview of a drill's link: its task and its board, and nothing of its answer."""

from flask import url_for

from solver.analysis.drills import Drill
from solver.board.outcome import counted
from solver.pictures.card import Card
from webapp.pages.practise.link import DrillLink
from webapp.pages.practise.shown import DrillShown
from webapp.pages.practise.words import level, selection
from webapp.ui.board import mini
from webapp.ui.filters import board_title
from webapp.ui.previews import Preview


def preview(shown: DrillShown, of_the_front: bool = False) -> Preview:
    """Make the preview of a drill's page, the same after every answer, or of the front page that shows the drill."""
    drill = shown.drill
    if of_the_front:
        return Preview(
            "Practise",
            f"Drills, one a day or as many as one likes. {drill.task}",
            url_for("practise.front"),
            _picture(drill),
        )
    path = shown.link.anew(right=0, row=0).url()
    return Preview(
        f"{drill.kind.title} · {board_title(drill.position.rules)}", _described(drill), path, _picture(drill)
    )


def preview_of_set(link: DrillLink, drills: tuple[Drill, ...]) -> Preview:
    """Make the preview of a set's page, with the picture of its first drill."""
    path = link.anew(at=0, right=0, row=0).url()
    title = f"A set of {counted(len(drills), 'drill', 'drills')}"
    return Preview(title, f"The same drills for everybody: {selection(link)}.", path, _picture(drills[0]))


def card(drill: Drill) -> Card:
    """Draw the picture of a drill."""
    return Card(
        parts=mini(drill.position).parts(),
        headline=drill.kind.title,
        lines=(drill.task, board_title(drill.position.rules), f"A drill, {level(drill)}"),
        description=_described(drill),
    )


def _described(drill: Drill) -> str:
    return f"{drill.task} A drill on {board_title(drill.position.rules)}."


def _picture(drill: Drill) -> str:
    return url_for("practise.pictured", path=drill.id, kind="png")
