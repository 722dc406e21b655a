"""The settings in environment variables, for servers other than `noughts serve`."""

import pytest

from solver.errors import BadOption
from webapp.config import AppConfig

VARIABLES = {
    "NOUGHTS_PROXIES": "2",
    "NOUGHTS_HOSTS": "play.example,.example.org",
    "NOUGHTS_CACHE_BYTES": "123456",
    "NOUGHTS_DATABASE": "postgresql://db.example/noughts",
    "NOUGHTS_DATA": "/data",
    "NOUGHTS_LIVE_GAMES": "7",
}


def test_each_setting_is_read_from_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in VARIABLES.items():
        monkeypatch.setenv(name, text)
    assert AppConfig.from_environment() == AppConfig(
        proxies=2,
        allowed_hosts=("play.example", ".example.org"),
        cache_bytes=123_456,
        database="postgresql://db.example/noughts",
        data_folder="/data",
        live_games=7,
    )


def test_without_variables_settings_are_usual_and_games_in_the_users_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, "NOUGHTS_CACHE"):
        monkeypatch.delenv(name, raising=False)
    assert AppConfig.from_environment() == AppConfig(data_folder="")


def test_a_number_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_CACHE_BYTES", "32M")
    with pytest.raises(BadOption, match="NOUGHTS_CACHE_BYTES is “32M”"):
        AppConfig.from_environment()
