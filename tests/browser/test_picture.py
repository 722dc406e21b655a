"""The picture of the page in the README."""

from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.browser.picture import FILE, SIZE, photograph

pytestmark = pytest.mark.slow


def test_the_picture_is_taken_again_by_one_command_and_looks_the_same(browser: Browser, server: str) -> None:
    taken, kept = (Image.open(BytesIO(data)).convert("L") for data in (photograph(browser, server), FILE.read_bytes()))
    assert taken.size == kept.size == SIZE
    differing = sum(abs(one - other) > 40 for one, other in zip(taken.tobytes(), kept.tobytes(), strict=True))
    assert differing < 0.1 * len(kept.tobytes())  # fonts differ from machine to machine
