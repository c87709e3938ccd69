"""What tells a module of definitions from a script, without executing either."""

import textwrap
from pathlib import Path

import pytest

from ptc_studio.core.python_text import parsed
from ptc_studio.locations import EXAMPLES, SAMPLE_TOOLS
from ptc_studio.sources.functions.top_level import first_doing


def doing(text: str):
    return first_doing(parsed(textwrap.dedent(text)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        '"""Only words."""',
        "from __future__ import annotations\nimport os, re\nfrom . import other\n",
        "def f(a: int = 1, *, b=None): print(a)\nasync def g(): await f()\n",
        "@decorator(1)\ndef f(): ...\n",
        "LIMIT = 3\nNAMES = ['a', *('b',)]\nTABLE: dict[str, int] = {'a': LIMIT * 2, **{}}\nx, y = 1, -2\nLIMIT += 1\n",
        "import os\nHOME = os.environ['HOME']\nKEY = os.environ.get('K', '') or os.getenv('L')\nos.environ['A'] = 'b'\n",
        "import re, logging\nWORD = re.compile(r'x')\nlog = logging.getLogger(__name__)\nlog.setLevel(logging.INFO)\n",
        "from pathlib import Path as P\nROOT = P(__file__).resolve().parent / 'data'\nTEXT = (ROOT / 'a').read_text()\n",
        "from typing import TypeVar, NewType\nT = TypeVar('T')\nId = NewType('Id', int)\n",
        "from collections import namedtuple, deque\nPoint = namedtuple('Point', 'x y')\nQ = deque[int]()\n",
        "from dataclasses import dataclass, field\n@dataclass\nclass A:\n    x: list = field(default_factory=list)\nONE = A()\n",
        "class Store:\n    def __init__(self, size=3):\n        super().__init__()\n        self.rows = {}\nSTORE = Store(4)\n",
        "from openai import OpenAI\nimport httpx\nclient = OpenAI()\nweb = httpx.Client(timeout=3)\n",
        "from typing import Annotated\nfrom utils.function_catalog import ParamMeta\nCity = Annotated[str, ParamMeta('x')]\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import x\nelse:\n    x = None\n",
        "try:\n    import fast\nexcept ImportError:\n    fast = None\nfinally:\n    pass\n",
        "from contextlib import suppress\nwith suppress(ImportError):\n    import fast\n",
        "import sys\nif sys.version_info >= (3, 12):\n    A = 1\nsys.path.insert(0, '.')\n",
        "def main(): ...\nif __name__ == '__main__':\n    main()\n    print('never seen')\n",
        "WORDS = 'a b'.split()\nUPPER = [word.upper() for word in WORDS]\nJOINED = ', '.join(sorted(map(str, UPPER)))\n",
        "__all__ = ['f']\n__all__.append('g')\n__all__ += ['h']\ndel WORDS\nassert __all__\n",
        "SQUARE = lambda n: print(n)\nTEXT = f'{1 + 1:>3}'\nBIG = 5 if TEXT else 6\n",
        "raise RuntimeError('install it first')\n",
        "x = 1 / 0\n",
    ],
)
def test_a_module_of_definitions_does_nothing(text):
    assert doing(text) is None


@pytest.mark.parametrize(
    ("text", "line", "quoted"),
    [
        ("x = 1\nprint(x)\n", 2, "print(x)"),
        ("order = get_order(1004)\n", 1, "order = get_order(1004)"),
        ("names = [add(n, 1) for n in (1, 2)]\n", 1, "names = [add(n, 1) for n in (1, 2)]"),
        ("total = shop.get(3)\n", 1, "total = shop.get(3)"),
        ("for n in range(3):\n    print(n)\n", 1, "for n in range(3):"),
        ("while True:\n    break\n", 1, "while True:"),
        ("import asyncio\nasync def main(): ...\nasyncio.run(main())\n", 3, "asyncio.run(main())"),
        ("value = await aio.add(1, 2)\n", 1, "value = await aio.add(1, 2)"),
        ("with open('a', 'w') as f:\n    f.write('x')\n", 1, "with open('a', 'w') as f:"),
        ("open('a', 'w')\n", 1, "open('a', 'w')"),
        ("import requests\nr = requests.get('http://x')\n", 2, "r = requests.get('http://x')"),
        ("import subprocess\np = subprocess.Popen(['x'])\n", 2, "p = subprocess.Popen(['x'])"),
        ("import os\nx = [os.system('x')]\n", 2, "x = [os.system('x')]"),
        ("def f(): ...\nf()\n", 2, "f()"),
        ("def f(): ...\nRESULT = f()\n", 2, "RESULT = f()"),
        ("def f(a=print('x')): ...\n", 1, "def f(a=print('x')):"),
        ("class A:\n    print('x')\n", 2, "print('x')"),
        ("class A:\n    def __init__(self):\n        print('x')\nA()\n", 4, "A()"),
        ("if True:\n    print('x')\n", 2, "print('x')"),
        ("try:\n    import x\nexcept ImportError:\n    print('x')\n", 4, "print('x')"),
        ("if __name__ == '__main__':\n    pass\nelse:\n    print('x')\n", 4, "print('x')"),
        ("from pathlib import Path\nPath('a').write_text('x')\n", 2, "Path('a').write_text('x')"),
        ("from pathlib import Path\nPath('a').replace('b')\n", 2, "Path('a').replace('b')"),
        ("xs = list(map(print, [1]))\n", 1, "xs = list(map(print, [1]))"),
        (
            "import importlib\nimportlib.import_module('os').system('x')\n",
            2,
            "importlib.import_module('os').system('x')",
        ),
        ("eval('1')\n", 1, "eval('1')"),
        ("call_tool('add', {'a': 1})\n", 1, "call_tool('add', {'a': 1})"),
        ("x = add(" + "1, " * 40 + ")\n", 1, "x = add(" + "1, " * 17 + "…"),
    ],
)
def test_a_script_is_known_by_the_first_line_that_does_something(text, line, quoted):
    found = doing(text)
    assert found is not None
    assert (found.line, found.text) == (line, quoted)


def test_a_name_that_the_file_gives_another_meaning_is_not_the_builtin():
    assert doing("from shop import sum\nx = sum([1])\n") is not None
    assert doing("def sum(x): ...\nx = sum([1])\n") is not None


@pytest.mark.parametrize("file", sorted(SAMPLE_TOOLS.glob("*.py")), ids=lambda file: file.name)
def test_the_sample_tools_are_definitions(file: Path):
    assert first_doing(parsed(file.read_text())) is None


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.py")), ids=lambda file: file.name)
def test_the_examples_are_scripts(file: Path):
    assert first_doing(parsed(file.read_text())) is not None


DECORATED = {
    "of another package": "from langchain_core.tools import tool\n@tool\ndef f(): pass",
    "of a server in the file": "from mcp.server import FastMCP\nmcp = FastMCP('x')\n@mcp.tool(name='f')\ndef f(): pass",
    "of the library": "import functools\nfrom dataclasses import dataclass\n@functools.lru_cache(maxsize=9)\ndef f(): pass\n@dataclass(frozen=True)\nclass C: pass",
    "of a class": "class C:\n    @property\n    def a(self): pass\n    @a.setter\n    def a(self, v): pass\n    @staticmethod\n    def s(): pass",
    "of its own": "import functools\nKNOWN = []\ndef known(f):\n    KNOWN.append(f)\n    @functools.wraps(f)\n    def inner(*a):\n        print(a)\n        return f(*a)\n    return inner\n@known\ndef g(): pass",
    "of its own, with arguments": "def times(n):\n    def wrap(f):\n        f.times = n\n        return f\n    return wrap\n@times(3)\ndef g(): pass",
    "none, but an annotation": "from typing import Annotated\nfrom pydantic import Field\ndef f(a: Annotated[int, Field(gt=0)] = 1) -> 'list[int]': pass",
    "none, but a base": "from typing import NamedTuple, Generic, TypeVar\nT = TypeVar('T')\nclass A(Generic[T]): pass\nclass B(A[int]): pass\nclass P(NamedTuple('P', [('x', int)])): pass",
}
ACTING = {
    "a decorator that prints": "@print\ndef f(): pass",
    "a decorator of the system": "import os\n@os.system\ndef f(): pass",
    "an argument of a decorator": "import functools, os\n@functools.lru_cache(os.system('x'))\ndef f(): pass",
    "a decorator of the file that acts": "def d(f):\n    print('x')\n    return f\n@d\ndef g(): pass",
    "the inner part of one": "def d(n):\n    def wrap(f):\n        open('x', 'w')\n        return f\n    return wrap\n@d(1)\ndef g(): pass",
    "what one gives": "import os\ndef d(f):\n    return os.system('x')\n@d\ndef g(): pass",
    "an annotation": "import os\ndef f(a: os.system('x')): pass",
    "the annotation of a result": "import os\ndef f() -> os.system('x'): pass",
    "the annotation of a value": "import os\na: os.system('x') = 1",
    "a base class": "import os\nclass C(os.popen('x').__class__): pass",
    "a metaclass": "class M(type):\n    def __new__(cls, *a):\n        print('x')\n        return type.__new__(cls, *a)\nclass C(metaclass=M): pass",
    "what a base does to classes below it": "class A:\n    def __init_subclass__(cls):\n        print('x')\nclass B(A): pass",
    "a decorator of a class": "@exec\nclass C: pass",
    "a decorator in a class": "class C:\n    @print\n    def f(self): pass",
    "a lambda that acts": "@(lambda f: print(f))\ndef f(): pass",
}


@pytest.mark.parametrize("name", DECORATED)
def test_decorators_annotations_and_bases_of_known_kinds_are_definitions(name: str):
    assert doing(DECORATED[name]) is None


@pytest.mark.parametrize("name", ACTING)
def test_decorators_annotations_and_bases_that_do_something_make_a_script(name: str):
    assert doing(ACTING[name]) is not None
