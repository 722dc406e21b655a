"""The cost of a link's picture: this process's CPU time for the whole answer, without a network."""

import time
from collections.abc import Iterator
from statistics import median

from flask.testing import FlaskClient

from solver.pictures import mosaic
from webapp.app import create_app
from webapp.config import AppConfig

LINKS = (
    "/play/3x3x3",
    "/play/3x3x3?moves=b2a1c1",
    "/play/3x3x3?moves=b2b1a3c2c1&o=friend",
    "/play/8x8x5?moves=d4d5e5e4f6f5g7g6c3&o=friend",
    "/learn/boards",
)
TIMES = 15


def figures() -> Iterator[str]:
    """Time each picture as PNG with new pieces, with cached pieces and cached as a whole, and as SVG."""
    forgetful, keeping = create_app(config=AppConfig(cache_bytes=0)).test_client(), create_app().test_client()
    for link in LINKS:
        path, question, query = link.partition("?")
        png, svg = (f"{path}.{kind}{question}{query}" for kind in ("png", "svg"))
        anew, pieced, kept, lines = list[float](), list[float](), list[float](), list[float]()
        keeping.get(png)
        for _ in range(TIMES):
            mosaic._draw.cache_clear()
            anew.append(_milliseconds(forgetful, png))
            pieced.append(_milliseconds(forgetful, png))
            kept.append(_milliseconds(keeping, png))
            lines.append(_milliseconds(forgetful, svg))
        yield (
            f"picture of {link}: as PNG {median(anew):.1f} ms of CPU (at most {max(anew):.1f}), of pieces that are"
            f" there {median(pieced):.1f} ms, kept {median(kept):.1f} ms; as SVG {median(lines):.1f} ms"
        )


def _milliseconds(client: FlaskClient, url: str) -> float:
    began = time.process_time()
    answer = client.get(url)
    took = time.process_time() - began
    assert answer.status_code == 200, url
    return 1000 * took
