"""What `make run` starts: the window with an example that runs; without a display, the same example in the terminal."""

import sys
from typing import NoReturn

from ptc_studio.cli.main import exit_with, main
from ptc_studio.cli.open_window import has_display, missing_library, why_no_window
from ptc_studio.samples import DEMO


def demo() -> int:
    """Gives the exit status."""
    if not has_display():
        return _in_terminal("there is no display here")
    try:
        from ptc_studio.ui.startup import Opening, start
    except ImportError as error:
        return _in_terminal(missing_library(str(error)) or f"no window can be opened: {error}")
    return start(Opening(script=DEMO, run=True), _on_refused)


def _on_refused() -> NoReturn:
    exit_with(_in_terminal(why_no_window()))


def _in_terminal(reason: str) -> int:
    print(f"{reason[:1].upper()}{reason[1:]}. The example runs in the terminal instead.\n", flush=True)
    return main(["run", str(DEMO)])


if __name__ == "__main__":
    sys.argv[:] = sys.argv[:1]
    exit_with(demo())
