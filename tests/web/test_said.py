"""Pages say what the golden file has."""

import pytest
from flask.testing import FlaskClient

from tests.web.said import TODAY, answered, blocks
from webapp.app import create_app


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(today=lambda: TODAY).test_client()


@pytest.mark.parametrize("block", blocks(), ids=lambda block: block.partition("\n")[0])
def test_an_answer_says_what_it_said(client: FlaskClient, block: str) -> None:
    assert answered(client, block) == block
