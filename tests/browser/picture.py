"""`make picture`: the picture of the page in the README, photographed in a real browser."""

from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import chromium, options
from tests.server import running_server

FILE: Final = Path(__file__).parents[2] / "static" / "page.png"
GAME: Final = "/play/3x3x3?moves=a1c1a3a2&o=hard"
"""The game that the picture shows: one square wins, one loses, the others draw."""

SIZE: Final = (1000, 600)
COLORS: Final = 64
"""The colours of the file's palette: a page has few, and the file stays small."""


def photograph(browser: Browser, address: str) -> bytes:
    """Return the picture as PNG: the pointer is at a square, and the page says why it wins."""
    width, height = SIZE
    page = browser.new_page(
        base_url=address, viewport={"width": width, "height": height}, reduced_motion="reduce", color_scheme="light"
    )
    page.goto(GAME)
    page.locator("#sq-c3").hover()
    page.locator("#sq-c3.chosen").wait_for()
    page.get_by_text("c3 wins in 2").wait_for()
    taken = Image.open(BytesIO(page.screenshot(animations="disabled")))
    page.close()
    written = BytesIO()
    taken.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE).save(written, "PNG", optimize=True)
    return written.getvalue()


if __name__ == "__main__":
    with running_server() as site, sync_playwright() as playwright:
        FILE.write_bytes(photograph(playwright.chromium.launch(executable_path=chromium(), args=options()), site))
