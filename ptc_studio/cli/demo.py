"""What `make run` starts: the window with an example that runs; without a display, the same example in the terminal."""

import sys

from ptc_studio.cli.main import exit_with, main
from ptc_studio.cli.window import has_display
from ptc_studio.locations import EXAMPLES, SAMPLE_TOOLS

EXAMPLE = EXAMPLES / "03_concurrent.py"


def demo() -> int:
    """Gives the exit status."""
    if not has_display():
        print("There is no display here, so the example runs in the terminal.\n", flush=True)
        return main(["run", str(EXAMPLE), "--functions", str(SAMPLE_TOOLS)])
    from ptc_studio.ui.application import Opening, start

    return start(Opening(script=EXAMPLE, run=True))


if __name__ == "__main__":
    sys.argv[:] = sys.argv[:1]
    exit_with(demo())
