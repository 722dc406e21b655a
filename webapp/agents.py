"""`noughts mcp`: calls of the API as tools for language-model agents, over standard input and output.

The tools follow from the table of calls: they take the same parameters within the same limits, and answer the same
objects. The protocol is the Model Context Protocol.
"""

import json
from argparse import Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import solver
from solver.cli.command import command
from solver.errors import BadOption, NoughtsError
from solver.report import error_report

if TYPE_CHECKING:
    from mcp.types import CallToolResult, Tool

    from solver.report import Report
    from webapp.api.call import Call

_INSTRUCTIONS = """\
Exact answers about tic-tac-toe and its bigger relatives, k in a row on a board of columns x rows. Each square's outcome
is proved, or unknown. Name the position in each call: nothing is kept."""


@command("mcp", "Serves language-model agents with tools: predict, why, review, drill and move.", "noughts mcp")
def mcp_command(_: Namespace) -> int:
    """Serve one client until the standard input ends. Raises ModuleNotFoundError without the extra `mcp`."""
    import mcp.server.stdio  # noqa: PLC0415, F401 - comes with the extra, and brings anyio
    from anyio import run  # noqa: PLC0415

    run(_serve)
    return 0


add_command = mcp_command.add_to
"""The function that adds the subcommand to the command line of `noughts`."""


async def _serve() -> None:
    from anyio import CapacityLimiter, to_thread  # noqa: PLC0415
    from mcp.server.lowlevel import Server  # noqa: PLC0415
    from mcp.server.stdio import stdio_server  # noqa: PLC0415
    from mcp.types import ListToolsResult  # noqa: PLC0415

    calls, one_at_a_time = tools(), CapacityLimiter(1)

    async def list_tools(*_: object) -> ListToolsResult:
        return ListToolsResult(tools=[_tool(name, call) for name, call in calls.items()])

    async def call_tool(_: object, asked: Any) -> "CallToolResult":
        return await to_thread.run_sync(_result, calls, asked.name, asked.arguments or {}, limiter=one_at_a_time)

    server = Server(
        "noughts",
        version=solver.__version__,
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def tools() -> "Mapping[str, Call[Any, Any]]":
    """Return the calls that are tools, by the names of the tools."""
    from webapp.api import calls  # noqa: PLC0415

    return {
        "predict": calls.predictions,
        "why": calls.explanations,
        "review": calls.reviews,
        "drill": calls.exercises,
        "move": calls.moves,
    }


def _tool(name: str, call: "Call[Any, Any]") -> "Tool":
    from mcp.types import Tool, ToolAnnotations  # noqa: PLC0415

    return Tool(
        name=name,
        title=call.title,
        description=call.purpose,
        input_schema={
            "type": "object",
            "properties": dict(call.parameters),
            "required": [*call.required],
            "additionalProperties": False,
        },
        annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
    )


def _result(calls: "Mapping[str, Call[Any, Any]]", name: str, arguments: Mapping[str, Any]) -> "CallToolResult":
    from mcp.types import CallToolResult, TextContent  # noqa: PLC0415

    report = answer(calls, name, arguments)
    text = TextContent(type="text", text=json.dumps(report))
    return CallToolResult(content=[text], structured_content=report, is_error="error" in report)


def answer(calls: "Mapping[str, Call[Any, Any]]", name: str, arguments: Mapping[str, Any]) -> "Report":
    """Return the object that a call of the API answers, or the object of an error. One drill is the usual number."""
    from werkzeug.datastructures import MultiDict  # noqa: PLC0415

    try:
        if name not in calls:
            raise BadOption(f"There is no tool {name}. The tools are {', '.join(calls)}.")
        texts = {part: str(value) for part, value in arguments.items() if value is not None}
        query = MultiDict({"count": "1"} | texts if name == "drill" else texts)
        report = calls[name].answer(calls[name].question(query)).report
        report.pop("pending", None)  # an address of the server to ask again
        return report
    except NoughtsError as error:
        return error_report(error.code, str(error))
