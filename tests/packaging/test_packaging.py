"""What the frozen program and the Debian package are made of is complete; `make test-package` tries the things themselves."""

import configparser
import re
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ptc_studio import __version__, locations
from ptc_studio.cli.open_window import PACKAGES
from ptc_studio.reports.bundle import ENDING

ROOT = Path(__file__).resolve().parents[2]
LINUX = ROOT / "packaging" / "linux"


@pytest.fixture(scope="module")
def contents():
    sys.path.insert(0, str(ROOT / "packaging"))
    try:
        import contents

        yield contents
    finally:
        sys.path.remove(str(ROOT / "packaging"))


def test_every_dependency_is_copied_and_brings_the_text_of_its_licence(contents):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {re.match(r"[\w.-]+", line)[0].lower().replace(".", "-") for line in project["dependencies"]}
    found = {name: text for name, _, text in contents.licences()}
    assert wanted <= set(found)
    assert all(len(text) > 200 for text in found.values())
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in found["pyside6-essentials"]
    places = {place for _, place in contents.copied_files()}
    assert {"pydantic/__init__.py", "jedi/__init__.py", "bin/monty", "wasmtime/linux-x86_64/_libwasmtime.so"} <= places


def test_every_file_of_the_product_goes_in_where_an_installed_wheel_has_it(contents):
    places = {place for _, place in contents.product_files()}
    for path in (
        locations.FONTS / "Inter-LICENSE.txt",
        locations.PYTHON_KIT / "main.py",
        locations.RESOURCES / "report.html",
    ):
        assert f"ptc_studio/_bundle/{path.relative_to(ROOT)}" in places
    assert {"ptc_studio/runtimes/sandbox/launcher.py", "ptc_studio/ui/language/jedi_guest.py"} <= places
    assert "ptc_studio/targets/cloudflare/frame.mjs" in places
    assert not any("__pycache__" in place for place in places)


def test_each_module_of_qt_that_is_used_is_frozen(contents):
    assert {"PySide6.QtCore", "PySide6.QtWidgets", "PySide6.QtNetwork"} <= set(contents.qt_modules())


def test_the_package_depends_on_every_library_that_qt_needs():
    text = (ROOT / "packaging" / "deb.py").read_text()
    assert [name for name in (*PACKAGES.values(), "bubblewrap") if f'"{name}"' not in text] == []


def test_the_desktop_knows_workspaces_and_bundles():
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(LINUX / "ptc-studio.desktop")
    types = set(filter(None, entry["Desktop Entry"]["MimeType"].split(";")))
    mime = ElementTree.parse(LINUX / "ptc-studio.mime.xml").getroot()
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    patterns = {kind.get("type"): kind.find(f"{space}glob").get("pattern") for kind in mime}
    assert set(patterns.values()) == {f"*{ENDING}", "studio.yaml"}
    assert set(patterns) | {"inode/directory"} == types


def test_the_software_centre_is_told_of_this_version():
    about = ElementTree.parse(LINUX / "org.ptc_studio.PtcStudio.metainfo.xml").getroot()
    assert about.find("launchable").text == "ptc-studio.desktop"
    assert about.find("releases/release").get("version") == __version__
