"""What the API answers, to the letter: `answers.txt` beside this module has requests and the whole of their answers.

An entry has a call with its query, or a POST and its body, or the whole address of something else for programs, such as
a picture that is refused; below it stand the status, `Cache-Control` and the JSON or text.
After a change of answers, `python -m tests.web.answers` writes the file again; read what it changed.
"""

import re
from pathlib import Path

from flask.testing import FlaskClient

from webapp.api.call import PREFIX
from webapp.app import create_app

FILE = Path(__file__).with_suffix(".txt")


def entries() -> list[tuple[str, str]]:
    """Return the requests of the golden file, each with its answer."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return list(zip(lines[::2], lines[1::2], strict=True))


def answered(client: FlaskClient, asked: str) -> str:
    """Return what the API answers; the positions searched for it are left out, since that number may change."""
    call, _, body = asked.removeprefix("POST ").partition(" ")
    method, content_type = ("POST", "application/json") if asked.startswith("POST ") else ("GET", None)
    address = call if call.startswith("/") else f"{PREFIX}/{call}"
    answer = client.open(address, method=method, data=body or None, content_type=content_type)
    said = re.sub(r'"nodes":[1-9]\d*', '"nodes":…', answer.text.strip())
    kind = "" if answer.is_json else f"{answer.mimetype} "
    return f"{answer.status_code} {answer.headers['Cache-Control']} {kind}{said}"


if __name__ == "__main__":
    teller = create_app().test_client()
    FILE.write_text("".join(f"{asked}\n{answered(teller, asked)}\n" for asked, _ in entries()), encoding="utf-8")
