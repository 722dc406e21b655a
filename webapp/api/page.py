"""The page of the API for people: what each call is for, an example to open, and clients to copy."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from solver.proofs.predict import predict
from solver.report import Report
from webapp.api.bodies import OPERATIONS
from webapp.api.call import Operation
from webapp.api.calls import predictions
from webapp.api.description import DOCUMENT
from webapp.ui.address import with_query
from webapp.ui.board import Mini, of_outcomes

WIDTH: Final = 80
"""The most characters of a line of JSON, unless a single value is longer."""

UNPROVED: Final = with_query(predictions.path, {"board": "8x8x5", "moves": "a1h8"})
"""A request for a position with few proved squares."""

LOCAL_SERVER: Final = "http://127.0.0.1:8000"
"""The placeholder for the server in the clients' code. The page puts its own server there."""

CLIENTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Python": f'''\
import json
from urllib.parse import urlencode
from urllib.request import urlopen

def best(**position):
    with urlopen("{LOCAL_SERVER}/api/v1/predict?" + urlencode(position)) as answer:
        found = json.load(answer)
    return {{square: found["squares"][square] for square in found["best"]}}

print(best(**{{"from": "X.O/.X./..O"}}), best(board="4x3x3", moves="b2c2"))
''',
        "JavaScript": f'''\
async function best(position) {{
  const answer = await fetch("{LOCAL_SERVER}/api/v1/predict?" + new URLSearchParams(position));
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error.message);
  return Object.fromEntries(found.best.map(square => [square, found.squares[square]]));
}}

best({{ from: "X.O/.X./..O" }}).then(found => console.log(JSON.stringify(found)));
best({{ board: "4x3x3", moves: "b2c2" }}).then(found => console.log(JSON.stringify(found)));
''',
        "curl": f"""\
curl --get {LOCAL_SERVER}/api/v1/predict --data-urlencode from=X.O/.X./..O
curl {LOCAL_SERVER}/api/v1/predict --json '{{"positions": [{{"from": "X.O/.X./..O"}}, {{"board": "4x3x3"}}]}}'
""",
    }
)
"""A client in about ten lines, by language; Python's needs nothing but its standard library."""


@dataclass(frozen=True, slots=True)
class ApiView:
    """The page: the calls, the statuses of errors with their meaning, and a picture of the first call's answer."""

    document: str
    calls: tuple[Operation[Any], ...]
    refusals: tuple[tuple[str, str], ...]
    picture: Mini
    unproved: str
    clients: Mapping[str, str]


def api_view(document: Report, site: str) -> ApiView:
    """Make the page that shows a document. The clients on it use the server at the address `site`."""
    responses = document["components"]["responses"]
    return ApiView(
        document=DOCUMENT,
        calls=OPERATIONS,
        refusals=tuple((name.removeprefix("Error"), response["description"]) for name, response in responses.items()),
        picture=_picture(),
        unproved=UNPROVED,
        clients={language: text.replace(LOCAL_SERVER, site) for language, text in CLIENTS.items()},
    )


def _picture() -> Mini:
    position = predictions.question_by(predictions.example).last
    return of_outcomes(position, predict(position).squares)


def pretty(value: Any, indent: int = 0, begun: int = 0) -> str:
    """Format JSON with line breaks. A value that fits into one line stays on it.

    `indent` and `begun` together are the number of characters in front of the first line.

    >>> print(pretty({"squares": {"a1": {"outcome": "draw", "plies": 9}}, "best": ["a1"]}))
    {"squares": {"a1": {"outcome": "draw", "plies": 9}}, "best": ["a1"]}
    """
    line = json.dumps(value, ensure_ascii=False)
    if indent + begun + len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    deeper = indent + 2
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {pretty(part, deeper, len(name) + 4)}" for name, part in value.items()]
    else:
        parts = [pretty(part, deeper) for part in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    lines = f",\n{' ' * deeper}".join(parts)
    return f"{opening}\n{' ' * deeper}{lines}\n{' ' * indent}{closing}"
