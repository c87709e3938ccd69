"""Secure connections, and proxies."""

import datetime
import ipaddress
import socket
import ssl
import threading
from pathlib import Path

import pytest

from ptc_studio.sources.http.messages import HttpUnreachable
from tests.sources.conftest import MakeServer
from tests.sources.fake_ticket import FakeTicket
from tests.sources.http.conftest import Connect
from tests.sources.http.web_server import Received, WebServer, answer


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate that signs itself, with its key, in one file."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    plain = serialization.NoEncryption()
    secret = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    path.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def secure(make_server: MakeServer, certificate: Path) -> WebServer:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return make_server(tls=context)


def test_a_certificate_of_unknown_origin_is_refused(connect: Connect, secure: WebServer) -> None:
    with pytest.raises(HttpUnreachable, match="certificate is not trusted: self-signed certificate.* SSL_CERT_FILE"):
        connect(url=secure.url, headers={"K": "${secret:KEY}"}).call("api")
    assert secure.received == []


def test_a_certificate_that_the_user_trusts_is_fine(
    connect: Connect, secure: WebServer, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    api = connect(url=f"{secure.url}/x")
    assert [api.call("api"), api.call("api")] == [{}, {}]
    assert secure.connections == 1


def test_https_is_not_left_for_http(
    connect: Connect, secure: WebServer, server: WebServer, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    secure.answers["*"] = answer(b"", "302 Found", Location=server.url)
    with pytest.raises(ValueError, match="leads from https to http"):
        connect(url=secure.url).call("api")
    assert server.received == []


def test_a_plain_server_behind_https_is_told(connect: Connect, server: WebServer) -> None:
    with pytest.raises(HttpUnreachable, match="no secure connection came about"):
        connect(url=server.url.replace("http://", "https://")).call("api")


def test_a_handshake_without_end_is_broken_off(connect: Connect) -> None:
    asked = threading.Event()
    ticket = FakeTicket()

    def keep_waiting() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(1)
            asked.set()
            # Ends when the client gives up.
            while connection.recv(4096):
                pass

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = threading.Thread(target=keep_waiting)
        server.start()
        api = connect(url=f"https://127.0.0.1:{listener.getsockname()[1]}/")
        client = threading.Thread(target=lambda: pytest.raises(HttpUnreachable, api.call, "api", ticket))
        client.start()
        assert asked.wait(10)
        ticket.abandon()
        client.join(10)
        server.join(10)
    assert not client.is_alive()
    assert not server.is_alive()


def test_the_proxy_of_the_environment_is_used(
    connect: Connect, server: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", server.url.replace("://", "://joe:p%40ss@"))
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)

    def proxied(request: Received) -> bytes:
        return answer({"target": request.target, "login": request.header("Proxy-Authorization")})

    server.answers = {"*": proxied}
    found = connect(url="http://far.invalid/x", query={"a": "1"}).call("api")
    assert found == {"target": "http://far.invalid/x?a=1", "login": "Basic am9lOnBAc3M="}


def test_no_proxy_is_used_for_this_machine_or_where_none_is_wanted(
    connect: Connect, server: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert connect(url=server.url).call("api") == {}
    monkeypatch.setenv("no_proxy", "far.invalid")
    with pytest.raises(HttpUnreachable, match="no host of that name|cannot be reached"):
        connect(url="http://far.invalid/").call("api")


def test_a_proxy_of_an_unknown_kind_is_told(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    with pytest.raises(HttpUnreachable, match="names a socks5 proxy"):
        connect(url="http://far.invalid/").call("api")
