"""Opens the window by `make run` in an X server of its own, as a newcomer does, and takes a picture of the screen.

A script without imports of ours: it is run by whatever Python the machine has. usage: picture.py OUT.png
"""

import os
import signal
import subprocess
import sys
import time

GRAB = """
import sys
from PySide6.QtGui import QGuiApplication
application = QGuiApplication(sys.argv[:1])
sys.exit(not application.primaryScreen().grabWindow(0).save(sys.argv[1]))
"""
WAIT_SECONDS, REST_SECONDS, END_SECONDS = 300, 8, 20
# The first paint has no script in its title: that comes with all that is in the window.
TITLE = "[.]py.*sample tools"


def main(out: str) -> int:
    """Zero if a window came."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    with os.fdopen(read) as told:
        display = f":{told.readline().strip()}"
    environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
    window = subprocess.Popen(["make", "run"], env=environment, start_new_session=True)
    try:
        end = time.monotonic() + WAIT_SECONDS
        search = ["xdotool", "search", "--onlyvisible", "--name", TITLE]
        while subprocess.run(search, env=environment, capture_output=True, check=False).returncode:
            if window.poll() is not None or time.monotonic() > end:
                return 1
            time.sleep(0.5)
        time.sleep(REST_SECONDS)
        return subprocess.run([sys.executable, "-c", GRAB, out], env=environment, check=False).returncode
    finally:
        if window.poll() is None:
            os.killpg(window.pid, signal.SIGTERM)
        try:
            window.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            # It asks first whether the demo's run may be stopped.
            os.killpg(window.pid, signal.SIGKILL)
            window.wait()
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
