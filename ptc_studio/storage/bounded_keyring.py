"""The desktop's keyring behind a thread: whoever asks gets an answer in time, even if the keyring never gives one."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Any, Protocol, cast

PATIENCE = 3.0
"""Seconds for one question. A keyring that has to be unlocked first may take longer; it is asked again later."""
_USELESS = ("keyring.backends.fail", "keyring.backends.null")


class KeyringFailed(Exception):
    """The keyring cannot be used now; the message says why and never holds a value."""


class Backend(Protocol):
    """What is used of a backend of the library `keyring`."""

    def get_password(self, service: str, username: str) -> str | None: ...
    def set_password(self, service: str, username: str, password: str) -> None: ...
    def delete_password(self, service: str, username: str) -> None: ...


class _Question:
    """One thing that the thread has to do."""

    def __init__(self, ask: Callable[[Backend], Any]) -> None:
        self.ask = ask
        self.done = Event()
        self.answer: Any = None
        self.failure: str | None = None


class BoundedKeyring:
    """Any thread may ask; a single one of its own talks to the backend, for not all of them are safe in several."""

    def __init__(self, backend: Callable[[], Backend] | None = None, patience: float = PATIENCE) -> None:
        self._find = backend or _desktop_keyring
        self._patience = patience
        self._lock = Lock()
        self._questions: SimpleQueue[_Question] = SimpleQueue()
        self._thread: Thread | None = None
        self._backend: Backend | None = None
        self._late: _Question | None = None

    def name(self) -> str:
        """What the backend calls itself; raises KeyringFailed if there is none that keeps anything."""
        return self._asked(lambda backend: str(getattr(backend, "name", type(backend).__name__)))

    def get(self, service: str, name: str) -> str | None:
        return self._asked(lambda backend: backend.get_password(service, name))

    def set(self, service: str, name: str, value: str) -> None:
        self._asked(lambda backend: backend.set_password(service, name, value))

    def delete(self, service: str, name: str) -> None:
        """Takes the value away if it is there."""

        def deleted(backend: Backend) -> None:
            if backend.get_password(service, name) is not None:
                backend.delete_password(service, name)

        self._asked(deleted)

    def _asked(self, ask: Callable[[Backend], Any]) -> Any:
        question = _Question(ask)
        with self._lock:
            if self._late is not None and not self._late.done.is_set():
                raise KeyringFailed("the keyring still does not answer; it may be waiting for you to unlock it")
            self._late = None
            if self._thread is None:
                self._thread = Thread(target=self._work, name="keyring", daemon=True)
                self._thread.start()
            self._questions.put(question)
        if not question.done.wait(self._patience):
            self._late = question
            raise KeyringFailed(f"the keyring did not answer within {self._patience:g} s; is it locked?")
        if question.failure is not None:
            raise KeyringFailed(question.failure)
        return question.answer

    def _work(self) -> None:
        while True:
            question = self._questions.get()
            try:
                if self._backend is None:
                    self._backend = self._find()
                question.answer = question.ask(self._backend)
            except KeyringFailed as error:
                question.failure = str(error)
            except BaseException as error:  # noqa: BLE001 - a backend may raise anything, and its words may hold the value
                question.failure = f"the keyring failed ({type(error).__name__})"
            question.done.set()
            del question


def _desktop_keyring() -> Backend:
    import keyring

    backend = keyring.get_keyring()
    chained = getattr(backend, "backends", None)
    if type(backend).__module__.startswith(_USELESS) or (chained is not None and not list(chained)):
        raise KeyringFailed("no desktop keyring is running")
    return cast("Backend", backend)
