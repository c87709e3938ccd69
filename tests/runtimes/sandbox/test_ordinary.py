"""Ordinary things work inside the bounds."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ptc_studio.runtimes.sandbox import Bounds, Confiner, toolchain_places
from tests.runtimes.sandbox.confined import prints, run

EVERYWHERE = {
    "a child process": ("import subprocess; print(subprocess.check_output(['echo', 'hi'], text=True))", "hi"),
    "a pipeline": ("import os; print(os.popen('printf abc | wc -c').read())", "3"),
    "threads": (
        "import threading as t; x = []; a = [t.Thread(target=x.append, args=(i,)) for i in range(50)]; [b.start() for b in a]; [b.join() for b in a]; print(len(x))",
        "50",
    ),
    "temporary files": (
        "import tempfile; f = tempfile.TemporaryFile(); f.write(b'x'); d = tempfile.mkdtemp(); print(f.tell())",
        "1",
    ),
    "a database": (
        "import sqlite3, os; c = sqlite3.connect(os.environ['HOME'] + '/x.db'); c.execute('create table t(a)'); c.execute('insert into t values (1)'); c.commit(); print(*c.execute('select a from t').fetchone())",
        "1",
    ),
    "certificates": (
        "import ssl; ssl.create_default_context(); print(ssl.OPENSSL_VERSION[:7])",
        "OpenSSL",
    ),
    "time zones": (
        "import zoneinfo, time; time.localtime(); print(zoneinfo.ZoneInfo('Europe/Berlin'))",
        "Europe/Berlin",
    ),
    "a locale": ("import locale; print(locale.setlocale(locale.LC_ALL, 'C.UTF-8'))", "C.UTF-8"),
    "random numbers": ("import os; print(len(os.urandom(5)), len(open('/dev/urandom', 'rb').read(3)))", "5 3"),
    "the null device": ("print(open('/dev/null', 'w').write('abc'), file=open('/dev/stdout', 'w'))", "3"),
    "an event loop": ("import asyncio; print(asyncio.run(asyncio.to_thread(lambda: 7)))", "7"),
    "links": (
        "import os; os.mkdir('own'); os.chdir('own'); open('a', 'w').close(); os.link('a', 'b'); os.symlink('a', 'c'); os.rename('b', 'd'); os.mkfifo('e'); print(sorted(os.listdir()))",
        "['a', 'c', 'd', 'e']",
    ),
    "the processors": ("import os; print(os.cpu_count() > 0 and 'MemTotal' in open('/proc/meminfo').read())", "True"),
    "mapped memory": ("import mmap; m = mmap.mmap(-1, 1 << 20); m[:3] = b'abc'; print(m[:3])", "b'abc'"),
}
SANDBOX = {
    "modes and times": ("import os; open('a', 'w').close(); os.chmod('a', 0o700); os.utime('a', (1, 1)); s = os.stat('a'); print(s.st_mode & 0o777, s.st_mtime)", "448 1.0"),
    "its user": ("import getpass, os, pwd, grp; print(getpass.getuser(), pwd.getpwuid(os.getuid()).pw_dir, grp.getgrgid(os.getgid()).gr_name, os.path.expanduser('~'))", "script /tmp script /tmp"),
    "locks between processes": ("import multiprocessing as m\nl = m.Lock(); v = m.Value('i', 0)\ndef f():\n    with l: v.value += 1\np = [m.get_context('fork').Process(target=f) for _ in range(4)]; [q.start() for q in p]; [q.join() for q in p]; print(v.value)", "4"),
    "shared memory": ("from multiprocessing import shared_memory as s; a = s.SharedMemory(create=True, size=1 << 20); a.buf[0] = 7; b = s.SharedMemory(a.name); print(b.buf[0]); b.close(); a.close(); a.unlink()", "7"),
    "a terminal": ("import os; a, b = os.openpty(); print(os.isatty(b))", "True"),
    "its host": ("import socket; print(socket.gethostname(), socket.gethostbyname(socket.gethostname()))", "localhost 127.0.0.1"),
}  # fmt: skip


@pytest.mark.parametrize("thing", EVERYWHERE)
def test_a_script_has(thing: str, any_confiner: Confiner):
    code, printed = EVERYWHERE[thing]
    assert prints(any_confiner, code) == printed


@pytest.mark.parametrize("thing", SANDBOX)
def test_a_script_in_the_sandbox_has(thing: str, sandbox: Confiner):
    code, printed = SANDBOX[thing]
    assert prints(sandbox, code) == printed


def test_a_pool_of_processes_works_in_the_sandbox(sandbox: Confiner, tmp_path: Path):
    (tmp_path / "main.py").write_text(
        "from concurrent.futures import ProcessPoolExecutor\n"
        "if __name__ == '__main__':\n"
        "    with ProcessPoolExecutor(3) as pool:\n"
        "        print(sum(pool.map(abs, range(-5, 0))))\n"
    )
    argv = [sys.executable, "-I", str(tmp_path / "main.py")]
    assert run(sandbox, argv, Bounds(workspace=tmp_path)) == (0, "15\n", "")


def test_a_virtual_environment_works(confiner: Confiner, tmp_path: Path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    program = tmp_path / "venv" / "bin" / "python"
    package = next((tmp_path / "venv" / "lib").glob("python*")) / "site-packages" / "inside.py"
    package.write_text("NAME = 'inside'")
    argv = [str(program), "-c", "import inside, sys; print(inside.NAME, sys.prefix)"]
    status, out, error = run(confiner, argv, Bounds(readable=toolchain_places(program)))
    assert (status, out) == (0, f"inside {tmp_path / 'venv'}\n"), error


def found(name: str) -> str:
    """The program itself, past the wrappers that choose among versions."""
    if name == "rustc":
        home = Path(os.environ.get("RUSTUP_HOME", Path.home() / ".rustup"))
        installed = sorted(home.glob("toolchains/*/bin/rustc"))
        return str(next(iter(installed), shutil.which(name, path="/usr/bin") or ""))
    beside = Path(sys.executable).with_name(name)
    return str(beside) if beside.exists() else shutil.which(name) or ""


TOOLCHAINS = {
    "node": (["-e", "const m = new WebAssembly.Memory({initial: 1, maximum: 65536}); console.log(1 + m.buffer.byteLength)"], "65537"),
    "mono": (["--version"], "Mono JIT compiler"),
    "go": (["version"], "go version"),
    "rustc": (["--version"], "rustc "),
    "deno": (["eval", "console.log(await Promise.resolve(5))"], "5"),
    "java": (["-version"], "version"),
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in TOOLCHAINS if found(name)])
def test_a_toolchain_works_once_it_is_shown(name: str, confiner: Confiner):
    arguments, printed = TOOLCHAINS[name]
    program = Path(found(name))
    places = (*toolchain_places(program), *_go_root(program), Path("/etc/mono"), Path("/etc/java-17-openjdk"))
    status, out, error = run(confiner, [str(program), *arguments], Bounds(readable=places))
    assert status == 0, error
    assert printed in out + error


def _go_root(program: Path) -> tuple[Path, ...]:
    if program.name != "go":
        return ()
    return (Path(subprocess.check_output([program, "env", "GOROOT"], text=True).strip()),)


def test_a_compiler_builds_into_its_folder_and_the_program_runs(confiner: Confiner, tmp_path: Path):
    (tmp_path / "script.c").write_text('#include <stdio.h>\nint main(void) { puts("built"); }\n')
    compiler = shutil.which("cc")
    assert compiler is not None
    argv = [compiler, "-o", str(tmp_path / "script"), str(tmp_path / "script.c")]
    assert run(confiner, argv, Bounds(writable=(tmp_path,)))[0] == 0
    assert run(confiner, [str(tmp_path / "script")], Bounds(readable=(tmp_path,)))[1] == "built\n"


def test_a_program_is_found_by_its_name_where_the_studios_python_is_not_shown(any_confiner: Confiner):
    launch = any_confiner.launch(["echo", "found"], Bounds())
    told = subprocess.run(launch.argv, pass_fds=launch.fds, capture_output=True, text=True, check=False)
    launch.close()
    assert (told.returncode, told.stdout) == (0, "found\n"), told.stderr
