"""The parts of the system that programs need to run at all; nothing of them is secret."""

from collections.abc import Iterator
from pathlib import Path

PROGRAMS = tuple(
    map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"))
)

SETTINGS = tuple(
    Path("/etc", name)
    for name in (
        "alternatives",
        "ca-certificates",
        "ca-certificates.conf",
        "crypto-policies",
        "ld.so.cache",
        "ld.so.conf",
        "ld.so.conf.d",
        "locale.alias",
        "locale.conf",
        "localtime",
        "mime.types",
        "os-release",
        "pki/ca-trust/extracted",
        "pki/tls/cert.pem",
        "pki/tls/certs",
        "pki/tls/openssl.cnf",
        "protocols",
        "services",
        "ssl/cert.pem",
        "ssl/certs",
        "ssl/openssl.cnf",
        "timezone",
    )
)
RESOLVER = Path("/etc/resolv.conf")
KERNEL_FACTS = tuple(
    map(Path, ("/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm/transparent_hugepage"))
)

USER = "script"
USER_NUMBER = 1000


def own_files(home: str) -> Iterator[tuple[str, str]]:
    """The files in which a confined process finds its one user and its one host, each with its content."""
    yield "/etc/passwd", f"{USER}:x:{USER_NUMBER}:{USER_NUMBER}::{home}:/bin/sh\n"
    yield "/etc/group", f"{USER}:x:{USER_NUMBER}:\n"
    yield "/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n"
    yield "/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n"
