"""All claims of the five articles, in the order of the articles. A claim is computed on demand."""

from types import MappingProxyType
from typing import Final

from solver.articles.claims import clojure_play, clojure_tree, erlang, haskell, pyfl, scala
from solver.articles.claims.claim import ARTICLES, CONTENT, Claim, Measures
from solver.board.notation import quoted
from solver.errors import BadOption

MEASURES: Final = MappingProxyType(
    {
        "erlang": Measures(erlang),
        "clojure": Measures(clojure_tree, clojure_play),
        "scala": Measures(scala),
        "pyfl": Measures(pyfl),
        "haskell": Measures(haskell),
    }
)
"""The measures of each article, by its key."""

CLAIMS: Final = MappingProxyType(
    {
        name: Claim(name, MEASURES[key], **entry)
        for key, content in CONTENT.items()
        for name, entry in ((f"{key}.{end}", entry) for end, entry in content["claims"].items())
    }
)
"""Every claim by its identifier."""


def claims_named(names: list[str]) -> tuple[Claim, ...]:
    """Return the named claims; a name is the identifier of a claim or the key of an article.

    Return all claims if no name is given. Raise BadOption for an unknown name.
    """
    wanted: dict[str, Claim] = {}
    for name in names or ARTICLES:
        chosen = {key: claim for key, claim in CLAIMS.items() if name in (key, claim.article.key)}
        if not chosen and name not in ARTICLES:
            raise BadOption(
                f"There is no claim {quoted(name)}. Name one as `noughts claims` lists them, or an article:"
                f" {', '.join(ARTICLES)}."
            )
        wanted |= chosen
    return tuple(wanted.values())
