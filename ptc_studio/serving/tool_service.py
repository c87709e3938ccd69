"""Serves the tools of a studio from `start` to `stop`: address, job and token, and the loop's part of the work."""

import asyncio
import secrets
import uuid
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace

from ptc_studio.app import Studio
from ptc_studio.core.calls import Call
from ptc_studio.core.grants import EVERYTHING, Grant
from ptc_studio.core.session import Session
from ptc_studio.gateway.http.endpoint import Endpoint
from ptc_studio.gateway.http.gate import Gate, HttpLimits
from ptc_studio.gateway.http.server import HOST, HttpServer, loopback_socket

REFRESH_SECONDS = 2.0
"""How often files of tools that changed are read again."""
CALL_TOKEN = "PTC_CALL_TOKEN"  # noqa: S105 - the name of a variable


@dataclass(frozen=True, slots=True)
class Address:
    """What a client must know."""

    url: str
    job_id: str
    token: str

    def variables(self) -> dict[str, str]:
        """For the environment of a script: our names and IronClaw's."""
        return {
            "PTC_URL": self.url,
            "PTC_JOB_ID": self.job_id,
            "PTC_TOKEN": self.token,
            "IRONCLAW_ORCHESTRATOR_URL": self.url,
            "IRONCLAW_JOB_ID": self.job_id,
            "IRONCLAW_WORKER_TOKEN": self.token,
        }


class ToolService:
    """One job of a studio, served. Made and used on the studio's loop."""

    def __init__(
        self,
        studio: Studio,
        *,
        grant: Grant = EVERYTHING,
        port: int = 0,
        raw: bool = False,
        limits: HttpLimits | None = None,
    ) -> None:
        self._studio = studio
        socket = loopback_socket(port)
        self.address = Address(f"http://{HOST}:{socket.getsockname()[1]}", str(uuid.uuid4()), secrets.token_urlsafe(32))
        studio.hide("PTC_TOKEN", self.address.token)
        # A job lasts until it is stopped; each call has its own limit.
        endless = replace(studio.limits, timeout=float("inf"))
        session = Session(studio.executor, grant=grant, limits=endless, run_id=self.address.job_id)
        self.endpoint = Endpoint(studio.executor, session, redacted=not raw, limits=limits)
        gate = Gate(self.endpoint.app(), self.address.token, socket.getsockname()[1], self.endpoint.limits)
        self._server = HttpServer(gate, socket)
        self._while_served = ExitStack()
        self._refreshing: asyncio.Task[None] | None = None

    @property
    def connections(self) -> int:
        """How many clients are connected at this moment."""
        return self._server.connections

    async def start(self) -> None:
        """Takes calls from here on; processes of tools are told how to make some."""
        session = self.endpoint.session
        self._while_served.enter_context(self._studio.stdio.listening(session.run.run_id, session.write))
        self._studio.executor.call_environment = self._environment
        await self._server.start()
        self._refreshing = asyncio.ensure_future(self._keep_tools_fresh())

    async def stop(self) -> None:
        """Ends the job with its calls, and every connection."""
        if self._refreshing is not None:
            self._refreshing.cancel()
        self._studio.executor.call_environment = lambda _call: {}
        # Both at once: streams end with the job, and the server waits for them.
        await asyncio.gather(self._server.stop(), self.endpoint.close())
        self._while_served.close()

    def _environment(self, call: Call) -> Mapping[str, str]:
        token = self._studio.executor.call_tokens.issue(call)
        self._studio.hide(CALL_TOKEN, token, passing=True)
        return {**self.address.variables(), CALL_TOKEN: token}

    async def _keep_tools_fresh(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            await self._studio.refresh()
