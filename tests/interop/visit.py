"""One visit of the Python SDK's client to a server, and what of it an agent would see.

A `Visit` answers what servers ask of a client (sampling, elicitation, roots) always in the same way and notes
everything it gets, each kind in a list of its own, so that two visits can be compared.
"""

import collections
import contextlib
import json
import warnings

import mcp_types as types
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPDeprecationWarning
from pydantic import BaseModel

from recording import normalise

warnings.simplefilter("ignore", MCPDeprecationWarning)

MODERN = "2026-07-28"
FORM = {"name": "Ada", "check": True, "color": "blue", "email": "ada@mail.example", "interpretation": "historical"}
PLACE = {"station": "north", "metric": False}


class Visit:
    """What a client saw: kind -> list of JSON texts."""

    def __init__(self):
        self.seen = collections.defaultdict(list)
        self.client = None

    def note(self, kind, *values):
        """Notes what came, without what varies from run to run."""
        plain = lambda value: value.model_dump(mode="json", by_alias=True) if isinstance(value, BaseModel) else value
        self.seen[kind].append(normalise(json.dumps([plain(v) for v in values], sort_keys=True, ensure_ascii=False)))

    async def ask(self, label, request):
        """Waits for an answer, notes and gives it; a JSON-RPC error is an answer too."""
        try:
            answer = await request
        except MCPError as error:
            answer = error.error
        self.note("answers", label, answer)
        return answer

    async def call(self, tool, **arguments):
        """Calls a tool, with progress."""
        request = self.client.call_tool(tool, arguments, progress_callback=self._progress(tool))
        return await self.ask([tool, arguments], request)

    def _progress(self, tool):
        async def progress(done, total, message):
            self.note(f"progress of {tool}", done, total, message)

        return progress

    async def _elicit(self, _context, params):
        self.note("elicitation", params)
        if isinstance(params, types.ElicitRequestURLParams):
            return types.ElicitResult(action="decline")
        asked = params.requested_schema.get("properties", {})
        known = {name: value for name, value in (FORM | PLACE).items() if name in asked}
        return types.ElicitResult(action="accept", content=known)

    async def _sample(self, _context, params):
        self.note("sampling", params)
        return types.CreateMessageResult(role="assistant", model="model-1", content=types.TextContent(text="ochre"))

    async def _roots(self, _context):
        self.note("roots")
        return types.ListRootsResult(roots=[types.Root(uri="file:///srv/project", name="project")])

    async def _log(self, params):
        self.note("log", params)

    async def _message(self, message):
        if isinstance(message, Exception):
            raise message
        if not isinstance(message, types.ProgressNotification | types.LoggingMessageNotification):
            self.note(f"notification {message.method}", message)

    @contextlib.asynccontextmanager
    async def to(self, command, mode, env, errlog):
        """Connects to a command; `mode` is `legacy`, `auto` or a modern version."""
        self.client = Client(
            stdio_client(StdioServerParameters(command=command[0], args=command[1:], env=env), errlog=errlog),
            mode=mode,
            read_timeout_seconds=30,
            sampling_callback=self._sample,
            elicitation_callback=self._elicit,
            list_roots_callback=self._roots,
            logging_callback=self._log,
            message_handler=self._message,
            log_level="debug",
        )
        async with self.client:
            self.note("hello", self.client.protocol_version, self.client.server_info, self.client.instructions)
            self.note("hello", self.client.server_capabilities)
            yield self
