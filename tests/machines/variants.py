"""The machines that are tried: what is different there, and which tests that can make a difference to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

# What looks at texts as they are laid out.
LAYOUT = (
    "tests/ui/test_every_size.py",
    "tests/ui/test_fonts.py",
    "tests/ui/test_small_and_large.py",
    "tests/ui/test_startup_placeholders.py",
    "tests/ui/test_stylesheet.py",
    "tests/ui/run_bar",
    "tests/ui/timeline",
    "tests/ui/widgets",
    "tests/ui/prompts/test_prompt_room.py",
    "tests/ui/calls/test_panel.py",
    "tests/ui/sources/test_source_dialog.py::test_the_dialog_fits_a_small_window",
)
# What has much text in a little room.
PANELS = (
    "tests/ui/test_look_and_feel.py",
    "tests/ui/files",
    "tests/ui/history",
    "tests/ui/matrix",
    "tests/ui/present",
    "tests/ui/secrets",
    "tests/ui/serving",
    "tests/ui/settings",
    "tests/ui/targets",
)
# What reads and writes numbers, times and words, or compares the words of the system and of other programs.
WORDS = (
    "tests/ui/forms/test_fields.py",
    "tests/ui/calls",
    "tests/ui/history",
    "tests/ui/output",
    "tests/ui/recordings",
    "tests/ui/run_bar",
    "tests/ui/sources/test_source_dialog.py",
    "tests/ui/test_saved_settings.py",
    "tests/cli/test_call_tree.py",
    "tests/cli/test_foreign_text.py",
    "tests/cli/test_history.py",
    "tests/cli/test_other_commands.py",
    "tests/cli/test_run_command.py",
    "tests/cli/test_run_output.py",
    "tests/storage",
    "tests/core/responders",
    "tests/exports/test_pyi.py",
    "tests/reports/test_html_in_browser.py",
    "tests/sources/builtin",
    "tests/sources/command",
    "tests/runtimes/test_build.py",
    "tests/runtimes/test_discovery.py",
    "tests/runtimes/bash",
)
# What reads and writes letters beyond ASCII.
LETTERS = (
    "tests/cli/test_display.py",
    "tests/cli/test_foreign_text.py",
    "tests/cli/test_other_commands.py",
    "tests/cli/test_run_command.py",
    "tests/cli/test_run_output.py",
    "tests/storage/test_text_files.py",
    "tests/sources/command",
    "tests/runtimes/bash",
    "tests/runtimes/test_conformance.py::test_a_script_prints_what_it_should",
    "tests/ui/output",
    "tests/ui/test_first_paint.py",
)
# What asks for the folders of the desktop.
FOLDERS = (
    "tests/app",
    "tests/cli/test_history.py",
    "tests/cli/test_open_studio.py",
    "tests/cli/test_secrets_command.py",
    "tests/cli/test_serve_command.py",
    "tests/cli/test_trust.py",
    "tests/runtimes/sandbox/test_bounds.py",
    "tests/runtimes/sandbox/test_files.py",
    "tests/serving",
    "tests/sources/command",
    "tests/sources/mcp/test_mcp_sign_in.py",
    "tests/storage",
    "tests/ui/history",
    "tests/ui/secrets",
    "tests/ui/serving",
    "tests/ui/test_trust.py",
    "tests/e2e/test_wheel.py",
)
# What asks for the user, his folders, or the place of the checkout.
PLACES = (
    "tests/app",
    "tests/cli/test_display.py",
    "tests/cli/test_foreign_text.py",
    "tests/cli/test_open_studio.py",
    "tests/cli/test_other_commands.py",
    "tests/cli/test_run_command.py",
    "tests/cli/test_run_output.py",
    "tests/cli/test_secrets_command.py",
    "tests/cli/test_serve_command.py",
    "tests/cli/test_trust.py",
    "tests/serving",
    "tests/storage",
    "tests/processes",
    "tests/sources/functions",
    "tests/sources/mcp/test_mcp_lives.py",
    "tests/sources/script",
    "tests/runtimes/sandbox/test_bounds.py",
    "tests/runtimes/sandbox/test_files.py",
    "tests/runtimes/sandbox/test_ordinary.py",
    "tests/runtimes/sandbox/test_writing.py",
    "tests/runtimes/kit",
    "tests/runtimes/test_added_runtime.py",
    "tests/runtimes/test_build.py",
    "tests/runtimes/test_catalog.py",
    "tests/ui/secrets",
    "tests/ui/test_single_instance.py",
    "tests/ui/test_trust.py",
    "tests/ui/test_workspace_watcher.py",
    "tests/e2e/test_wheel.py",
    "tests/e2e/window",
)
# One small script in every language, and each toolchain as it is found.
LANGUAGES = (
    "tests/runtimes/test_catalog.py",
    "tests/runtimes/test_discovery.py",
    "tests/runtimes/test_build.py",
    "tests/runtimes/test_warm_script.py",
    "tests/runtimes/test_conformance.py",
    "tests/runtimes/type_check",
    "tests/runtimes/javascript",
    "tests/ui/test_window_runtimes.py",
)
# Every compiler and interpreter is given paths, and tells errors with them.
PATHS_IN_ERRORS = (
    "tests/runtimes/test_conformance.py::test_an_uncaught_failure_of_a_tool_has_its_type_and_line",
    "tests/runtimes/test_conformance.py::test_an_error_of_the_scripts_own_has_its_line",
    "tests/runtimes/test_conformance.py::test_what_cannot_be_understood_is_told_with_its_line",
    "tests/runtimes/test_conformance.py::test_every_call_knows_its_line",
    "tests/runtimes/test_conformance.py::test_the_example_of_every_runtime_comes_to_the_same",
    "tests/runtimes/type_check",
)
# What scripts of every language may do, which differs for root and for others.
ESCAPES = (
    "tests/runtimes/sandbox",
    "tests/runtimes/test_escapes.py",
    "tests/runtimes/test_escapes_by_language.py",
    "tests/runtimes/test_repositories.py",
    "tests/runtimes/test_strangers_settings.py",
)
DISPLAY = (
    "tests/cli/test_display.py",
    "tests/ui/test_first_paint.py",
    "tests/ui/test_single_instance.py",
    "tests/e2e/window",
)
# What leans on the interpreter: threads and frames, modules and syntax trees, tracebacks and annotations.
PYTHON = (
    "tests/app",
    "tests/core",
    "tests/gateway",
    "tests/runtimes/kit",
    "tests/runtimes/test_python_process.py",
    "tests/runtimes/test_python_runtimes.py",
    "tests/sources/functions",
    "tests/sources/toolregistry",
    "tests/targets",
    "tests/ui/language",
    "tests/ui/test_closing.py",
    "tests/ui/test_window.py",
    "tests/wasm",
)
# What waits for something, in threads, processes and the window.
WAITING = (
    "tests/core",
    "tests/gateway",
    "tests/processes",
    "tests/runtimes/kit",
    "tests/runtimes/test_python_process.py",
    "tests/runtimes/test_warm_process.py",
    "tests/sources/mcp",
    "tests/ui/test_closing.py",
    "tests/ui/test_workspace_watcher.py",
    "tests/ui/editor",
)


@dataclass(frozen=True, slots=True)
class Machine:
    """One row. What it does not say is as it is here."""

    id: str
    different: str
    """In a few words, for the table."""
    tests: tuple[str, ...]
    only: str = ""
    """An expression of names, as pytest's `-k` takes it."""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    """`{work}` is a folder of its own."""
    without: tuple[str, ...] = ()
    """Variables that are not set."""
    setup: str = ""
    """Commands of root's, in a root file system of its own; what they change is seen there alone."""
    user: str = ""
    """Whoever runs it, if not root."""
    checkout: str = ""
    """Below /home, in the user's folder; there it is made ready from nothing, as by a newcomer."""
    python: str = ""
    """The one that it is made ready with; Debian's own if empty."""
    busy: int = 0
    """So many processes beside it want all of a processor."""


def _fonts(*files: str) -> str:
    """No fonts but these."""
    keep = "".join(f" ! -name '{each}'" for each in files)
    return f"find /usr/share/fonts /usr/local/share/fonts -type f{keep} -delete 2>/dev/null; fc-cache -f"


def _locale(name: str) -> str:
    return f"localedef -i {name} -f UTF-8 {name}.UTF-8"


def _packages(*names: str) -> str:
    return f"apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends {' '.join(names)} >/dev/null"


def _without_packages(*names: str) -> str:
    return f"dpkg --remove --force-depends {' '.join(names)} >/dev/null"


DESKTOP = (
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
    "XDG_CONFIG_DIRS",
    "XDG_DATA_DIRS",
)
LANGUAGE = ("LANG", "LC_ALL", "LC_CTYPE", "LANGUAGE")
ODD = "Zoë Öğüş/Meine Projekte (neu) ß/ptc studio"

MACHINES = (
    Machine("font-wide", "DejaVu Sans alone", (*LAYOUT, *PANELS), only="not narrow and not Roboto", setup=_fonts("DejaVuSans*.ttf"), environment={"PTC_TEST_FONT": "DejaVu Sans"}),
    Machine("font-narrow", "Roboto Condensed alone", LAYOUT, only="not wide and not DejaVu", setup=_fonts("RobotoCondensed*.ttf"), environment={"PTC_TEST_FONT": "Roboto Condensed"}),
    Machine("font-none", "no font at all, and none to be had", LAYOUT, only="not wide and not narrow and not DejaVu and not Roboto", setup=_fonts() + "; rm -f /usr/bin/apt-get"),
    Machine("locale-c", "LANG=C, no language set", LETTERS, without=LANGUAGE, environment={"LC_ALL": "C"}),
    Machine("locale-de", "German: a decimal comma", WORDS, without=LANGUAGE, environment={"LANG": "de_DE.UTF-8"}, setup=_locale("de_DE")),
    Machine("locale-tr", "Turkish: i and I are no pair", WORDS, without=LANGUAGE, environment={"LANG": "tr_TR.UTF-8"}, setup=_locale("tr_TR")),
    Machine("languages-tr", "Turkish, every runtime", ("tests/runtimes/test_conformance.py", "tests/runtimes/test_build.py"), without=LANGUAGE, environment={"LANG": "tr_TR.UTF-8"}, setup=_locale("tr_TR")),
    Machine("zone-east", "14 hours before Greenwich", WORDS, only="time or zone or date or clock or when or cassette or record", environment={"TZ": "Pacific/Kiritimati"}),
    Machine("zone-west", "three and a half hours behind it", WORDS, only="time or zone or date or clock or when or cassette or record", environment={"TZ": "America/St_Johns"}),
    Machine("odd-paths", "HOME, checkout and folders with spaces and letters beyond ASCII", (*PLACES, *PATHS_IN_ERRORS), checkout=ODD, environment={"TMPDIR": "{work}/für später"}),
    Machine("user", "an ordinary user, Debian's own Python", ("tests/cli", *PLACES, *ESCAPES), user="newcomer", checkout="newcomer/ptc-studio", setup="id newcomer >/dev/null 2>&1 || useradd -m -s /bin/bash newcomer"),
    Machine("xdg-set", "all folders of the desktop elsewhere", (*FOLDERS, "tests/ui/test_single_instance.py"), without=DESKTOP, environment={
        "XDG_RUNTIME_DIR": "{work}/run", "XDG_CONFIG_HOME": "{work}/config", "XDG_DATA_HOME": "{work}/data",
        "XDG_CACHE_HOME": "{work}/cache", "XDG_STATE_HOME": "{work}/state",
    }),
    Machine("xdg-none", "no variable of the desktop", (*FOLDERS, *DISPLAY), without=(*DESKTOP, "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS")),
    Machine("no-wayland", "no library of Wayland's", DISPLAY, setup=_without_packages("libwayland-client0", "libwayland-cursor0", "libwayland-egl1")),
    Machine("no-x", "no library of X's for Qt: tests of the window need none", ("tests/ui/test_first_paint.py", "tests/ui/test_window.py", "tests/ui/test_single_instance.py"), setup=_without_packages("libxcb-cursor0", "libxcb-icccm4", "libxcb-keysyms1", "libxkbcommon-x11-0")),
    Machine("toolchains", "Debian's Go 1.19, Rust 1.63 and Node", LANGUAGES, setup=_packages("golang-go", "rustc") + " && rm -rf /root/.cargo /root/.rustup"),
    Machine("python-3.12", "Python 3.12", PYTHON, only="not speed", python="python3.12", checkout="python-3.12/ptc-studio"),
    Machine("python-3.13", "Python 3.13", PYTHON, only="not speed", python="python3.13", checkout="python-3.13/ptc-studio"),
    Machine("busy", "eight busy processes beside it", WAITING, busy=8),
)  # fmt: skip
