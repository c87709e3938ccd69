"""A stand-in for the studio: starts a guest from a thread, passes its output on, and waits for it."""

import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.runtimes.sandbox.confined import python, started
from tests.runtimes.sandbox.conftest import MADE


def main(confiner: str, code: str) -> None:
    def start() -> None:
        with started(MADE[confiner](), python(code), stdout=sys.stdout, stderr=sys.stderr) as process:
            process.wait()

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    print("host done", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
