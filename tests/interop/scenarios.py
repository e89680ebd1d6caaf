"""What a client does with each server: as much of the protocol as the server offers, in one go.

A scenario takes a connected `Visit` and lets it note every answer. Nothing here asserts anything: what was noted is
compared between a direct visit and one through a bridge. Nothing here is hostile.
"""

import asyncio
import base64
import json

import anyio
import mcp_types as types

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
)


async def until(condition, what):
    """Waits for something a notification brings."""
    for _ in range(500):
        if condition():
            return
        await anyio.sleep(0.02)
    raise AssertionError(f"never came: {what}")


async def lists(visit):
    client = visit.client
    for name in ("list_tools", "list_prompts", "list_resources", "list_resource_templates"):
        await visit.ask(name, getattr(client, name)())


async def listed_and_asked(visit):
    """The lists, and the question for the roots that server-everything asks when it likes, with what it logs of them."""
    await lists(visit)
    await until(lambda: visit.seen["roots"], "the question for the roots")
    await until(lambda: visit.seen["log"], "the word that the roots came")


async def environment(visit):
    """What the server says of its environment: the bridge's mark is in it, and nobody promises an order."""
    answer = await visit.client.call_tool("get-env", {})
    told = json.loads(answer.content[0].text)
    told.pop("SKILLGATE_BRIDGE", None)
    visit.note("answers", "get-env", sorted(told.items()))


async def everything(visit):
    """@modelcontextprotocol/server-everything; it is of the legacy era."""
    client = visit.client
    await lists(visit)
    await everything_tools(visit)
    await everything_resources(visit)
    await everything_questions(visit)
    await cancelled(visit, "trigger-long-running-operation", {"duration": 30, "steps": 300})
    await visit.call("echo", message="still here after a cancelled call")
    for prompt, arguments in [
        ("simple-prompt", None),
        ("args-prompt", {"city": "Graz", "state": "Styria"}),
        ("completable-prompt", {"department": "Sales", "name": "Eve"}),
        ("resource-prompt", {"resourceType": "Text", "resourceId": "3"}),
        ("no-such-prompt", None),
    ]:
        await visit.ask([prompt, arguments], client.get_prompt(prompt, arguments))
    reference = types.PromptReference(name="completable-prompt")
    await visit.ask("department", client.complete(reference, {"name": "department", "value": "S"}))
    await visit.ask("name", client.complete(reference, {"name": "name", "value": ""}, {"department": "Support"}))
    await visit.ask("ping", client.send_ping())


async def everything_tools(visit):
    for message in ("hi", "naïve ☂ \u2028 \U0001f980 \" \\ \x7f", "x" * 300_000):
        await visit.call("echo", message=message)
    await visit.call("get-sum", a=1.5, b=-3)
    await environment(visit)
    for kind in ("error", "success", "debug"):
        await visit.call("get-annotated-message", messageType=kind, includeImage=True)
    await visit.call("get-structured-content", location="Chicago")
    await visit.call("get-tiny-image")
    await visit.call("get-resource-links", count=4)
    await visit.call("get-resource-reference", resourceType="Text", resourceId=1)
    await visit.call("get-resource-reference", resourceType="Blob", resourceId=2)
    data = "data:text/plain;base64," + base64.b64encode(b"twelve small drums\n" * 40).decode()
    await visit.call("gzip-file-as-resource", name="drums.gz", data=data, outputType="resourceLink")
    await visit.call("trigger-long-running-operation", duration=0.4, steps=4)
    await visit.call("no-such-tool")
    await visit.call("get-sum", a="not a number", b=1)
    calls = [visit.client.call_tool("echo", {"message": f"number {n}"}) for n in range(24)]
    for number, answer in enumerate(await asyncio.gather(*calls)):
        visit.note("at once", number, answer)


async def everything_resources(visit):
    client, uri = visit.client, "demo://resource/dynamic/text/7"
    for name in (uri, "demo://resource/dynamic/blob/8", "demo://resource/session/drums.gz", "demo://nowhere"):
        await visit.ask(name, client.read_resource(name))
    await visit.ask("debug level", client.set_logging_level("debug"))
    await visit.ask("subscribe", client.subscribe_resource(uri))
    await visit.call("toggle-subscriber-updates")
    await until(lambda: visit.seen["notification notifications/resources/updated"], "the resource's update")
    await visit.call("toggle-subscriber-updates")
    await visit.ask("unsubscribe", client.unsubscribe_resource(uri))
    await until(lambda: len(visit.seen["log"]) >= 2, "the log of both subscription calls")
    await visit.ask("emergency level", client.set_logging_level("emergency"))


async def everything_questions(visit):
    await visit.call("get-roots-list")
    await visit.client.send_roots_list_changed()
    await until(lambda: len(visit.seen["roots"]) >= 2, "the second question for the roots")
    await visit.call("trigger-sampling-request", prompt="Name a colour.", maxTokens=20)
    await visit.call("trigger-elicitation-request")
    await visit.call("trigger-url-elicitation", url="https://login.example/device", message="Open the page.")


def task(client):
    """A call that becomes a task, which asks the user while it is worked on; for a `LineClient`: the SDK lost tasks."""
    client.initialize(elicitation={}, tasks={"requests": {"elicitation": {"create": {}}}})
    arguments = {"topic": "drums", "ambiguous": True}
    call = {"name": "simulate-research-query", "arguments": arguments, "task": {"ttl": 60_000}}
    created = client.request("tools/call", call)
    key = {"taskId": created["result"]["task"]["taskId"]}
    return [created, *(client.request(f"tasks/{name}", key) for name in ("get", "result", "list"))]


async def cancelled(visit, tool, arguments):
    """Gives up on a call while it runs; its answer is not waited for."""
    with anyio.move_on_after(0.3) as scope:
        await visit.client.call_tool(tool, arguments)
    assert scope.cancelled_caught, f"{tool} came to an end before it was cancelled"


async def filesystem(visit, root):
    """@modelcontextprotocol/server-filesystem over one directory."""
    page, copy, picture = str(root / "page.md"), str(root / "kept/page.md"), str(root / "dot.png")
    (root / "dot.png").write_bytes(PNG)
    await lists(visit)
    await visit.call("list_allowed_directories")
    content = "# Page\n\nFirst line.\r\nSecond line with \u00a0 and ☂.\n" * 40
    await visit.call("write_file", path=page, content=content)
    await visit.call("read_text_file", path=page)
    await visit.call("read_text_file", path=page, head=3)
    await visit.call("edit_file", path=page, edits=[{"oldText": "# Page\n", "newText": "# Leaf\n"}], dryRun=True)
    await visit.call("create_directory", path=str(root / "kept"))
    await visit.call("move_file", source=page, destination=copy)
    await visit.call("read_multiple_files", paths=[copy, page])
    await visit.call("read_media_file", path=picture)
    await visit.call("list_directory", path=str(root))
    await visit.call("directory_tree", path=str(root))
    await visit.call("search_files", path=str(root), pattern="**/*.md")
    await visit.call("get_file_info", path=copy)
    await visit.call("read_text_file", path="/etc/hostname")


async def memory(visit):
    """@modelcontextprotocol/server-memory with an empty graph."""
    await lists(visit)
    people = [{"name": name, "entityType": "person", "observations": [f"{name} plays chess"]} for name in ("Ada", "Bo")]
    await visit.call("create_entities", entities=people)
    await visit.call("create_relations", relations=[{"from": "Ada", "to": "Bo", "relationType": "teaches"}])
    await visit.call("add_observations", observations=[{"entityName": "Bo", "contents": ["lost on Monday", "☂"]}])
    await visit.call("search_nodes", query="chess")
    await visit.call("open_nodes", names=["Ada"])
    await visit.call("delete_observations", deletions=[{"entityName": "Bo", "observations": ["☂"]}])
    await visit.call("delete_entities", entityNames=["Ada"])
    await visit.call("read_graph")


async def weather(visit):
    """Our dual_era_server.py, in whichever era the visit is of."""
    client = visit.client
    await lists(visit)
    await visit.call("reading", station="north")
    await visit.call("forecast", days=5)
    await visit.call("choose")
    await visit.call("paint")
    await visit.call("refuse")
    await visit.call("nap", seconds="long")
    await cancelled(visit, "nap", {"seconds": 30})
    await visit.ask("log", client.read_resource("station://north/log"))
    await visit.ask("picture", client.read_resource("station://north/picture"))
    await visit.ask("nowhere", client.read_resource("station://nowhere"))
    await visit.ask("briefing", client.get_prompt("briefing", {"station": "north"}))
    reference = types.PromptReference(name="briefing")
    await visit.ask("complete", client.complete(reference, {"name": "station", "value": "nor"}))
    if client.protocol_version >= "2026":
        await listened(visit)
    else:
        await visit.call("grow")
        await until(lambda: visit.seen["notification notifications/resources/updated"], "the change notifications")
    await visit.ask("grown", client.list_tools())


async def listened(visit):
    """Change notifications of the modern era, through a long-lived subscriptions/listen."""
    lists = {"tools_list_changed": True, "prompts_list_changed": True}
    async with visit.client.listen(**lists, resource_subscriptions=["station://north/log"]) as subscription:
        await visit.call("grow")
        for _ in range(3):
            visit.note("event", repr(await anext(subscription)))
