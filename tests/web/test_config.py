"""The settings in environment variables."""

import pytest

from webapp.config import AppConfig


def test_the_places_of_live_games_are_read_from_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_DATABASE", "postgresql://db.example/noughts")
    monkeypatch.setenv("NOUGHTS_DATA", "/data")
    assert AppConfig.from_environment() == AppConfig(database="postgresql://db.example/noughts", data_folder="/data")


def test_without_variables_settings_are_usual_and_games_in_the_users_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NOUGHTS_DATABASE", "NOUGHTS_DATA", "NOUGHTS_CACHE"):
        monkeypatch.delenv(name, raising=False)
    assert AppConfig.from_environment() == AppConfig(data_folder="")
