"""Tokens of sign-ins where the place for secrets is locked: they last as long as the studio."""

import pytest

from ptc_studio.core.errors import PtcError
from ptc_studio.sources.sign_in import LastingTokens, MemoryTokens


class LockedTokens(MemoryTokens):
    locked = True

    def find(self, name: str) -> str | None:
        return self._open() or super().find(name)

    def set(self, name: str, value: str) -> None:
        self._open()
        super().set(name, value)

    def _open(self) -> None:
        if self.locked:
            raise PtcError("locked")


def test_what_a_locked_store_does_not_take_is_remembered_and_goes_there_when_it_is_renewed(
    caplog: pytest.LogCaptureFixture,
):
    store = LockedTokens()
    tokens = LastingTokens(store)
    assert tokens.find("a") is None
    tokens.set("a", "first-token")
    assert tokens.find("a") == "first-token"
    assert "until the studio is closed" in caplog.text
    assert "first-token" not in caplog.text
    store.locked = False
    tokens.set("a", "second")
    assert (tokens.find("a"), store.values) == ("second", {"a": "second"})
    tokens.delete("a")
    assert tokens.find("a") is None
