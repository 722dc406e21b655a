"""The ten tasks of `solver/docs/tasks.md`: each example is short, and prints what is shown."""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = (Path(__file__).parent.parent / "solver" / "docs" / "tasks.md").read_text(encoding="utf-8")
TASKS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
LONG = "Positions of 4×3 with a single drawing move"
"""A task that takes a dozen seconds."""

IN_PYTHON = [
    pytest.param(name, id=name, marks=[pytest.mark.slow] if name == LONG else [])
    for name, task in TASKS.items()
    if "```pycon" in task
]


def blocks(task: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", task, re.MULTILINE | re.DOTALL)


def test_there_are_ten_tasks_each_with_an_example_of_at_most_eight_lines() -> None:
    assert len(TASKS) == 10
    for task in TASKS.values():
        code = blocks(task, "js") + [
            "\n".join(re.findall(r"^(?:>>>|\.\.\.|\$) .*$", block, re.MULTILINE))
            for block in blocks(task, "(?:pycon|console|shell-session)")
        ]
        assert all(1 <= len(example.splitlines()) <= 8 for example in code)
        assert code


@pytest.mark.parametrize("name", IN_PYTHON)
def test_an_example_in_python_prints_what_is_shown(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "pyarrow" in TASKS[name]:
        pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    for block in blocks(TASKS[name], "pycon"):
        example = doctest.DocTestParser().get_doctest(block, {}, name, None, 0)
        assert doctest.DocTestRunner().run(example) == (0, len(example.examples))


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")
def test_the_bot_in_javascript_is_proved_as_shown(tmp_path: Path) -> None:
    task = next(task for task in TASKS.values() if "```js" in task)
    (tmp_path / "bot.mjs").write_text("\n".join(blocks(task, "js")), encoding="utf-8")
    command, printed = blocks(task, "shell-session")[0].removeprefix("$ ").split("\n", 1)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, cwd=tmp_path, env=os.environ | {"PATH": path}, check=True
    )
    assert done.stdout == printed
