"""The least that Flask can do: what the pages' speed is measured against."""

from flask import Flask


def create_app() -> Flask:
    """An application with one route that says hello."""
    app = Flask(__name__)

    @app.get("/")
    def hello() -> str:
        return "Hello"

    return app
