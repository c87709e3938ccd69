"""The floor: a child that echoes lines of the same size over blocking pipes, and does nothing else.

Left to itself the scheduler puts the two sides now on one core, where a round takes some 5 us, now on two, where waking
the other core costs ten times that; and it does not put a real run on one core. So the floor is pinned to two.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

CHILD = """
import os, sys
answer = b"x" * int(sys.argv[1]) + b"\\n"
request = b"y" * int(sys.argv[2]) + b"\\n"
rounds = int(sys.argv[3])
import time
while True:
    began = time.perf_counter()
    for _ in range(rounds):
        os.write(1, request)
        data = os.read(0, 65536)
    os.write(1, b"took %f\\n" % (time.perf_counter() - began))
    if os.read(0, 1) != b"g":
        break
"""


@contextmanager
def echo(request: int, answer: int, rounds: int) -> Iterator["Echo"]:
    """A child that asks `rounds` times per `measure()`."""
    command = [sys.executable, "-I", "-S", "-c", CHILD, str(answer), str(request), str(rounds)]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(child.pid, {cores[-1]})
    try:
        yield Echo(child, answer, rounds)
    finally:
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe:
                pipe.close()


class Echo:
    """The host's side of the floor: read a line, write a line."""

    def __init__(self, child: "subprocess.Popen[bytes]", answer: int, rounds: int) -> None:
        assert child.stdin is not None
        assert child.stdout is not None
        self._read, self._write = child.stdout.fileno(), child.stdin.fileno()
        self._answer = b"x" * answer + b"\n"
        self._rounds = rounds
        self._first = True

    def measure(self) -> float:
        """Seconds per round, as the child saw it."""
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})
        try:
            return self._measure()
        finally:
            os.sched_setaffinity(0, cores)

    def _measure(self) -> float:
        if not self._first:
            os.write(self._write, b"g")
        self._first = False
        for _ in range(self._rounds):
            os.read(self._read, 65536)
            os.write(self._write, self._answer)
        return float(os.read(self._read, 100).split()[1]) / self._rounds
