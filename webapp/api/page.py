"""The document of the API as people read it: what each call is for, an example to open, and clients to copy."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from solver.proofs.prediction import predict
from webapp.api.call import Report
from webapp.api.calls import game_of, predictions
from webapp.api.clients import CLIENTS, PLACE
from webapp.api.description import DOCUMENT
from webapp.ui.minis import Mini, of_outcomes

WIDTH: Final = 80
"""Characters of a line of JSON, as far as it can be broken."""

UNPROVED: Final = "board=8x8x5&moves=a1h8"
"""A position of which little is proved."""


@dataclass(frozen=True, slots=True)
class CallShown:
    """A call: what the document says of it, and its example."""

    name: str
    method: str
    path: str
    url: str
    title: str
    about: str
    parameters: tuple[Report, ...]
    sent: str
    answered: str


def page_view(document: Report, site: str) -> Report:
    """What the page shows; its clients ask the server at the address of `site`."""
    components = document["components"]
    position = game_of(predictions.example).last
    picture: Mini = of_outcomes(position, predict(position).squares)
    return {
        "document": DOCUMENT,
        "calls": [*_calls(document)],
        "refusals": [
            (name.removeprefix("Error"), each["description"]) for name, each in components["responses"].items()
        ],
        "most": document["components"]["schemas"]["Batch"]["properties"]["positions"]["maxItems"],
        "picture": picture,
        "unproved": f"{predictions.path}?{UNPROVED}",
        "clients": {language: text.replace(PLACE, site) for language, text in CLIENTS.items()},
    }


def _calls(document: Report) -> Iterator[CallShown]:
    for path, methods in document["paths"].items():
        for method, said in methods.items():
            answer = said["responses"]["200"]["content"]["application/json"]
            if "example" not in answer:
                continue  # the document itself
            sent = said.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
            yield CallShown(
                said["operationId"],
                method.upper(),
                path,
                said.get("x-example", ""),
                said["summary"],
                said["description"],
                tuple(said.get("parameters", ())),
                pretty(sent) if sent else "",
                pretty(answer["example"]),
            )


def pretty(value: Any, indent: int = 0, begun: int = 0) -> str:
    """JSON in lines: what fits into one stands in one. Its first line is `indent` and `begun` characters in already.

    >>> print(pretty({"squares": {"a1": {"outcome": "draw", "plies": 9}}, "best": ["a1"]}))
    {"squares": {"a1": {"outcome": "draw", "plies": 9}}, "best": ["a1"]}
    """
    line = json.dumps(value, ensure_ascii=False)
    if indent + begun + len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    deeper = indent + 2
    if isinstance(value, dict):
        each = [f"{json.dumps(name)}: {pretty(part, deeper, len(name) + 4)}" for name, part in value.items()]
    else:
        each = [pretty(part, deeper) for part in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    lines = f",\n{' ' * deeper}".join(each)
    return f"{opening}\n{' ' * deeper}{lines}\n{' ' * indent}{closing}"
