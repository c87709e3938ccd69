"""What several JavaScript targets look for in a script, by its syntax tree; nothing is executed."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from tree_sitter import Node

from ptc_studio.runtimes import javascript_scopes
from ptc_studio.runtimes.javascript_syntax import Dialect, Syntax, everything, lone_function, top_level, unwrapped
from ptc_studio.targets.python_checks import no_value, uncallable
from ptc_studio.targets.target import CheckedScript, Finding, Source

NODE_GLOBALS = ("process", "require", "module", "Buffer", "fetch", "setTimeout", "setInterval", "URL", "__dirname")
"""What people use without thinking, and a bare V8 has not."""
_STRING_MEMBERS = frozenset(
    re.findall(
        r"\w+",
        "length at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare "
        "match matchAll normalize padEnd padStart repeat replace replaceAll search slice split startsWith "
        "substring substr toLowerCase toUpperCase toString trim trimEnd trimStart valueOf then catch finally",
    )
)


FENCE = "```"


@lru_cache(maxsize=64)
def syntax_of(code: str, dialect: Dialect = "javascript") -> Syntax:
    """The syntax tree of a text; every target looks at the same."""
    return Syntax(code, dialect)


def read(script: CheckedScript) -> Syntax:
    """The script's syntax tree, in the dialect that its text is in."""
    plain = syntax_of(script.code)
    typed = syntax_of(script.code, "typescript") if plain.broken or script.filename.endswith("ts") else plain
    return typed if plain.broken and not typed.broken else plain


def everywhere(script: CheckedScript, *, functions_are_called: bool) -> Iterator[Finding]:
    """What is wrong with a script wherever it goes."""
    if script.code.lstrip().startswith(FENCE):
        # Where functions are called, fences are taken away, too.
        if not functions_are_called:
            yield Finding(1, "A code fence around the script is a syntax error: take it away")
        return
    broken = _syntax_error(script)
    if broken:
        yield broken
        return
    dialect: Dialect = "typescript" if syntax_of(script.code).broken else "javascript"
    found = None if functions_are_called else lone_function(script.code, dialect)
    if found:
        line, text = found
        yield Finding(line, text[0].upper() + text[1:])


def _syntax_error(script: CheckedScript) -> Finding | None:
    """Where the text is neither JavaScript nor TypeScript."""
    syntax = read(script)
    if not syntax.broken:
        return None
    wrong = next((node for node in everything(syntax.root) if node.type == "ERROR" or node.is_missing), None)
    if wrong is None:
        return Finding(None, "The script is no JavaScript")
    missing = f"`{wrong.type}` is missing" if wrong.is_missing else f"near `{_beginning(syntax.text(wrong))}`"
    return Finding(syntax.line(wrong), f"The script is no JavaScript: a syntax error, {missing}")


def _beginning(text: str) -> str:
    line = text.strip().partition("\n")[0]
    return line if len(line) <= 40 else f"{line[:39]}…"


@dataclass(frozen=True, slots=True)
class JsCall:
    """A call, as the text has it, of what may be a tool."""

    node: Node
    root: str
    """What it is called on, such as `tools`; empty for a bare function."""
    name: str
    line: int
    dropped: bool
    """Whether nothing is done with what it gives: nobody awaits it."""
    arguments: tuple[Node, ...]


def tool_calls(script: CheckedScript, is_tool: Callable[[str, str], bool]) -> list[JsCall]:
    """The calls whose root and name `is_tool` takes for a tool's."""
    syntax = read(script)
    found: list[JsCall] = []
    for node in everything(syntax.root):
        if node.type != "call_expression":
            continue
        path = _path(syntax, node.child_by_field_name("function"))
        if path and is_tool(*path):
            given = node.child_by_field_name("arguments")
            arguments = tuple(each for each in given.named_children if each.type != "comment") if given else ()
            parent = node.parent
            dropped = parent is not None and parent.type == "expression_statement" and not _is_last(syntax, parent)
            found.append(JsCall(node, *path, syntax.line(node), dropped, arguments))
    return found


def calls_on_tools(script: CheckedScript) -> list[JsCall]:
    """The calls of members of `tools`, and of what looks like a namespace below it."""
    return tool_calls(script, lambda root, _name: root == "tools" or root.startswith("tools."))


def _is_last(syntax: Syntax, statement: Node) -> bool:
    statements = syntax.statements()
    return bool(statements) and statements[-1].start_byte == statement.start_byte


def _path(syntax: Syntax, function: Node | None) -> tuple[str, str] | None:
    if function is None:
        return None
    if function.type == "identifier":
        return "", syntax.text(function)
    owner = function.child_by_field_name("object")
    if owner is None or owner.type not in ("identifier", "member_expression"):
        return None
    member = function.child_by_field_name("property")
    index = function.child_by_field_name("index")
    if member is not None:
        return syntax.text(owner), syntax.text(member)
    return (syntax.text(owner), syntax.text(index)[1:-1]) if index is not None and index.type == "string" else None


def one_object(calls: list[JsCall], source: Source, *, unless: str = "") -> Iterator[Finding]:
    """Calls that give anything but one object; `unless` says when that is all the same right."""
    for call in calls:
        wrong = None
        if len(call.arguments) > 1:
            wrong = f"{len(call.arguments)} arguments"
        elif call.arguments and call.arguments[0].type in ("string", "number", "array", "template_string", "true"):
            wrong = "an argument that is no object"
        if wrong:
            text = f"`{_shown(call)}` is called with {wrong}: a tool takes one object there"
            yield Finding(call.line, text + (f", {unless}" if unless else ""), source, fails=not unless)


def unawaited(calls: list[JsCall], what: str, source: Source, *, fails: bool) -> Iterator[Finding]:
    """Calls that nobody awaits, and what becomes of them there."""
    for call in calls:
        if call.dropped:
            yield Finding(call.line, f"Nobody awaits `{_shown(call)}`: {what}", source, fails=fails)


def unknown_tools(script: CheckedScript, calls: list[JsCall], renamed: Callable[[str], str]) -> Iterator[Finding]:
    """Calls of what is no tool there, among them those of tools that are called otherwise there."""
    if not script.names:
        return
    for call in calls:
        nested = call.root.startswith("tools.")
        own = f"{call.root.removeprefix('tools.')}.{call.name}" if nested else call.name
        name = f"{call.root}.{call.name}" if f"{call.root}.{call.name}" in script.names else own
        if name in script.names and not nested:
            continue
        there = renamed(own)
        if there in script.names:
            yield Finding(call.line, f"The tool `{own}` is called `{there}` there", "S")
        else:
            yield Finding(call.line, f"There is no tool `{_shown(call)}` there")


def missing_globals(script: CheckedScript, names: Collection[str], source: Source) -> Iterator[Finding]:
    """Names that the target's engine has not."""
    for name, line in undeclared(script, names).items():
        yield Finding(line, f"There is no `{name}` there", source)


def undeclared(script: CheckedScript, names: Collection[str]) -> dict[str, int]:
    """Those of the names that the script uses without having declared them, with the line of their first use."""
    syntax = read(script)
    found: dict[str, int] = {}
    for node in javascript_scopes.undeclared(syntax, certain=False):
        if (name := syntax.text(node)) in names:
            found.setdefault(name, syntax.line(node))
    return found


def unknown_names(script: CheckedScript, is_known: Callable[[str], bool], *, sloppy: bool) -> Iterator[Finding]:
    """Names that the script uses and nobody gives, where that is certain; each where it is used first."""
    syntax = read(script)
    seen: set[str] = set()
    for node in javascript_scopes.undeclared(syntax, sloppy=sloppy):
        name = syntax.text(node)
        if name not in seen and name not in script.inputs and not is_known(name):
            seen.add(name)
            columns = syntax.column(node), syntax.column(node) + len(name)
            text = _unknown(name, script, is_known, called=_is_called(node))
            yield Finding(syntax.line(node), text, fails="--input" not in text, name=name, columns=columns)


def _is_called(node: Node) -> bool:
    parent = node.parent
    part = {"call_expression": "function", "new_expression": "constructor"}.get(parent.type if parent else "")
    return parent is not None and part is not None and parent.child_by_field_name(part) == node


def _unknown(name: str, script: CheckedScript, is_known: Callable[[str], bool], *, called: bool) -> str:
    if any(tool == name or tool.startswith(f"{name}.") for tool in script.names):
        return f"Nothing is called `{name}`: the tool is `tools.{name}`"
    known = list(filter(is_known, _EVERYWHERE | _FUNCTIONS))
    # What is called is no input: those are values of JSON.
    return uncallable(name, known, "JavaScript") if called or get_close_matches(name, known, 1, 0.8) else no_value(name)


def imports(script: CheckedScript) -> Iterator[tuple[int, str]]:
    """The line and the specifier of every import, be it a statement, `import()` or `require()`."""
    syntax = read(script)
    for node in everything(syntax.root):
        source = node.child_by_field_name("source") if node.type in ("import_statement", "export_statement") else None
        if source is None and node.type == "call_expression":
            function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            named = function is not None and syntax.text(function) in ("import", "require")
            source = given.named_children[0] if named and given is not None and given.named_children else None
        if source is not None and source.type == "string":
            yield syntax.line(node), syntax.text(source)[1:-1]


def no_imports(script: CheckedScript, source: Source) -> Iterator[Finding]:
    """Every import, where there is nothing to import."""
    for line, name in imports(script):
        yield Finding(line, f"`{name}` cannot be imported: there are no modules there", source)


def top_level_returns(script: CheckedScript, source: Source) -> Iterator[Finding]:
    """A `return` outside of functions, where the script is a module."""
    syntax = read(script)
    for node in top_level(syntax.root):
        if node.type == "return_statement":
            yield Finding(syntax.line(node), "A `return` at the top level is a syntax error there", source)
            return


def types(script: CheckedScript, source: Source) -> Iterator[Finding]:
    """Types, where nobody takes them out."""
    plain = syntax_of(script.code)
    if plain.broken and not syntax_of(script.code, "typescript").broken:
        first = next((node for node in everything(plain.root) if node.type == "ERROR" or node.is_missing), None)
        yield Finding(plain.line(first) if first else None, "Types are a syntax error there: write JavaScript", source)


def text_used_as_object(script: CheckedScript, calls: list[JsCall], source: Source) -> Iterator[Finding]:
    """What a tool gave, used as if it were an object, where it is text."""
    syntax = read(script)
    texts: set[str] = set()
    for call in calls:
        holder, parent = _unwrapped_result(call.node)
        if parent is None:
            continue
        if parent.type == "variable_declarator":
            target = parent.child_by_field_name("name")
            if target is not None and target.type == "identifier":
                texts.add(syntax.text(target))
            elif target is not None:
                yield _is_text(syntax, target, f"`{_shown(call)}`", source)
        elif parent.type == "member_expression" and parent.child_by_field_name("object") == holder:
            member = parent.child_by_field_name("property")
            if member is not None and syntax.text(member) not in _STRING_MEMBERS:
                yield _is_text(syntax, member, f"`{_shown(call)}`", source)
    for node in everything(syntax.root):
        if node.type != "member_expression":
            continue
        owner, member = node.child_by_field_name("object"), node.child_by_field_name("property")
        if owner is None or member is None or syntax.text(owner) not in texts:
            continue
        if syntax.text(member) not in _STRING_MEMBERS:
            yield _is_text(syntax, member, f"`{syntax.text(owner)}`", source)


def _unwrapped_result(node: Node) -> tuple[Node, Node | None]:
    """The outermost `await` or parenthesis around a call, and what that stands in."""
    holder = node
    while holder.parent is not None and holder.parent.type in ("await_expression", "parenthesized_expression"):
        holder = holder.parent
    return holder, holder.parent


def _is_text(syntax: Syntax, node: Node, what: str, source: Source) -> Finding:
    return Finding(syntax.line(node), f"{what} is text there: read it with JSON.parse first", source)


def _shown(call: JsCall) -> str:
    return f"{call.root}.{call.name}" if call.root else call.name


def mentions(script: CheckedScript, pattern: str) -> bool:
    """Whether the text has it, outside of nothing in particular: good enough to tell a target by."""
    return re.search(pattern, script.code, flags=re.MULTILINE) is not None


_EVERYWHERE = frozenset(
    re.findall(
        r"\w+",
        "console Math JSON Object Array Promise Date Number String Boolean Symbol Reflect Intl BigInt Map Set RegExp "
        "Error process Buffer crypto performance globalThis window document tools codemode this super Atomics URL "
        "Bun Deno",
    )
)


_FUNCTIONS = frozenset(
    re.findall(
        r"\w+",
        "text image audio generatedImage notify store load exit yield_control record_result require fetch "
        "structuredClone queueMicrotask setTimeout setInterval setImmediate String Number Boolean Object Array Symbol "
        "BigInt Error eval super",
    )
)
"""What is called without a dot, and is no tool."""


def _free(script: CheckedScript) -> set[str]:
    """The names that nobody defines."""
    syntax = read(script)
    return {syntax.text(node) for node in javascript_scopes.undeclared(syntax, certain=False)}


def foreign_spaces(script: CheckedScript) -> list[str]:
    """The names that nobody defines and whose members are called with one object, as `github.list({...})`."""
    free = _free(script) - _EVERYWHERE
    calls = tool_calls(script, lambda root, _name: root in free)
    given = (call for call in calls if len(call.arguments) == 1 and call.arguments[0].type == "object")
    return list(dict.fromkeys(call.root for call in given))


def foreign_functions(script: CheckedScript) -> list[str]:
    """The functions that nobody defines and that are called with one object, as `get_weather({...})`."""
    free = _free(script) - _FUNCTIONS
    calls = tool_calls(script, lambda root, name: not root and name in free)
    given = (call for call in calls if len(call.arguments) == 1 and call.arguments[0].type == "object")
    return list(dict.fromkeys(call.name for call in given))


def returns_at_top(script: CheckedScript) -> bool:
    """Whether the text is the body of a function."""
    return any(node.type == "return_statement" for node in top_level(read(script).root))


def is_lone_arrow(script: CheckedScript) -> bool:
    """Whether the whole script is one arrow function."""
    statements = read(script).statements()
    if len(statements) != 1 or statements[0].type != "expression_statement":
        return False
    return any(unwrapped(child).type == "arrow_function" for child in statements[0].named_children)
