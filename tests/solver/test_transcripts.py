"""What the program says is what stands in the transcripts."""

import re

import pytest

from tests.transcripts import FILES, entries, said

SAID = {f"{file.stem}: {asked}": (asked, text) for file in FILES for asked, text in entries(file).items()}


@pytest.mark.parametrize(("asked", "text"), SAID.values(), ids=SAID)
def test_a_transcript_is_what_is_said(asked: str, text: str) -> None:
    assert said(asked) == text


def test_a_command_refuses_in_one_line_and_with_the_exit_code_2() -> None:
    refusals = [text for name, (_, text) in SAID.items() if name.startswith("refusals: ")]
    assert [text for text in refusals if not re.fullmatch(r"! noughts: .*[.)]\n= 2\n", text)] == []
