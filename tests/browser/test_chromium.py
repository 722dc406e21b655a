"""The browser of the tests, and the picture that it takes for the README."""

import fcntl
from collections.abc import Sequence
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.browser import chromium as subject
from tests.browser.picture import FILE, SIZE, photograph


@pytest.fixture(autouse=True)
def _forget() -> None:
    subject.chromium.cache_clear()


def test_the_first_browser_on_the_path_is_taken() -> None:
    assert subject.on_the_path(lambda name: f"/bin/{name}" if "google" in name else None) == "/bin/google-chrome"


def test_playwrights_own_download_is_the_last_resort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "on_the_path", lambda: None)
    monkeypatch.setattr(subject, "succeeds", lambda command: "playwright" in command)
    assert subject.chromium() is None


def test_without_any_browser_the_failure_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "on_the_path", lambda: None)
    monkeypatch.setattr(subject, "succeeds", lambda _: False)
    with pytest.raises(subject.NoBrowser) as raised:
        subject.chromium()
    assert "\n" not in str(raised.value)
    assert "Install Chromium" in str(raised.value)


def test_while_one_process_installs_a_browser_no_other_does(monkeypatch: pytest.MonkeyPatch) -> None:
    installed: list[str] = []

    def install(_: Sequence[str]) -> bool:
        with subject.LOCK.open("w") as lock, pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        installed.append("chromium")
        return True

    monkeypatch.setattr(subject, "on_the_path", lambda: installed[0] if installed else None)
    monkeypatch.setattr(subject, "succeeds", install)
    subject.chromium()
    assert installed


pytestmark = pytest.mark.slow


def test_the_picture_is_taken_again_by_one_command_and_looks_the_same(browser: Browser, server: str) -> None:
    taken, kept = (Image.open(BytesIO(data)).convert("L") for data in (photograph(browser, server), FILE.read_bytes()))
    assert taken.size == kept.size == SIZE
    differing = sum(abs(one - other) > 40 for one, other in zip(taken.tobytes(), kept.tobytes(), strict=True))
    assert differing < 0.1 * len(kept.tobytes())  # fonts differ from machine to machine
