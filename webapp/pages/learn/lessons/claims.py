"""The table of the articles' claims: each with its verdict and the figures that are shipped."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from solver.articles.claims import CLAIMS
from solver.articles.claims.claim import ARTICLES, Verdict
from solver.articles.figures import finding_of
from webapp.pages.learn.article import PLACES
from webapp.pages.learn.content import Shown, lesson_url, read_content
from webapp.pages.learn.lesson import Lesson
from webapp.ui.address import Query, one_of
from webapp.ui.filters import Choice

VERDICTS: Final[Mapping[str, tuple[Verdict, ...]]] = {
    "not-quite": (Verdict.EXPLAINED, Verdict.REFUTED),
    "all": tuple(Verdict),
    **{verdict.value: (verdict,) for verdict in Verdict},
}
"""The choices of verdicts by their names in an address. The first one is shown to those who ask for no claims."""


def view(query: Query) -> Shown:
    """Show the claims of an `article` and with a `verdict`, as far as asked. Raises BadOption."""
    article = one_of(query, "article", ARTICLES, "")
    chosen = one_of(query, "verdict", VERDICTS, "all" if article else next(iter(VERDICTS)))
    found = [finding_of(claim.id) for claim in CLAIMS.values() if article in ("", claim.article.key)]
    titles, counts = read_content("claims"), Counter(finding.verdict for finding in found)
    asked = {"article": article, "verdict": chosen}

    def choose(title: str, **changes: str) -> Choice:
        parts = {name: value or None for name, value in (asked | changes).items()}
        return Choice(title, lesson_url("claims", parts), asked | changes == asked)

    return {
        "findings": [finding for finding in found if finding.verdict in VERDICTS[chosen]],
        "articles": [choose(title, article=key) for key, title in {"": "all", **titles["articles"]}.items()],
        "verdicts": [
            choose(f"{titles['verdicts'].get(name, name)} {sum(counts[each] for each in verdicts)}", verdict=name)
            for name, verdicts in VERDICTS.items()
        ],
        "places": PLACES,
    }


LESSON = Lesson.of("claims", parts=("article", "verdict"), view=view)
