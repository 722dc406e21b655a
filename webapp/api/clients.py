"""A client in ten lines, in three languages, to copy from the page; each asks the server that shows it."""

from types import MappingProxyType
from typing import Final

PLACE: Final = "http://127.0.0.1:8000"
"""Where a client says which server it asks."""

CLIENTS: Final = MappingProxyType(
    {
        "Python": f'''\
import json
from urllib.parse import urlencode
from urllib.request import urlopen

def best(**position):
    with urlopen("{PLACE}/api/v1/predict?" + urlencode(position)) as answer:
        found = json.load(answer)
    return {{square: found["squares"][square] for square in found["best"]}}

print(best(**{{"from": "X.O/.X./..O"}}), best(board="4x3x3", moves="b2c2"))
''',
        "JavaScript": f'''\
async function best(position) {{
  const answer = await fetch("{PLACE}/api/v1/predict?" + new URLSearchParams(position));
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error.message);
  return Object.fromEntries(found.best.map(square => [square, found.squares[square]]));
}}

best({{ from: "X.O/.X./..O" }}).then(found => console.log(JSON.stringify(found)));
best({{ board: "4x3x3", moves: "b2c2" }}).then(found => console.log(JSON.stringify(found)));
''',
        "curl": f"""\
curl --get {PLACE}/api/v1/predict --data-urlencode from=X.O/.X./..O
curl {PLACE}/api/v1/predict --json '{{"positions": [{{"from": "X.O/.X./..O"}}, {{"board": "4x3x3"}}]}}'
""",
    }
)
"""The clients by language; Python's needs nothing but its standard library."""
