"""Conversations made by hand to the vendors' shapes, and the forms in which they are kept."""

import json
from typing import Any

SPENDING = """\
# Who is over the travel budget?
import asyncio, json
team = json.loads(await get_team({"department": "sales"}))
expenses = await asyncio.gather(*(get_expenses({"employee": name, "quarter": "Q3"}) for name in team))
for name, found in zip(team, expenses):
    total = sum(json.loads(found))
    if total > 100:
        print(f"{name}: {total}")
"""
ITEMS = """\
// Stock of both warehouses
const [north, south] = await Promise.all([
  tools.stock({ warehouse: "north" }),
  tools.stock({ warehouse: "south" }),
]);
text(`north ${north.count}, south ${south.count}`);
"""
PROGRAM = "srvtoolu_1"
CALLER = {"type": "code_execution_20260120", "tool_id": PROGRAM}
TOOLS = [
    {"type": "code_execution_20260120", "name": "code_execution"},
    {
        "name": "get_team",
        "description": "The names of those in a department.",
        "input_schema": {
            "type": "object",
            "properties": {"department": {"type": "string"}},
            "required": ["department"],
        },
        "allowed_callers": ["code_execution_20260120"],
    },
    {
        "name": "get_expenses",
        "description": 'What somebody spent: """a list""" of amounts.',
        "input_schema": {
            "type": "object",
            "properties": {"employee": {"type": "string"}, "quarter": {"type": "string", "default": "Q1"}},
            "required": ["employee"],
        },
        "allowed_callers": ["code_execution_20260120"],
    },
]


def use(number: int, name: str, given: Any, caller: Any = CALLER) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given, "caller": caller}


def result(number: int, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": content, **more}


def program(code: str, named: str = PROGRAM) -> dict[str, Any]:
    return {"type": "server_tool_use", "id": named, "name": "code_execution", "input": {"code": code}}


def end(stdout: str = "", named: str = PROGRAM, **more: Any) -> dict[str, Any]:
    content = {"type": "code_execution_result", "stdout": stdout, "stderr": "", "return_code": 0, "content": []}
    return {"type": "code_execution_tool_result", "tool_use_id": named, "content": content | more}


def said(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def told(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def spending() -> list[dict[str, Any]]:
    """A program with a call, then three at once whose answers come in another order; the messages alone."""
    thinking = {"type": "text", "text": "I will look at the expenses."}
    return [
        {"role": "user", "content": "Who is over budget?"},
        said(thinking, program(SPENDING), use(1, "get_team", {"department": "sales"})),
        told(result(1, '["Ann", "Bob", "Cy"]')),
        said(
            *(
                use(n, "get_expenses", {"employee": who, "quarter": "Q3"})
                for n, who in enumerate(("Ann", "Bob", "Cy"), 2)
            )
        ),
        told(
            result(4, [{"type": "text", "text": "[70, 40]"}]),
            result(2, "[120]"),
            result(3, "[1, 2]"),
        ),
        said(end("Ann: 120\nCy: 110\n"), {"type": "text", "text": "Ann and Cy."}),
    ]


def stock() -> list[dict[str, Any]]:
    """A program of OpenAI's with two calls at once, answered in another order; the items alone."""
    caller = {"type": "program", "caller_id": "call_p1"}
    return [
        {"role": "user", "content": "How much is in stock?"},
        {"type": "program", "id": "prog_1", "call_id": "call_p1", "code": ITEMS, "fingerprint": "f"},
        item_call(1, {"warehouse": "north"}),
        item_call(2, {"warehouse": "south"}),
        {"type": "function_call_output", "call_id": "call_2", "output": '{"count": 7}', "caller": caller},
        {"type": "function_call_output", "call_id": "call_1", "output": '{"count": 5}', "caller": caller},
        {
            "type": "program_output",
            "id": "out_1",
            "call_id": "call_p1",
            "result": "north 5, south 7",
            "status": "completed",
        },
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "12 in all."}]},
    ]


def item_call(number: int, given: Any, program_id: str = "call_p1") -> dict[str, Any]:
    return {
        "type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": "stock",
        "arguments": json.dumps(given), "status": "completed",
        "caller": {"type": "program", "caller_id": program_id},
    }  # fmt: skip


def lines(documents: Any) -> str:
    return "".join(json.dumps(document) + "\n" for document in documents)


def anthropic_events(message: dict[str, Any]) -> list[dict[str, Any]]:
    """What a stream gives for a message of the model's: inputs in pieces."""
    events: list[dict[str, Any]] = [{"type": "message_start", "message": {**message, "type": "message", "content": []}}]
    for index, block in enumerate(message["content"]):
        given = json.dumps(block["input"]) if "input" in block else ""
        start = {**block, "input": {}} if given else block
        events.append({"type": "content_block_start", "index": index, "content_block": start})
        for at in range(0, len(given), 7):
            piece = {"type": "input_json_delta", "partial_json": given[at : at + 7]}
            events.append({"type": "content_block_delta", "index": index, "delta": piece})
        events.append({"type": "content_block_stop", "index": index})
    return [*events, {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}, {"type": "message_stop"}]


def sse(events: Any) -> str:
    """The events as a server sends them."""
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


def spending_forms() -> dict[str, str]:
    """The same conversation in every form."""
    messages = spending()
    responses = [
        {"type": "message", "role": "assistant", "content": m["content"]} for m in messages if m["role"] == "assistant"
    ]
    requests = [{"tools": TOOLS, "messages": messages[: 2 * n + 1]} for n in range(3)]
    exchange = [document for pair in zip(requests, responses, strict=True) for document in pair]
    streams = [
        document if document["role"] == "user" else anthropic_events(document) for document in messages
    ]  # fmt: skip
    dump = "".join(sse(part) if isinstance(part, list) else json.dumps(part, indent=1) + "\n\n" for part in streams)
    events = [each for part in streams for each in (part if isinstance(part, list) else [part])]
    return {
        "messages": json.dumps({"tools": TOOLS, "messages": messages}),
        "a bare list": json.dumps(messages, indent=2),
        "requests and responses": json.dumps(exchange),
        "lines of requests and responses": lines(exchange),
        "pairs": lines({"request": {"body": a}, "response": b} for a, b in zip(requests, responses, strict=True)),
        "an SSE dump": dump,
        "an SSE dump with other line ends": dump.replace("\n", "\r\n"),
        "lines of events": lines(events),
        "only new blocks": lines({"content": message["content"], "role": message["role"]} for message in messages),
        "events in a list": json.dumps(events),
    }


def stock_forms() -> dict[str, str]:
    items = stock()
    done = [{"type": "response.output_item.done", "item": item} for item in items if "type" in item]
    added = {"type": "response.output_item.added", "item": {**items[1], "code": ""}}
    answers = [item for item in items if item.get("type") == "function_call_output"]
    streams = [{"type": "response.created", "response": {"output": []}}, added, *done[:3]]
    ending = [done[-2], {"type": "response.completed", "response": {"output": [items[-2]]}}]
    tool = {"type": "function", "name": "stock", "parameters": {"type": "object", "properties": {"warehouse": {}}}}
    return {
        "items": json.dumps(items),
        "input": json.dumps({"tools": [{"type": "programmatic_tool_calling"}, tool], "input": items}),
        "requests and responses": json.dumps(
            [
                {"input": items[:1]},
                {"object": "response", "output": items[1:4]},
                {"input": answers},
                {"output": items[6:]},
            ]
        ),
        "an SSE dump": sse(streams) + lines(answers) + sse(ending) + "data: [DONE]\n\n",
        "lines of events": lines([*streams, *answers, *ending]),
    }
