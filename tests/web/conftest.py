"""The application and a client for it, without a network."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from solver.proofs.study import study_of
from tests.clock import Clock
from webapp.app import create_app
from webapp.pages.learn.course import PAGES
from webapp.pages.learn.unit import Unit

HTMX = {"HX-Request": "true", "HX-Request-Type": "partial"}
RESTORE = {"HX-Request": "true", "HX-Request-Type": "full", "HX-History-Restore-Request": "true"}


@pytest.fixture(autouse=True)
def _nothing_is_known_of_any_position() -> Iterator[None]:
    """Forget what a test has made up about a position, before the next test in any folder."""
    study_of.cache_clear()
    yield
    study_of.cache_clear()


@pytest.fixture
def clock() -> Clock:
    return Clock(1000.0)


@pytest.fixture(scope="session")
def app() -> Flask:
    return create_app()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def unit_named(name: str) -> Unit:
    """Return a unit of the course."""
    unit = PAGES[name]
    assert isinstance(unit, Unit)
    return unit
