"""The registries of facts that judge answers or fill in values, and of figures. Content files name their entries."""

from typing import Final

from webapp.pages.learn.content import FactsOf, NamedFigure
from webapp.pages.learn.facts import (
    clause,
    draws,
    forks,
    jungle,
    lines,
    lists,
    lookahead,
    matchboxes,
    openings,
    players,
    predictions,
    proofs,
    pyfl,
    rules,
    same,
    sizes,
    strategy,
    tree,
    values,
)

_TOPICS: Final = (
    *(lines, forks, openings, same, sizes, values, lookahead, rules, matchboxes, draws, clause, proofs),
    *(predictions, players, tree, strategy, jungle, lists, pyfl),
)

FACTS: Final[FactsOf] = {name: facts for topic in _TOPICS for name, facts in topic.FACTS.items()}
"""The functions that judge the answers of questions, or have values for the words of a screen, by name."""

FIGURES: Final[dict[str, NamedFigure]] = {
    name: figure for topic in _TOPICS for name, figure in getattr(topic, "FIGURES", {}).items()
}
"""The named figures of articles and units."""
