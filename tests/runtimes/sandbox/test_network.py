"""A confined process reaches nothing outside, by no kind of socket."""

import os
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ptc_studio.runtimes.sandbox import Bounds, Confiner
from tests.runtimes.sandbox.confined import attempt, prints

CONNECT = "import socket\ns = socket.socket(); s.settimeout(5); s.connect((sys.argv[1], int(sys.argv[2])))"
SEND = "import socket\ns = socket.socket(type=socket.SOCK_DGRAM); s.connect((sys.argv[1], int(sys.argv[2]))); s.send(b'x')\ns.settimeout(1); s.recv(10)"
UNIX = "import socket\ns = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1].replace('@', chr(0)))"


def expected(confiner: Confiner) -> str:
    return "escaped" if confiner.id == "process" else "held"


@contextmanager
def listening(address: object, family: int = socket.AF_INET) -> Iterator[socket.socket]:
    with socket.socket(family) as server:
        server.bind(address)  # type: ignore[arg-type]
        server.listen()
        yield server


def test_a_server_on_the_loopback_is_out_of_reach(any_confiner: Confiner):
    with listening(("127.0.0.1", 0)) as server:
        assert attempt(any_confiner, CONNECT, *server.getsockname()) == expected(any_confiner)


def test_a_server_on_the_loopback_is_reached_once_the_network_is_granted(confiner: Confiner):
    with listening(("127.0.0.1", 0)) as server:
        assert attempt(confiner, CONNECT, *server.getsockname(), bounds=Bounds(network=True)) == "escaped"


def test_a_datagram_does_not_arrive(confiner: Confiner):
    with socket.socket(type=socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.setblocking(False)
        assert attempt(confiner, SEND, *server.getsockname()) == "held"
        with pytest.raises(BlockingIOError):
            server.recv(10)


def test_no_name_is_looked_up(confiner: Confiner):
    assert attempt(confiner, "import socket\nsocket.getaddrinfo('example.org', 80)") == "held"


def test_a_socket_without_a_file_is_out_of_reach(any_confiner: Confiner):
    name = f"ptc-test-{os.getpid()}-{any_confiner.id}"
    with listening(f"\0{name}", socket.AF_UNIX):
        assert attempt(any_confiner, UNIX, f"@{name}") == expected(any_confiner)


def test_a_socket_without_a_file_stays_out_of_reach_with_the_network(confiner: Confiner):
    name = f"ptc-net-{os.getpid()}-{confiner.id}"
    with listening(f"\0{name}", socket.AF_UNIX), listening(("127.0.0.1", 0)) as server:
        assert attempt(confiner, UNIX, f"@{name}", bounds=Bounds(network=True)) == "held"
        assert attempt(confiner, CONNECT, *server.getsockname(), bounds=Bounds(network=True)) == "escaped"


def test_a_socket_in_a_hidden_folder_is_out_of_reach(any_confiner: Confiner):
    # The path of a socket must be short.
    with tempfile.TemporaryDirectory(prefix="ptc-s-") as folder, listening(f"{folder}/s", socket.AF_UNIX):
        assert attempt(any_confiner, UNIX, f"{folder}/s") == expected(any_confiner)


def test_a_socket_in_the_workspace_is_out_of_reach(any_confiner: Confiner):
    # The process waits until somebody listens there: what was there before it began is not the question.
    later = "import time\nwhile not os.path.exists(sys.argv[1]): time.sleep(0.01)\n" + UNIX
    with tempfile.TemporaryDirectory(prefix="ptc-s-") as folder:
        path = f"{folder}/s"
        for writable in (False, True):
            bounds = Bounds(workspace=Path(folder), workspace_writable=writable)
            begun = threading.Timer(0.3, lambda: server.bind(path) or server.listen())
            with socket.socket(socket.AF_UNIX) as server:
                begun.start()
                assert attempt(any_confiner, later, path, bounds=bounds) == expected(any_confiner)
                begun.join()
            Path(path).unlink()


PAIR = "import socket\na, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.sendto(b'x', sys.argv[1])"


@pytest.mark.parametrize("network", [False, True])
def test_one_of_a_pair_of_sockets_cannot_be_given_another_address(network: bool, any_confiner: Confiner):
    with tempfile.TemporaryDirectory(prefix="ptc-s-") as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
        s.bind(f"{folder}/s")
        bounds = Bounds(workspace=Path(folder), network=network)
        assert attempt(any_confiner, PAIR, f"{folder}/s", bounds=bounds) == expected(any_confiner)


@pytest.mark.parametrize("family", ["AF_VSOCK", "AF_PACKET", "AF_ALG", "AF_CAN"])
def test_unusual_sockets_cannot_be_made(family: str, confiner: Confiner):
    assert attempt(confiner, f"import socket\nsocket.socket(socket.{family}, socket.SOCK_RAW)") == "held"
    if family == "AF_VSOCK":
        assert attempt(confiner, "import socket\nsocket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)") == "held"


def test_the_sandbox_has_a_loopback_of_its_own(sandbox: Confiner):
    code = """
import socket, threading
server = socket.create_server(("localhost", 0))
threading.Thread(target=lambda: server.accept()[0].sendall(b"own"), daemon=True).start()
print(socket.create_connection(server.getsockname()).recv(9).decode())
"""
    assert prints(sandbox, code) == "own"


def test_a_pair_of_sockets_can_be_made_everywhere(any_confiner: Confiner):
    code = "import asyncio, socket\na, b = socket.socketpair(); a.send(b'x'); print(b.recv(1), asyncio.run(asyncio.sleep(0, 1)))"
    assert prints(any_confiner, code) == "b'x' 1"
