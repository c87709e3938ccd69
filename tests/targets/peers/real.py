"""Runs programs in a real target and prints what the model is given back: executed with the Python that has it.

real.py TARGET < programs.json, a list of texts; one line of JSON each
"""

import asyncio
import importlib.util
import json
import logging
import sys
import warnings
from pathlib import Path

TOOLS = Path(__file__).parents[1] / "tools" / "shop.py"
NAMES = ("add", "fail", "greet", "price", "shell", "slow", "stock", "tags")
"""In the order in which ours come: a type error there shows where a tool stands among the others."""
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)


def functions():
    spec = importlib.util.spec_from_file_location("shop", TOOLS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: getattr(module, name) for name in NAMES}


async def smolagents(code):
    from smolagents.local_python_executor import LocalPythonExecutor
    from smolagents.utils import truncate_content

    executor = LocalPythonExecutor([])
    executor.send_tools({**functions(), "final_answer": lambda answer: answer})
    try:
        done = executor(code)
    except Exception as error:
        logs = str(executor.state.get("_print_outputs", ""))
        return (f"Execution logs:\n{logs}\n" if logs else "") + str(error)
    return f"Execution logs:\n{done.logs}Last output from code snippet:\n{truncate_content(str(done.output))}"


async def toolregistry(code):
    from toolregistry import ToolRegistry

    registry = ToolRegistry()
    for function in functions().values():
        registry.register(function)
    registry.ptc.enable()
    call = {"name": "programmatic_tool_call", "arguments": json.dumps({"code": code})}
    (result,) = registry.execute_tool_calls([{"id": "1", "type": "function", "function": call}])
    text = getattr(result, "message", None) or getattr(result, "content", None) or getattr(result, "result", result)
    # Its own frames, and what it shows of them, are left out here.
    lines, kept, skipping = str(text).split("\n"), [], False
    for line in lines:
        skipping = "codecell/_ipc_bootstrap.py" in line or (skipping and line.startswith("    "))
        if not skipping:
            kept.append(line)
    return "\n".join(kept)


async def fastmcp(code):
    from fastmcp import Client, FastMCP
    from fastmcp.experimental.transforms.code_mode import CodeMode

    server = FastMCP("shop", transforms=[CodeMode()])
    for function in functions().values():
        server.tool(function)
    async with Client(server) as client:
        result = await client.call_tool("execute", {"code": code}, raise_on_error=False)
    return "\n".join(block.text for block in result.content)


async def pydantic_ai(code):
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, RetryPromptPart, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel
    from pydantic_ai_harness.code_mode import CodeMode

    def model(messages, _info):
        first = len(messages) == 1
        return ModelResponse(parts=[ToolCallPart("run_code", {"code": code}) if first else TextPart("done")])

    agent = Agent(FunctionModel(model), tools=list(functions().values()), capabilities=[CodeMode()])
    parts = [part for message in (await agent.run("x")).all_messages() for part in message.parts]
    return next(part.content for part in parts if isinstance(part, ToolReturnPart | RetryPromptPart))


async def monty(code):
    from pydantic_monty import AsyncMonty, MontyError

    async with AsyncMonty() as pool, pool.checkout() as session:
        try:
            return await session.feed_run(code, external_lookup=functions())
        except MontyError as error:
            return error.display()


async def utcp_python(code):
    from utcp.data.tool import JsonSchema, Tool
    from utcp_code_mode import CodeModeUtcpClient

    known = functions()

    class Client(CodeModeUtcpClient):
        async def get_tools(self):
            schema = JsonSchema(type="object")
            names = [*known, *(f"shop.{name}" for name in known)]
            return [
                Tool.model_construct(name=name, description="", tags=[], inputs=schema, outputs=schema)
                for name in names
            ]

        async def call_tool(self, name, arguments):
            return known[name.rpartition(".")[2]](**arguments)

    Client.__abstractmethods__ = frozenset()
    return await Client(None).call_tool_chain(code)


async def ms_codeact(code):
    from agent_framework_monty import MontyExecuteCodeTool

    contents = await MontyExecuteCodeTool(tools=list(functions().values())).invoke(code=code)
    told = []
    for content in contents:
        each = content.to_dict()
        told.append({name: each[name] for name in ("type", "text", "message", "error_details") if each.get(name)})
    return told


async def main():
    run = globals()[sys.argv[1].replace("-", "_")]
    for code in json.load(sys.stdin):
        print(json.dumps(await run(code), default=str), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
