"""Pages of games in which stones fall."""

import pytest
from flask.testing import FlaskClient

GAME = "/play/7x6x4-gravity?moves=d1d2"


@pytest.mark.parametrize(("pressed", "reached"), [("e1", "e1"), ("e5", "e1"), ("d6", "d3")])
def test_a_press_anywhere_in_a_column_drops_a_stone(client: FlaskClient, pressed: str, reached: str) -> None:
    answer = client.post(f"{GAME}&o=friend", data={"cell": pressed})
    assert answer.status_code == 303
    assert f"moves=d1d2{reached}" in answer.location
