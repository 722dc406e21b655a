"""The bytes that a visitor's browser loads, and the time that it waits."""

import gzip
import re
import urllib.request
from collections.abc import Iterator
from statistics import median

from playwright.sync_api import sync_playwright

from tests.browser.chromium import chromium, options
from tests.server import running_server

PAINTED = """
square => new Promise(resolve => {
  const button = document.getElementById(square);
  button.addEventListener('click', event => {
    const began = event.timeStamp;
    new MutationObserver((_, observer) => {
      if (!document.getElementById(square).querySelector('.mark')) return;
      observer.disconnect();
      requestAnimationFrame(() => { const c = new MessageChannel();
        c.port1.onmessage = () => resolve(performance.now() - began); c.port2.postMessage(0); });
    }).observe(document.getElementById('game'), {childList: true, subtree: true});
  }, {once: true});
  button.click();
})
"""


def bytes_on_the_wire(url: str) -> int:
    """Return the length of an answer's gzipped body."""
    request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        body: bytes = answer.read()
        return len(body) if answer.headers["Content-Encoding"] == "gzip" else len(gzip.compress(body))


def figures() -> Iterator[str]:
    """Count the bytes of the first page with everything it loads, and time a click until its answer is painted."""
    with running_server() as address:
        with urllib.request.urlopen(f"{address}/", timeout=20) as answer:
            files = re.findall(r'(?:src|href)="(/static/[^"]+)"', answer.read().decode())
        sizes = {url.partition("?")[0]: bytes_on_the_wire(address + url) for url in ["/", *files]}
        detail = ", ".join(f"{url} {size:,}" for url, size in sizes.items())
        yield f"first page load, gzipped, everything included: {sum(sizes.values()):,} bytes ({detail})"
        painted = median(clicks(address))
        yield f"click to painted answer, without the 350 ms that a reply is held back: {painted:.0f} ms (Chromium)"


def clicks(address: str, games: int = 10) -> Iterator[float]:
    """Yield the milliseconds from each click of some games to the frame that shows the answer."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=options())
        page = browser.new_page()
        for _ in range(games):
            page.goto(f"{address}/play/3x3x3?o=hard&seed=1")
            for square in ("sq-a1", "sq-a2"):
                yield page.evaluate(PAINTED, square)
        browser.close()
