"""What `make run` starts while there is no window: the example of concurrent calls, in the terminal."""

from ptc_studio.cli.main import exit_with, main
from ptc_studio.locations import EXAMPLES, SAMPLE_TOOLS

if __name__ == "__main__":
    print("This version has no window yet; here is an example in the terminal.\n", flush=True)
    exit_with(main(["run", str(EXAMPLES / "03_concurrent.py"), "--functions", str(SAMPLE_TOOLS)]))
