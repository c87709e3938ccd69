"""Executes shell scripts in bashkit, an interpreter of its own with files of its own, in a thread of this process."""

import asyncio
import threading
from concurrent.futures import Future

from ptc_studio.core.scripts import Ending, Job
from ptc_studio.runtimes.bash.execution import Execution
from ptc_studio.runtimes.bash.shell import used_up
from ptc_studio.runtimes.projections import ExecutesProjections


class BashRuntime(ExecutesProjections):
    """Gives each run a shell, and a thread with an event loop for the shell's commands."""

    id = "bash"
    isolation = "virtual shell"

    async def run(self, job: Job) -> Ending:
        if job.run.stop_reason is not None:
            return Ending("error", None)
        ending: Future[Ending] = Future()
        job.executor.workers.submit(Execution(job, ending).begin)
        return await asyncio.wrap_future(ending)

    def warm(self) -> None:
        """Has the interpreter loaded: the first shell of a process takes a moment longer."""
        threading.Thread(target=used_up, name="ptc-bash-warm", daemon=True).start()

    def close(self) -> None:
        """There is nothing to close: a shell ends with its run."""
