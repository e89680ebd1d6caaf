"""A weather station over stdio that speaks both eras of MCP: legacy (initialize) and modern (2026-07-28).

It offers what server-everything lacks: questions to the client that become elicitation/create and
sampling/createMessage requests for a legacy client and `input_required` results with requestState for a modern one,
change notifications through subscriptions/listen, structured content with odd numbers and letters, and a blob. All
answers are the same on each run.
"""

from typing import Annotated, Any

import anyio
import mcp_types as types
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve, Sample
from pydantic import BaseModel

server = MCPServer(
    name="weather-station",
    title="Weather station",
    version="1.0.0",
    instructions="Ask for a station's readings by its name.",
)


class Place(BaseModel):
    """What the user is asked for."""

    station: str
    metric: bool = True


def ask_place() -> Elicit[Place]:
    return Elicit("Which station do you mean?", Place)


def ask_model() -> Sample:
    question = types.TextContent(text="Name a warm colour.")
    return Sample([types.SamplingMessage(role="user", content=question)], max_tokens=16)


@server.tool()
def reading(station: str) -> dict[str, Any]:
    """Gives the last reading of a station."""
    return {"station": station, "celsius": -0.0, "pascal": 101325.000001, "größe": "naïve ☂\u2028", "notes": []}


@server.tool()
async def forecast(days: int, ctx: Context) -> str:
    """Works out a forecast, and reports each day as it goes."""
    for day in range(days):
        await ctx.report_progress(day + 1, days, f"day {day + 1} of {days}")
    await ctx.info(f"{days} days done", logger_name="forecast")
    return f"{days} days of drizzle"


@server.tool()
async def nap(seconds: float) -> str:
    """Takes its time."""
    await anyio.sleep(seconds)
    return "rested"


@server.tool()
def choose(place: Annotated[Place, Resolve(ask_place)]) -> str:
    """Asks the user for a station."""
    return f"{place.station}, metric {place.metric}"


@server.tool()
def paint(colour: Annotated[types.CreateMessageResult, Resolve(ask_model)]) -> str:
    """Asks the client's model for a colour."""
    return f"painted {colour.content.text}"


@server.tool()
def refuse() -> str:
    """Always fails."""
    raise ToolError("the station is closed on Sundays")


@server.tool()
async def grow(ctx: Context) -> str:
    """Adds a tool, a prompt and a reading, and tells who listens."""
    server.add_tool(lambda: "new", name="sprout", description="Was not here before.")
    await ctx.notify_tools_changed()
    await ctx.notify_prompts_changed()
    await ctx.notify_resource_updated("station://north/log")
    if ctx.protocol_version < "2026":
        await ctx.session.send_tool_list_changed()
        await ctx.session.send_prompt_list_changed()
        await ctx.session.send_resource_updated("station://north/log")
    return "grown"


@server.resource("station://north/log", mime_type="text/markdown")
def log() -> str:
    """The log of the northern station."""
    return "# Log\n\n- Monday: rain\n- Tuesday: more rain\n"


@server.resource("station://{name}/picture", mime_type="image/gif")
def picture(name: str) -> bytes:
    """What a station's camera sees."""
    return b"GIF89a\x01\x00\x01\x00\x00\x00\x00;" + name.encode()


@server.prompt()
def briefing(station: str) -> str:
    """A prompt for the morning briefing."""
    return f"Write a short briefing about {station}."


@server.completion()
async def complete(ref: Any, argument: types.CompletionArgument, _context: Any) -> types.Completion:
    names = [name for name in ("north", "northwest", "south") if name.startswith(argument.value)]
    return types.Completion(values=names, total=len(names), has_more=False)


if __name__ == "__main__":
    server.run("stdio")
