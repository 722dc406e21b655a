"""`noughts mcp`, asked by the protocol's own client over standard input and output."""

import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import pytest
from flask.testing import FlaskClient
from mcp import Client, StdioServerParameters

from solver.cli import main
from webapp.agents import answer, tools

SERVER = StdioServerParameters(command=sys.executable, args=["-m", "solver", "mcp"])


def asked(ask: Callable[[Client], Awaitable[Any]]) -> Any:
    """Start the server, let a client ask it, and return the result."""

    async def run() -> Any:
        async with Client(SERVER, read_timeout_seconds=60) as client:
            return await ask(client)

    with ThreadPoolExecutor(1) as thread:  # the browser's tests leave a loop in this one
        return thread.submit(anyio.run, run).result()


def test_a_process_has_five_tools_that_answer_the_apis_objects_also_after_an_error(client: FlaskClient) -> None:
    async def ask(agent: Client) -> tuple[Any, Any, Any, Any]:
        listed = await agent.list_tools()
        wrong = await agent.call_tool("predict", {"position": "X.O/.X./..O"})
        why = await agent.call_tool("why", {"from": "X.O/.X./..O", "square": "a2"})
        return listed.tools, wrong, why, await agent.call_tool("move", {"player": "easy", "seed": "1", "game": 2})

    listed, wrong, why, move = asked(ask)
    assert [tool.name for tool in listed] == ["predict", "why", "review", "drill", "move"]
    assert [list(tool.input_schema["properties"]) for tool in listed[:2]] == [
        ["board", "from", "moves"],
        ["board", "from", "moves", "square"],
    ]
    assert [tool.input_schema["required"] for tool in listed] == [[], [], [], [], ["player"]]
    assert all(tool.description and tool.annotations.read_only_hint for tool in listed)
    assert wrong.is_error
    assert wrong.structured_content["error"]["message"].endswith("did you mean from=?")
    assert not why.is_error
    assert why.structured_content == client.get("/api/v1/explain?from=X.O/.X./..O&square=a2").json
    assert move.structured_content == client.get("/api/v1/move?player=easy&seed=1&game=2").json


@pytest.mark.parametrize(
    ("tool", "arguments", "url"),
    [
        ("predict", {"board": "4x3x3", "moves": "b2c2"}, "predict?board=4x3x3&moves=b2c2"),
        ("review", {"moves": "c1b2a1b1a3"}, "review?moves=c1b2a1b1a3"),
        ("drill", {"kind": "fork", "seed": "1"}, "drills?kind=fork&seed=1&count=1"),
        ("drill", {"count": 2, "kind": None}, "drills?count=2"),
        ("predict", {"moves": "b2b2"}, "predict?moves=b2b2"),
        ("predict", {"from": "X" * 1000}, f"predict?from={'X' * 1000}"),
        ("drill", {"count": 100_000}, "drills?count=100000"),
    ],
)
def test_every_tool_is_bounded_and_answers_as_its_call_does(
    client: FlaskClient, tool: str, arguments: dict[str, Any], url: str
) -> None:
    told, expected = answer(tools(), tool, arguments), client.get(f"/api/v1/{url}").json
    assert expected is not None
    assert {**told, "nodes": 0} == {**expected, "nodes": 0}


def test_an_unknown_tool_is_an_error_that_names_the_tools() -> None:
    assert answer(tools(), "win", {})["error"]["message"].endswith("predict, why, review, drill, move.")


def test_what_more_proving_could_tell_names_no_address() -> None:
    assert "pending" not in answer(tools(), "predict", {"board": "8x8x5", "moves": "a1h8"})


def test_the_command_says_what_to_install(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.stdio", None)
    assert main(["mcp"]) == 2
    assert capsys.readouterr().err == "noughts: This needs mcp. Install it with: pip install 'noughts[mcp]'\n"
