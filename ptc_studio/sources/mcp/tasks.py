"""Tools that a server takes only as tasks: the result is asked for later, and meanwhile how far it is."""

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.client.session import ClientSession
    from mcp.shared.dispatcher import ProgressFnT

FORGOTTEN = "Session terminated"
"""What the library says where a server over HTTP answers 404 to a session that it does not know any longer."""
KEPT_MS = 600_000
"""How long the server is asked to keep the result of a task."""
PAUSE = 0.5
"""Seconds between two questions of how far a task is, where the server does not say."""


async def result_of_task(session: "ClientSession", task: Any, progress: "ProgressFnT") -> Any:
    """What the task gives in the end; whoever gives up has it cancelled."""
    from mcp_types import CallToolResult, GetTaskPayloadRequest, GetTaskPayloadRequestParams

    task_id = task.task_id
    try:
        await _ended(session, task, progress)
        request = GetTaskPayloadRequest(params=GetTaskPayloadRequestParams(task_id=task_id))
        return await session.send_request(request, CallToolResult)
    except asyncio.CancelledError:
        await asyncio.shield(_cancel(session, task_id))
        raise


async def _ended(session: "ClientSession", task: Any, progress: "ProgressFnT") -> None:
    """Waits until the task has come to its end; one that asks for input gives it with its result."""
    from mcp_types import GetTaskRequest, GetTaskRequestParams, GetTaskResult

    request = GetTaskRequest(params=GetTaskRequestParams(task_id=task.task_id))
    asked = 0
    while task.status == "working":
        await asyncio.sleep((task.poll_interval or 1000 * PAUSE) / 1000)
        task = await session.send_request(request, GetTaskResult)
        asked += 1
        if task.status_message:
            await progress(float(asked), None, task.status_message)


async def _cancel(session: "ClientSession", task_id: str) -> None:
    from mcp.shared.exceptions import MCPError
    from mcp_types import CancelTaskRequest, CancelTaskRequestParams, CancelTaskResult

    try:
        async with asyncio.timeout(1.0):
            request = CancelTaskRequest(params=CancelTaskRequestParams(task_id=task_id))
            await session.send_request(request, CancelTaskResult)
    except (MCPError, TimeoutError):
        """It came to its end meanwhile, or the server cannot cancel."""
