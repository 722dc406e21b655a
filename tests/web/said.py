"""What pages say, held in one golden file: `said.txt` beside this module has requests and the texts of their answers.

A block begins with the status, the method (`HX-GET` is htmx's), the address and the form of a request. Each line below
it names a header (by its capital letter) or elements (`tag`, `.class`, `#id`, and `#id tag` for those within), of which
`@name` takes an attribute and `~words` leaves those that hold the words, and says their texts. After a change of words,
`make golden` writes the file again; read what it changed.
"""

from datetime import date
from html.parser import HTMLParser
from pathlib import Path

from flask.testing import FlaskClient

from tests.web.conftest import HTMX
from webapp.app import create_app

FILE = Path(__file__).with_suffix(".txt")
TODAY = date(2026, 11, 22)
ABSENT, BETWEEN = "(none)", " | "
VOID = {"br", "hr", "img", "input", "link", "meta"}


class Element:
    """An element of a page with its texts and the elements around it."""

    def __init__(self, tag: str, attributes: dict[str, str], around: tuple["Element", ...]) -> None:
        self.tag, self.attributes, self.around = tag, attributes, around
        self.texts: list[str] = []

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())

    @property
    def hidden(self) -> bool:
        return any("hidden" in each.attributes for each in (self, *self.around))

    def fits(self, selector: str) -> bool:
        """Return whether a tag, `.class` or `#id` selects this element."""
        if selector.startswith("."):
            return selector[1:] in self.attributes.get("class", "").split()
        return selector in ("*", self.tag, f"#{self.attributes.get('id')}")


class Elements(HTMLParser):
    """The elements of a page in their order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.every: list[Element] = []
        self._open: list[Element] = []
        self.feed(html)

    def select(self, selector: str) -> list[Element]:
        """Return the elements in sight that a selector names, its last part within all others."""
        *outer, last = selector.split()
        fitting = (element for element in self.every if element.fits(last) and not element.hidden)
        return [each for each in fitting if all(any(one.fits(part) for one in each.around) for part in outer)]

    def texts(self, selector: str) -> list[str]:
        """Return the texts, or the attribute after `@`, that a selector names, if they hold the words after `~`."""
        selector, _, words = selector.partition("~")
        selector, _, attribute = selector.partition("@")
        chosen = self.select(selector)
        texts = (each.attributes.get(attribute, "") if attribute else each.text for each in chosen)
        return [text for text in texts if words in text]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self._open.append(self.every[-1])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.every.append(Element(tag, attributes, tuple(self._open)))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop().tag != tag:
            pass

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.texts.append(data)


def blocks() -> list[str]:
    """Return the requests of the golden file, each with what is said."""
    return [block for block in FILE.read_text().strip().split("\n\n") if not block.startswith("## ")]


def answered(client: FlaskClient, block: str) -> str:
    """Return a block with what the application says now."""
    asked, *lines = block.splitlines()
    _, method, address, *form = asked.split(" ")
    content_type = "application/x-www-form-urlencoded" if form else None
    headers = HTMX if method.startswith("HX-") else None
    sent = method.removeprefix("HX-")
    answer = client.open(address, method=sent, data="".join(form), content_type=content_type, headers=headers)
    elements = Elements(answer.text)
    said = [" ".join((str(answer.status_code), method, address, *form))]
    for line in lines:
        what = line.partition(":")[0]
        texts = answer.headers.getlist(what) if what[0].isupper() else elements.texts(what)
        said.append(f"{what}: {BETWEEN.join(texts) if texts else ABSENT}".rstrip())
    return "\n".join(said)


def main() -> None:
    """Write the golden file again."""
    client = create_app(today=lambda: TODAY).test_client()
    parts = FILE.read_text().strip().split("\n\n")
    written = [part if part.startswith("## ") else answered(client, part) for part in parts]
    FILE.write_text("\n\n".join(written) + "\n")


if __name__ == "__main__":
    main()
