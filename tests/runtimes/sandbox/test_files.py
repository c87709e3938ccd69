"""What a confined process sees and may write."""

import os
import subprocess
from pathlib import Path

import pytest

from ptc_studio.runtimes.sandbox import Bounds, Confiner
from tests.runtimes.sandbox.confined import attempt, prints, python, run, started

READ = "print(open(sys.argv[1]).read(1))"
WRITE = "open(sys.argv[1], 'a').write('x')"


def expected(confiner: Confiner) -> str:
    return "escaped" if confiner.id == "process" else "held"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder such as a user has, with a secret, a toolchain and a project in it."""
    for name in (".ssh/id_ed25519", ".tools/bin/tool", "project/data.txt", "project/deep/inner.txt", "other/notes.txt"):
        path = tmp_path / "ada" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("canary")
    return tmp_path / "ada"


def test_secrets_of_the_system_cannot_be_read(any_confiner: Confiner):
    outcome = attempt(any_confiner, READ, "/etc/shadow")
    assert outcome == ("held" if os.getuid() else expected(any_confiner))


def test_a_home_is_hidden_but_for_what_is_shown_of_it(any_confiner: Confiner, home: Path):
    bounds = Bounds(readable=(home / ".tools",), workspace=home / "project")
    for hidden in (".ssh/id_ed25519", "other/notes.txt"):
        assert attempt(any_confiner, READ, home / hidden, bounds=bounds) == expected(any_confiner)
    for shown in (".tools/bin/tool", "project/data.txt", "project/deep/inner.txt"):
        assert attempt(any_confiner, READ, home / shown, bounds=bounds) == "escaped"


def test_the_parents_of_what_is_shown_do_not_reveal_its_siblings(sandbox: Confiner, home: Path):
    bounds = Bounds(readable=(home / ".tools",), workspace=home / "project")
    assert prints(sandbox, "import os, sys; print(sorted(os.listdir(sys.argv[1])))", home, bounds=bounds) == str(
        [".tools", "project"]
    )


def test_the_parents_of_what_is_shown_cannot_be_listed(landlock: Confiner, home: Path):
    bounds = Bounds(workspace=home / "project")
    assert attempt(landlock, "os.listdir(sys.argv[1])", home, bounds=bounds) == "held"


@pytest.mark.parametrize("where", ["readable", "workspace"])
def test_what_is_shown_cannot_be_changed(where: str, any_confiner: Confiner, home: Path):
    folder = home / "project"
    bounds = Bounds(readable=(folder,)) if where == "readable" else Bounds(workspace=folder)
    ways = (
        WRITE,
        "os.truncate(sys.argv[1], 0)",
        "os.rename(sys.argv[1], sys.argv[1] + '2')",
        "os.unlink(sys.argv[1])",
        "os.mkdir(os.path.dirname(sys.argv[1]) + '/new')",
        "os.symlink('/', os.path.dirname(sys.argv[1]) + '/link')",
    )
    for way in ways:
        (folder / "data.txt").write_text("canary")
        assert attempt(any_confiner, way, folder / "data.txt", bounds=bounds) == expected(any_confiner)
        assert (folder / "data.txt").exists() or any_confiner.id == "process"


def test_a_workspace_may_be_written_to_once_that_is_granted(any_confiner: Confiner, home: Path):
    bounds = Bounds(workspace=home / "project", workspace_writable=True)
    assert attempt(any_confiner, WRITE, home / "project" / "new.txt", bounds=bounds) == "escaped"
    assert (home / "project" / "new.txt").read_text() == "x"
    assert (home / "project" / "new.txt").owner() == home.owner()
    assert attempt(any_confiner, WRITE, home / "other" / "new.txt", bounds=bounds) == expected(any_confiner)


def test_a_compiler_writes_to_its_build_folder_and_its_cache_alone(any_confiner: Confiner, home: Path, tmp_path: Path):
    build, cache = tmp_path / "build", tmp_path / "cache"
    build.mkdir()
    cache.mkdir()
    bounds = Bounds(readable=(home / ".tools",), writable=(build, cache))
    for folder in (build, cache):
        assert attempt(any_confiner, WRITE, folder / "made", bounds=bounds) == "escaped"
    assert attempt(any_confiner, WRITE, home / ".tools" / "made", bounds=bounds) == expected(any_confiner)
    assert [(build / "made").read_text(), (cache / "made").read_text()] == ["x", "x"]


def test_what_is_read_only_inside_of_what_is_writable_stays_so(sandbox: Confiner, home: Path):
    bounds = Bounds(readable=(home / "project" / "deep",), workspace=home / "project", workspace_writable=True)
    assert attempt(sandbox, WRITE, home / "project" / "deep" / "inner.txt", bounds=bounds) == "held"
    assert attempt(sandbox, WRITE, home / "project" / "data.txt", bounds=bounds) == "escaped"


def test_what_is_protected_in_a_writable_workspace_stays_as_it_is(confiner: Confiner, home: Path):
    project = home / "project"
    for name in ("studio.yaml", "tools/shop.py", "deep/server/main.py"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("canary")
    kept = [project / name for name in ("studio.yaml", "tools", "deep/server", ".git", "mocks.yaml", "deep/missing")]
    bounds = Bounds(workspace=project, workspace_writable=True, protected=tuple(kept))
    ways = {
        "writing": "open(sys.argv[1] + '/studio.yaml', 'a')",
        "replacing": "open(sys.argv[1] + '/deep/x', 'w').close(); os.replace(sys.argv[1] + '/deep/x', sys.argv[1] + '/studio.yaml')",
        "removing": "os.unlink(sys.argv[1] + '/studio.yaml')",
        "writing a tool": "open(sys.argv[1] + '/tools/shop.py', 'a')",
        "adding a tool": "open(sys.argv[1] + '/tools/new.py', 'w')",
        "moving the tools": "os.rename(sys.argv[1] + '/tools', sys.argv[1] + '/deep/gone')",
        "moving what holds a program": "os.rename(sys.argv[1] + '/deep', sys.argv[1] + '/gone')",
        "writing a program": "open(sys.argv[1] + '/deep/server/main.py', 'a')",
        "making a repository": "os.makedirs(sys.argv[1] + '/.git/hooks')",
        "making mocks": "open(sys.argv[1] + '/mocks.yaml', 'w')",
        "making what is missing": "open(sys.argv[1] + '/deep/missing/x', 'w')",
    }
    for name, way in ways.items():
        assert attempt(confiner, way, project, bounds=bounds) == "held", name
    assert attempt(confiner, WRITE, project / "data.txt", bounds=bounds) == "escaped"
    assert attempt(confiner, READ, project / "tools" / "shop.py", bounds=bounds) == "escaped"
    if confiner.id == "bubblewrap":
        assert attempt(confiner, WRITE, project / "new.txt", bounds=bounds) == "escaped"
        assert attempt(confiner, WRITE, project / "deep" / "new.txt", bounds=bounds) == "escaped"
    assert not any((project / name).exists() for name in (".git", "mocks.yaml", "deep/missing"))
    assert (project / "studio.yaml").read_text() == (project / "tools" / "shop.py").read_text() == "canary"


def test_a_stand_in_stays_until_the_last_process_that_needs_it(sandbox: Confiner, home: Path):
    bounds = Bounds(workspace=home / "project", workspace_writable=True, protected=(home / "project" / ".git",))
    make = "os.mkdir(sys.argv[1] + '/.git/hooks')"
    with started(sandbox, python("import time; time.sleep(60)"), bounds):
        assert attempt(sandbox, make, home / "project", bounds=bounds) == "held"
        assert (home / "project" / ".git").is_dir()
    assert not (home / "project" / ".git").exists()


@pytest.mark.parametrize("place", ["/usr/ptc-canary", "/etc/ptc-canary", "/ptc-canary", "/dev/ptc-canary", "/var/ptc"])
def test_the_system_cannot_be_written_to(place: str, confiner: Confiner):
    assert attempt(confiner, WRITE, place) == "held"
    assert not Path(place).exists()


def test_the_temporary_folder_is_its_own(any_confiner: Confiner, tmp_path: Path):
    code = "import os, tempfile\nf = tempfile.NamedTemporaryFile()\nprint(os.path.dirname(f.name), os.environ['HOME'], os.getcwd(), sep='\\n')"
    folders = prints(any_confiner, code).splitlines()
    assert folders == [folders[0]] * 3
    # A second process does not find what the first one left.
    prints(any_confiner, "import os; open(os.environ['HOME'] + '/left', 'w').close()")
    assert "left" not in prints(any_confiner, "import os; print(os.listdir(os.environ['HOME']))")


def test_a_link_to_what_is_hidden_leads_nowhere(confiner: Confiner, home: Path):
    (home / "project" / "link").symlink_to(home / ".ssh")
    bounds = Bounds(workspace=home / "project")
    assert attempt(confiner, READ, home / "project" / "link" / "id_ed25519", bounds=bounds) == "held"


def test_a_folder_behind_a_link_is_shown_by_both_its_names(confiner: Confiner, home: Path):
    (home / "alias").symlink_to(home / "project")
    bounds = Bounds(workspace=home / "alias")
    for name in ("alias", "project"):
        assert attempt(confiner, READ, home / name / "data.txt", bounds=bounds) == "escaped"


def test_what_is_not_there_is_no_hindrance(any_confiner: Confiner, tmp_path: Path):
    bounds = Bounds(readable=(tmp_path / "nowhere",), workspace=tmp_path / "neither")
    assert prints(any_confiner, "print(1)", bounds=bounds) == "1"


def test_names_of_any_characters_are_shown(confiner: Confiner, tmp_path: Path):
    folder = tmp_path / "a b\n'é日本\" = --"
    folder.mkdir()
    (folder / "x").write_text("y")
    assert attempt(confiner, READ, folder / "x", bounds=Bounds(workspace=folder)) == "escaped"


def test_a_program_is_started_in_the_folder_that_is_named(any_confiner: Confiner, tmp_path: Path):
    launch = any_confiner.launch(["/bin/pwd"], Bounds(writable=(tmp_path,)), tmp_path)
    told = subprocess.run(launch.argv, pass_fds=launch.fds, capture_output=True, text=True, check=True)
    launch.close()
    assert told.stdout.strip() == str(tmp_path)


def test_the_folder_of_a_process_is_removed_whatever_it_left_there(any_confiner: Confiner, tmp_path: Path):
    # Under Landlock no mode can be changed; a folder can be made with any.
    code = "import os; os.makedirs('a/b'); open('a/b/c', 'w').close(); os.mkdir('a/d', 0); print(os.getcwd())"
    if any_confiner.id != "landlock":
        code = code.replace("print", "os.chmod('a/b', 0); os.chmod('a', 0); print")
    folder = prints(any_confiner, code)
    assert folder == "/tmp" or not Path(folder).exists()


def test_removing_a_folder_touches_nothing_that_it_links_to(any_confiner: Confiner, tmp_path: Path):
    (tmp_path / "kept").write_text("canary")
    tmp_path.chmod(0o755)
    prints(any_confiner, "import os, sys; os.symlink(sys.argv[1], 'link')", tmp_path)
    assert (tmp_path / "kept").read_text() == "canary"
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_a_program_that_is_not_there_is_told_as_the_start_would(any_confiner: Confiner, tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        any_confiner.launch([str(tmp_path / "nowhere")], Bounds())
    (tmp_path / "text").write_text("")
    with pytest.raises(PermissionError):
        any_confiner.launch([str(tmp_path / "text")], Bounds())


def test_a_status_is_passed_on(any_confiner: Confiner):
    assert run(any_confiner, ["/bin/sh", "-c", "exit 3"])[0] == 3
    assert run(any_confiner, ["/bin/sh", "-c", "kill -9 $$"])[0] == -9
    assert run(any_confiner, ["/bin/sh", "-c", "kill -SEGV $$"])[0] == -11


ATTRIBUTES = {
    "mode": "os.chmod(path, 0o640)",
    "mode by its descriptor": "os.fchmod(os.open(path, os.O_RDONLY), 0o640)",
    "times": "os.utime(path, (1, 1))",
    "attributes": "os.setxattr(path, 'user.ptc', b'x')",
    "flags": "import array, fcntl; fcntl.ioctl(os.open(path, os.O_RDONLY), 0x40086602, array.array('l', [0x80]))",
}


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_no_attribute_of_a_file_of_the_users_can_be_changed(name: str, confiner: Confiner, tmp_path: Path):
    file = tmp_path / "file.txt"
    file.write_text("x")
    file.chmod(0o600)
    before = file.stat()
    code = f"import os\npath = sys.argv[1]\n{ATTRIBUTES[name]}"
    # Seen or not: to change the mode of a file one need not be able to open it.
    for bounds in (Bounds(), Bounds(workspace=tmp_path)):
        assert attempt(confiner, code, str(file), bounds=bounds) == "held"
    after = file.stat()
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    assert os.listxattr(file) == []


@pytest.mark.parametrize("kind", [0, 1])
def test_nobody_has_to_wait_for_a_file_that_a_script_reads(kind: int, confiner: Confiner, tmp_path: Path):
    # With a lease on it whoever opens the file waits for up to 45 s: the studio, too.
    (tmp_path / "file.txt").write_text("x")
    code = f"import fcntl\nfcntl.fcntl(os.open(sys.argv[1], os.O_RDONLY), fcntl.F_SETLEASE, {kind})"
    assert attempt(confiner, code, tmp_path / "file.txt", bounds=Bounds(workspace=tmp_path)) == "held"


def test_no_folder_of_the_users_can_be_watched(confiner: Confiner, tmp_path: Path):
    code = (
        "import ctypes\nlibc = ctypes.CDLL(None)\n"
        "if libc.inotify_add_watch(libc.inotify_init(), sys.argv[1].encode(), 0xFFF) < 0: raise OSError('held')"
    )
    assert attempt(confiner, code, tmp_path) == "held"
