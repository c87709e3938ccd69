"""What a server asks of the studio: where it may look, what a person knows, what a model would say."""

import asyncio
import contextlib
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ptc_studio.core.permissions import Decision
from ptc_studio.core.tools import InputRequest, Ticket
from ptc_studio.sources.mcp.launch import McpProtocolError
from ptc_studio.sources.mcp.process import LogLines

if TYPE_CHECKING:
    from mcp_types import CreateMessageResult, ElicitResult, ErrorData, ListRootsResult


LINKS_WANTED = -32042
"""The code of a refusal that says which addresses a person has to open first."""
REFUSED = -1
_DISMISSED = Decision(allowed=False, dismissed=True)


class ServerRequests:
    """Answers what one server asks; on the loop of its connection."""

    def __init__(self, name: str, root: Path | None, log: LogLines) -> None:
        self._by = f"MCP server {name!r}"
        self._root = root
        self._log = log
        self._tickets: list[Ticket] = []

    @property
    def calls(self) -> int:
        """How many calls are under way."""
        return len(self._tickets)

    @contextmanager
    def under_way(self, ticket: Ticket) -> Iterator[None]:
        """While this lasts, what the server asks may be for this call."""
        self._tickets.append(ticket)
        try:
            yield
        finally:
            self._tickets.remove(ticket)

    async def roots(self, context: Any) -> "ListRootsResult":  # noqa: ARG002 - named by the library
        """Where the server may look: the workspace."""
        from mcp_types import ListRootsResult, Root

        self._log.add("The server asked for the roots.")
        root = self._root.resolve() if self._root else None
        found = {"uri": root.as_uri(), "name": root.name} if root else None
        return ListRootsResult(roots=[Root.model_validate(found)] if found else [])

    async def elicit(self, context: Any, params: Any) -> "ElicitResult":  # noqa: ARG002 - named by the library
        """Values for a form, or consent to open an address; for the call that began last, if it is not known which."""
        return await self._elicit(params, None)

    async def sample(self, context: Any, params: Any) -> "CreateMessageResult | ErrorData":  # noqa: ARG002
        """What a person says in the place of a model."""
        return await self._sample(params, None)

    async def answers(self, requests: Mapping[str, Any], ticket: Ticket) -> dict[str, Any]:
        """To all that the server wants to know before it answers that very call; raises McpProtocolError."""
        found = {key: await self._answer(request, ticket) for key, request in requests.items()}
        refused = next((answer for answer in found.values() if hasattr(answer, "code")), None)
        if refused is not None:
            raise McpProtocolError(f"The {self._by} was refused: {refused.message}", refused.code)
        return found

    async def opened_links(self, data: Any, ticket: Ticket) -> bool:
        """Whether a person agreed to open every address that the server names in its refusal."""
        from mcp_types import ElicitRequestURLParams
        from pydantic import ValidationError

        listed = data.get("elicitations") if isinstance(data, Mapping) else None
        try:
            links = [ElicitRequestURLParams.model_validate(each) for each in listed or ()]
        except ValidationError:
            return False
        for link in links:
            if (await self._elicit(link, ticket)).action != "accept":
                return False
        return bool(links)

    async def _answer(self, request: Any, ticket: Ticket) -> Any:
        if request.method == "roots/list":
            return await self.roots(None)
        ask = self._elicit if request.method == "elicitation/create" else self._sample
        return await ask(request.params, ticket)

    async def _elicit(self, params: Any, ticket: Ticket | None) -> "ElicitResult":
        from mcp_types import ElicitResult

        url = getattr(params, "url", "")
        if url and urlsplit(url).scheme not in ("http", "https"):
            self._log.add(f"Not opened, for it is no web address: {url}")
            return ElicitResult(action="decline")
        schema = dict(getattr(params, "requested_schema", None) or {})
        request = InputRequest("link" if url else "form", self._by, params.message, schema, url)
        decision = await self._decision(request, ticket)
        if not decision.allowed:
            return ElicitResult(action="cancel" if decision.dismissed else "decline")
        content = decision.reply.value if decision.reply and not url else None
        return ElicitResult(action="accept", content=content)

    async def _sample(self, params: Any, ticket: Ticket | None) -> "CreateMessageResult | ErrorData":
        from mcp_types import CreateMessageResult, ErrorData, TextContent

        said = params.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"meta", "task"})
        decision = await self._decision(InputRequest("sampling", self._by, "", conversation=said), ticket)
        if not decision.allowed or decision.reply is None:
            reason = decision.reason or "A person refused it."
            return ErrorData(code=REFUSED, message=f"No answer of a model. {reason}")
        text = TextContent(type="text", text=str(decision.reply.value))
        return CreateMessageResult(role="assistant", content=text, model="person", stop_reason="endTurn")

    async def _decision(self, request: InputRequest, ticket: Ticket | None) -> Decision:
        ticket = ticket or (self._tickets[-1] if self._tickets else None)
        if ticket is None:
            self._log.add(f"Not asked, for no call is under way: {request.message or request.kind}")
            return _DISMISSED
        self._log.add(f"A person is asked: {request.message or request.kind}")
        decision = await _decided(ticket.request_input(request, self._tickets))
        self._log.add(f"The answer: {'given' if decision.allowed else decision.reason or 'refused'}")
        return decision


async def _decided(answer: "Future[Decision]") -> Decision:
    """Waits for it; whoever stops waiting withdraws the question."""
    loop = asyncio.get_running_loop()
    over = asyncio.Event()

    def tell(_: Future[Decision]) -> None:
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(over.set)

    answer.add_done_callback(tell)
    try:
        await over.wait()
    finally:
        answer.cancel()
    return _DISMISSED if answer.cancelled() else answer.result()
