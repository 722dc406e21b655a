"""The manual that `make docs` builds: without a warning, and every link within it leads somewhere."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import solver
from tests.manual import GUIDES

pytestmark = pytest.mark.slow


class Page(HTMLParser):
    """The links and the ids of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links, self.ids = list[str](), set[str]()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in {"href", "src"} and tag != "link":
                self.links.append(value or "")
            elif name == "id":
                self.ids.add(value or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the manual."""
    folder = tmp_path_factory.mktemp("manual")
    done = subprocess.run(
        [sys.executable, "-m", "tests.manual", str(folder)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return folder


def test_every_link_leads_to_a_page_and_to_a_place_in_it(site: Path) -> None:
    pages = {path: Page(path) for path in site.rglob("*.html")}
    dead = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = target.is_file() and (
                not parts.fragment or target not in pages or parts.fragment in pages[target].ids
            )
            if not known:
                dead.append(f"{path.relative_to(site)}: {link}")
    assert dead == []


def test_it_has_every_guide_and_describes_whatever_the_library_offers(site: Path) -> None:
    assert [page for page in GUIDES.values() if not (site / page).is_file()] == []
    described = Page(site / "solver.html").ids
    assert {name for name in solver.__all__ if not re.fullmatch("__.*__", name)} <= described
