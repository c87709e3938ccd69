"""Executes Python scripts in Monty's workers: processes that know no file, no network and no other process."""

import asyncio
from concurrent.futures import Future

from ptc_studio.core.limits import MEGABYTE
from ptc_studio.core.scripts import Ending, Job
from ptc_studio.runtimes.monty.execution import Execution
from ptc_studio.runtimes.monty.pool import WorkerPool
from ptc_studio.runtimes.projections import ExecutesProjections

MEMORY_MB = 512


class MontyRuntime(ExecutesProjections):
    """Executes scripts in a pool of workers, each driven step by step from a thread of its own."""

    id = "monty"
    isolation = "Monty sandbox"

    def __init__(self, *, memory_mb: int = MEMORY_MB) -> None:
        self.pool = WorkerPool()
        self._memory = memory_mb * MEGABYTE

    async def run(self, job: Job) -> Ending:
        if job.run.stop_reason is not None:
            return Ending("error", None)
        ending: Future[Ending] = Future()
        job.executor.workers.submit(Execution(job, ending, self._memory, self.pool).begin)
        return await asyncio.wrap_future(ending)

    def warm(self) -> None:
        """Has a worker started for the first run."""
        self.pool.warm()

    def close(self) -> None:
        """Ends the workers."""
        self.pool.close()
