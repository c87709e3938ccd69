"""What a folder has for interpreters, compilers and package managers executes nothing, even where nothing is confined."""

import os
from pathlib import Path

import pytest

from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes import catalog as catalog_module
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.sandbox import PlainProcess
from ptc_studio.runtimes.stdio import StdioRouter
from ptc_studio.runtimes.type_check import TypeChecker, TypeCheckRequest
from tests.support import Engine

PYTHON = "import pathlib; pathlib.Path(EXECUTED).touch()\n"
NODE = "require('fs').writeFileSync(EXECUTED, '');\n"
SETTINGS = {
    "sitecustomize.py": PYTHON,
    "usercustomize.py": PYTHON,
    "evil.pth": PYTHON,
    "pyvenv.cfg": "home = .\n",
    "gi.py": PYTHON,
    "package.json": '{"name": "x", "imports": {"#x": "./evil.cjs"}, "scripts": {"postinstall": "./evil.sh"}}',
    "evil.cjs": NODE,
    ".npmrc": "node-options=--require ./evil.cjs\n",
    "bunfig.toml": 'preload = ["./evil.cjs"]\n',
    "deno.json": '{"imports": {"node:fs": "./evil.cjs"}, "nodeModulesDir": "auto", "tasks": {"run": "./evil.sh"}}',
    "tsconfig.json": '{"compilerOptions": {"plugins": [{"name": "./evil.cjs"}]}, "extends": "./evil.cjs"}',
    "go.work": "go 1.21\n\nuse .\n",
    "go.mod": "module evil\n\ngo 1.21\n\ntoolchain go1.99.9\n",
    "go.env": "CC=./evil.sh\nGOFLAGS=-toolexec=./evil.sh\n",
    "rust-toolchain.toml": '[toolchain]\npath = "."\n',
    ".cargo/config.toml": '[build]\nrustc-wrapper = "./evil.sh"\n',
    "bin/rustc": "#!/bin/sh\ntouch EXECUTED\n",
    "evil.sh": "#!/bin/sh\ntouch EXECUTED\n",
    "global.json": '{"sdk": {"version": "1.0.0", "paths": ["."]}}',
    "Directory.Build.props": '<Project><Target Name="x" BeforeTargets="Build"><Exec Command="./evil.sh"/></Target></Project>',
    "csc.rsp": "-analyzer:evil.dll\n",
}
SCRIPTS = {
    "python": ("py", "import json; print('fine')"),
    "node": ("mjs", "import fs from 'node:fs'; console.log('fine')"),
    "typescript": ("ts", "import fs from 'node:fs'; const x: string = 'fine'; console.log(x)"),
    "deno": ("ts", "import fs from 'node:fs'; console.log('fine')"),
    "go": ("go", 'fmt.Println("fine")'),
    "rust": ("rs", 'println!("fine");'),
    "csharp": ("cs", 'Console.WriteLine("fine");'),
}


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    folder = tmp_path / "hostile"
    for name, text in SETTINGS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        executed = str(tmp_path / "executed")
        path.write_text(text.replace("EXECUTED", executed if path.suffix in (".sh", "") else repr(executed)))
        path.chmod(0o755)
    return folder


@pytest.mark.parametrize("name", SCRIPTS)
async def test_a_script_runs_and_nothing_else_does(
    name: str, hostile: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(catalog_module, "best_confiner", PlainProcess)
    # As if the studio had been started there.
    monkeypatch.chdir(hostile)
    ending, code = SCRIPTS[name]
    catalog = RuntimeCatalog(StdioRouter(), spare=0, workspace=hostile)
    try:
        catalog.choose(name, "")
        script = Script(code, f"script.{ending}", str(hostile))
        record = await Session(engine.executor).execute(script, catalog.get(name))
    finally:
        catalog.close()
    assert (record["stdout"], record["status"], record["isolation"]) == ("fine\n", "ok", "process"), record
    assert not (hostile.parent / "executed").exists()
    assert os.listdir(hostile.parent) == ["hostile"]


def test_the_checker_of_types_reads_the_script_and_none_of_the_settings(
    hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(hostile)
    compiler = hostile / "node_modules" / "typescript" / "bin" / "tsc"
    compiler.parent.mkdir(parents=True)
    compiler.write_text(f"#!/usr/bin/env node\n{NODE.replace('EXECUTED', repr(str(tmp_path / 'executed')))}")
    (hostile / "beside.ts").write_text("export const size: number = 1;\n")
    wrong = TypeCheckRequest('import { size } from "./beside.ts";\nconst x: string = size;', "", hostile)
    found = TypeChecker(confiner=PlainProcess).check(wrong)
    assert [each.line for each in found or ()] == [2]
    assert not (tmp_path / "executed").exists()
