"""Which runtime a script runs in: looked for, kept with the file that is in front, remembered for its language."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from ptc_studio.ui.language.names import CALLS, PLAIN, TITLES, language_of, learn, plain_language, script_name
from ptc_studio.ui.run_bar.runtime_selector import plain_name, subtitle

if TYPE_CHECKING:
    from ptc_studio.runtimes.catalog import RuntimeCatalog, RuntimeInfo
    from ptc_studio.storage.settings import WorkspaceSettings
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.page import EditorPage
    from ptc_studio.ui.run_bar.bar import RunBar
    from ptc_studio.ui.status_line import StatusLine
    from ptc_studio.ui.welcome import Welcome

USUAL = "python"
LIMIT_PAUSE_MS = 700
"""So long the limit is not changed any further before it is written."""


@dataclass(frozen=True, slots=True)
class OtherLanguage:
    """What a text is in, beside the runtime that was chosen for it."""

    language: str
    runtime: "RuntimeInfo"
    """One for that language."""
    chosen: str
    """The name of the runtime that was chosen."""
    chosen_language: str

    @property
    def title(self) -> str:
        return TITLES.get(self.language, self.language)

    @property
    def message(self) -> str:
        wanted, call = TITLES.get(self.chosen_language, self.chosen_language), CALLS.get(self.chosen_language)
        how = f" In {wanted} a tool is called as {call}." if call else ""
        return f"This reads like {self.title}, and {self.chosen} is chosen to run it.{how}"


class RuntimeChoice(QObject):
    """The choice of one window.

    Signals: discovered: it is known of every runtime whether it can be used. picked(id): the user chose this one.
    """

    discovered = Signal()
    picked = Signal(str)

    def __init__(
        self,
        context: "Context",
        bar: "RunBar",
        status_line: "StatusLine",
        welcome: "Welcome",
        choices: "WorkspaceSettings",
    ) -> None:
        """`choices`: what was chosen in this workspace before."""
        super().__init__(context.window)
        self._context, self._bar, self._choices = context, bar, choices
        self._status_line, self._welcome = status_line, welcome
        self._own = False
        """Whether it is this object that changes the choice."""
        self._waits = False
        """Whether another page came to the front while a script ran."""
        self.preferred: Callable[[EditorPage], str] = lambda _page: ""
        """The runtime that a page must run in because of where it is going; empty: any for its language."""
        self._offered: dict[str, str] = {}
        """The example that was put into a page, by the page's id: what has not been touched makes way."""
        self._bar.runtime_changed.connect(self._on_runtime_changed)
        context.editors.current_changed.connect(self._on_page_changed)
        for ended in (context.workbench.run_ended, context.workbench.matrix_ended):
            ended.connect(self._on_run_ended)

    @property
    def _catalog(self) -> "RuntimeCatalog":
        return self._context.workbench.studio.runtimes

    def start(self) -> None:
        """There is a studio: offers what is known, looks for the wanted runtime, then for the others."""
        _teach_endings(self._catalog)
        self._show()
        self.fit()
        self._context.workbench.start_passing(self._discover())

    def info(self) -> "RuntimeInfo | None":
        """What is known of the chosen runtime."""
        chosen = self._bar.runtime_id()
        return next((info for info in self._bar.selector.runtimes.infos if info.id == chosen), None)

    def fit(self) -> None:
        """Chooses for the page in front: what its language was last run in, else the first that can be used."""
        page = self._context.editors.current()
        usual = self._choices.get("runtime", USUAL)
        wanted = usual if page is None else self.preferred(page) or self._for_page(page)
        if wanted:
            self._choose(wanted)

    def misfit(self, page: "EditorPage") -> str:
        """Why the chosen runtime is not the one for the page's file; empty if it is."""
        chosen = self.info()
        traits = self._catalog.traits(chosen.id) if chosen else None
        if chosen is None or traits is None or page.script_name.endswith(traits.extensions):
            return ""
        return f"▲ {page.title} runs in {chosen.name}, which is for {' and '.join(traits.extensions)} files"

    def other_language(self, page: "EditorPage") -> OtherLanguage | None:
        """The language that the page's text is plainly in, if it is another than the chosen runtime's."""
        chosen = self.info()
        if chosen is None:
            return None
        own = language_of(Path(f"x{chosen.extension}"))
        found = plain_language(page.text, own)
        name = script_name("x", found) if found else ""
        usable = [info for info in self._catalog.infos if info.available and info.id in self._catalog.ids_for(name)]
        return OtherLanguage(found, usable[0], chosen.name, own) if found and usable else None

    def _language(self) -> str:
        """The language of the chosen runtime's scripts, which a new page is in."""
        info = self.info()
        found = language_of(Path(f"x{info.extension}")) if info else PLAIN
        return USUAL if found == PLAIN else found

    def examples(self) -> list[tuple["RuntimeInfo", Path]]:
        """The example of every runtime that can be used, each file once."""
        found: dict[Path, RuntimeInfo] = {}
        if not self._context.workbench.is_open:
            return []
        for info in self._catalog.infos:
            traits = self._catalog.traits(info.id)
            if info.available and traits and traits.example.is_file():
                found.setdefault(traits.example.resolve(), info)
        return [(info, path) for path, info in found.items()]

    def open_example(self, runtime_id: str) -> None:
        """Shows the runtime's example, to be run in it."""
        traits = self._catalog.traits(runtime_id)
        if traits is not None:
            self._context.editors.open_file(traits.example.resolve())
            self._bar.set_runtime(runtime_id)

    async def _discover(self) -> None:
        studio = self._context.workbench.studio
        wanted = self._bar.runtime_id()
        await studio.in_thread(lambda: studio.runtimes.look_for(wanted))
        self._show()
        await studio.in_thread(studio.runtimes.discover)
        self._show()
        if studio.runtimes.faults:
            self._context.messages.show_message("\n".join(studio.runtimes.faults), "warning")
        self._welcome.set_same_task([(info.id, plain_name(info)) for info, _ in self.examples()])
        self.discovered.emit()

    def _show(self) -> None:
        before = self._bar.runtime_id()
        self._own = True
        self._bar.set_runtimes(self._catalog.infos)
        self._own = False
        if before and self._bar.runtime_id() != before:
            # It turned out that it cannot be used.
            self.fit()
        self._show_isolation()

    def _for_page(self, page: "EditorPage") -> str:
        infos = {info.id: info for info in self._catalog.infos}
        fitting = [infos[name] for name in self._catalog.ids_for(page.script_name)]
        last = self._choices.get("runtimes", {}).get(page.language)
        now = self._bar.runtime_id()
        usable = [info.id for info in fitting if info.available] or [info.id for info in fitting if info.sought]
        hoped = [name for name in (last, now) if any(name == info.id and info.sought for info in fitting)]
        return next((name for name in (last, now) if name in usable), next(iter([*hoped, *usable]), ""))

    def _choose(self, runtime_id: str) -> None:
        self._own = True
        self._bar.set_runtime(runtime_id)
        self._own = False
        self._show_isolation()

    def _show_isolation(self) -> None:
        info = self.info()
        self._context.editors.new_language = self._language()
        known = info is not None and info.available
        self._status_line.set_isolation(subtitle(info) if info and known else "")
        if known:
            # For the first look of the next window.
            self._choices.set("runtime_shown", list(self._bar.selector.words))

    def _on_page_changed(self, page: "EditorPage | None") -> None:
        if page is None:
            return
        page.renamed.connect(self._on_page_renamed, Qt.ConnectionType.UniqueConnection)
        self._fit_when_free()

    def _on_page_renamed(self) -> None:
        if not self._own:
            self._fit_when_free()

    def _fit_when_free(self) -> None:
        if not self._context.workbench.is_open:
            return
        if self._context.workbench.is_running:
            self._waits = True
        else:
            self.fit()

    def _on_run_ended(self) -> None:
        if self._waits and not self._context.workbench.is_running:
            self._waits = False
            self.fit()

    def _on_runtime_changed(self, runtime_id: str) -> None:
        """Someone chose: the page without a file follows, and what was chosen is remembered."""
        self._show_isolation()
        if self._own or not runtime_id:
            return
        self.picked.emit(runtime_id)
        page = self._context.editors.current()
        if page is not None and page.path is None and runtime_id not in self._catalog.ids_for(page.script_name):
            self._turn(page, runtime_id)
        self._choices.set("runtime", runtime_id)
        fits = page is not None and runtime_id in self._catalog.ids_for(page.script_name)
        language = page.language if page is not None and fits else self._language()
        self._choices.set("runtimes", {**self._choices.get("runtimes", {}), language: runtime_id})

    def _turn(self, page: "EditorPage", runtime_id: str) -> None:
        """Has the page be in the runtime's language; an empty one is offered its example, which typing replaces."""
        traits = self._catalog.traits(runtime_id)
        if traits is None:
            return
        self._own = True
        page.set_language(language_of(Path(f"x{traits.extensions[0]}")))
        self._own = False
        if page.text.strip() and page.text != self._offered.get(page.id):
            return
        try:
            self._offered[page.id] = text = traits.example.read_text(encoding="utf-8")
        except OSError:
            return
        page.editor.replace_text(text)
        page.editor.go_to(1)
        page.editor.selectAll()


def _teach_endings(catalog: "RuntimeCatalog") -> None:
    """Runtimes of the user's may be for languages that the editor does not know by itself."""
    for info in catalog.infos:
        traits = catalog.traits(info.id)
        for extension in traits.extensions if traits else ():
            learn(extension, traits.highlighter if traits else PLAIN)


class LimitChoice(QObject):
    """The time limit in the run bar: the workspace file's where it states one, else what was chosen in this window."""

    def __init__(self, context: "Context", bar: "RunBar", choices: "WorkspaceSettings") -> None:
        super().__init__(context.window)
        self._context, self._bar, self._choices = context, bar, choices
        self._stated: float | None = None
        """What the file says."""
        self._pause = QTimer(self, singleShot=True, interval=LIMIT_PAUSE_MS)
        self._pause.timeout.connect(self._write)
        bar.timeout_changed.connect(self._on_changed)
        context.workbench.attached.connect(self._follow_file)
        context.workbench.tools_loaded.connect(self._follow_file)

    def _follow_file(self) -> None:
        stated = self._context.workbench.studio.file.limits.timeout
        if stated is not None and stated != self._stated and not self._pause.isActive():
            self._bar.set_timeout(stated)
        self._stated = stated

    def _on_changed(self, seconds: int) -> None:
        if self._stated is None:
            self._choices.set("timeout", seconds)
        elif seconds != self._stated:
            self._pause.start()

    def _write(self) -> None:
        from ptc_studio.ui.workspace_edits import WorkspaceEdits

        seconds = self._bar.timeout()
        if seconds != self._stated:
            message = f"studio.yaml has the limit of {seconds} s now."
            WorkspaceEdits(self._context).save(lambda edits: edits.set_limit("timeout", seconds), message)
