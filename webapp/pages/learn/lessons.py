"""The lessons in the order in which they are read: those for players first, then those for programmers."""

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from solver.analysis.drills import DrillKind
from webapp.pages.learn import claims
from webapp.pages.learn.figures import Progress, keeper
from webapp.pages.learn.game import (
    beaten,
    boards,
    census,
    clause,
    draws,
    explorer,
    forks,
    openings,
    pictures,
    poster,
    reduced,
    same,
    shapes,
    walks,
)
from webapp.pages.learn.lesson import Lesson, Track
from webapp.pages.learn.players import crosstable, lazily, menace, rulebook, trial, workshop
from webapp.pages.learn.search import alphabeta, generic, pipeline, predictions, search

WORK: Final = 0.5
"""Seconds of work on figures before a page reports their progress."""

GROUPS: Final[Mapping[Track, tuple[Lesson, ...]]] = MappingProxyType(
    {
        Track.PLAYERS: (
            beaten.LESSON,
            openings.LESSON,
            forks.LESSON,
            draws.LESSON,
            boards.LESSON,
            clause.LESSON,
            shapes.LESSON,
            explorer.LESSON,
            poster.LESSON,
            trial.LESSON,
            rulebook.LESSON,
            workshop.LESSON,
        ),
        Track.PROGRAMMERS: (
            predictions.LESSON,
            same.LESSON,
            census.LESSON,
            walks.LESSON,
            alphabeta.LESSON,
            search.LESSON,
            pipeline.LESSON,
            generic.LESSON,
            lazily.LESSON,
            menace.LESSON,
            reduced.LESSON,
            pictures.LESSON,
            crosstable.LESSON,
            claims.LESSON,
        ),
    }
)
"""The lessons of each track in reading order."""

LESSONS: Final = MappingProxyType({lesson.name: lesson for track in GROUPS.values() for lesson in track})
"""All lessons by name, one track after the other."""

TRACKS: Final = MappingProxyType({lesson.name: track for track, lessons in GROUPS.items() for lesson in lessons})
"""The track of each lesson, by the lesson's name."""


def lesson_on(kind: DrillKind) -> Lesson | None:
    """Return the first lesson that a kind of drills trains, or None if there is none."""
    return next((lesson for lesson in LESSONS.values() if kind in lesson.drills), None)


def lesson_after(name: str) -> Lesson | None:
    """Return the lesson after the named one, or None after the last."""
    return LESSONS.get(dict(pairwise(LESSONS)).get(name, ""))


def prepare(name: str, asked: tuple[tuple[str, str], ...], working: bool) -> tuple[Progress, bool]:
    """Return the progress of the figures of a lesson's page: a task of the pool. If `working`, first work for a moment.

    Without a cache folder nothing is done here: the process that renders the page computes its figures.
    """
    figures = LESSONS[name].needs(dict(asked)).each if keeper().writes else ()
    progress = keeper().work(figures, WORK if working else 0)
    return progress, progress.complete
