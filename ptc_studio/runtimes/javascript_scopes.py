"""Which names of a script in JavaScript or TypeScript nobody in it declares, by the scopes of its syntax tree."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from ptc_studio.runtimes.javascript_syntax import Syntax


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(re.findall(r"\w+", text))


LANGUAGE = words(
    "AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array BigUint64Array Boolean "
    "DataView Date DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array "
    "Function Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy "
    "RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError "
    "Temporal TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet "
    "WebAssembly arguments decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis "
    "isFinite isNaN parseFloat parseInt undefined unescape"
)
"""What every engine has, newer ones among them: what an older one lacks is not told before the run."""
_WEB = words(
    "AbortController AbortSignal Blob BroadcastChannel ByteLengthQueuingStrategy CloseEvent CompressionStream "
    "CountQueuingStrategy Crypto CryptoKey CustomEvent DOMException DecompressionStream ErrorEvent Event "
    "EventSource EventTarget File FormData Headers MessageChannel MessageEvent MessagePort Navigator Performance "
    "PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserver PerformanceObserverEntryList "
    "PerformanceResourceTiming QuotaExceededError ReadableByteStreamController ReadableStream "
    "ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader "
    "Request Response Storage SubtleCrypto TextDecoder TextDecoderStream TextEncoder TextEncoderStream "
    "TransformStream TransformStreamDefaultController URL URLPattern URLSearchParams WebSocket WritableStream "
    "WritableStreamDefaultController WritableStreamDefaultWriter atob btoa clearInterval clearTimeout console "
    "crypto fetch localStorage navigator performance queueMicrotask sessionStorage setInterval setTimeout "
    "structuredClone Buffer clearImmediate global process setImmediate gc"
)
_DENO = words(
    "Cache CacheStorage DOMMatrix DOMMatrixReadOnly DOMPoint DOMPointReadOnly DOMQuad DOMRect DOMRectReadOnly "
    "Deno FileReader GPU GPUAdapter GPUAdapterInfo GPUBindGroup GPUBindGroupLayout GPUBuffer GPUBufferUsage "
    "GPUCanvasContext GPUColorWrite GPUCommandBuffer GPUCommandEncoder GPUCompilationInfo GPUCompilationMessage "
    "GPUComputePassEncoder GPUComputePipeline GPUDevice GPUDeviceLostInfo GPUError GPUInternalError GPUMapMode "
    "GPUOutOfMemoryError GPUPipelineError GPUPipelineLayout GPUQuerySet GPUQueue GPURenderBundle "
    "GPURenderBundleEncoder GPURenderPassEncoder GPURenderPipeline GPUSampler GPUShaderModule GPUShaderStage "
    "GPUSupportedFeatures GPUSupportedLimits GPUTexture GPUTextureUsage GPUTextureView GPUUncapturedErrorEvent "
    "GPUValidationError ImageBitmap ImageBitmapRenderingContext ImageData Location Lock LockManager "
    "NavigatorUAData OffscreenCanvas ProgressEvent PromiseRejectionEvent Window Worker alert caches close closed "
    "confirm createImageBitmap location name nodeBootstrap onbeforeunload onerror onload onunhandledrejection "
    "onunload prompt reportError self"
)
_TOOLS = frozenset(("tools", "callTool", "call_tool", "ToolError"))
NODE = LANGUAGE | _WEB
DENO = NODE | _DENO
_BY_RUNTIME = {"node": NODE | _TOOLS, "deno": DENO | _TOOLS}
_ANY_RUNTIME = DENO | _TOOLS | {"Bun", "HTMLRewriter"}


def is_global(name: str, runtime: str = "") -> bool:
    """Whether a script finds the name defined in that runtime; in any, where it is none of those that are known."""
    return name in _BY_RUNTIME.get(runtime, _ANY_RUNTIME)


@dataclass(slots=True)
class _Scope:
    """Where names are declared."""

    outer: "_Scope | None" = None
    of_function: bool = True
    """Whether `var` stays in it."""
    names: set[str] = field(default_factory=set[str])

    def has(self, name: str) -> bool:
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.names:
                return True
            scope = scope.outer
        return False

    @property
    def function(self) -> "_Scope":
        """The scope that a `var` here is declared in."""
        scope = self
        while not scope.of_function and scope.outer is not None:
            scope = scope.outer
        return scope


def undeclared(syntax: Syntax, *, certain: bool = True, sloppy: bool = False) -> list[Node]:
    """The identifiers that are used though nobody declares them, in the order of the text.

    `certain`: none in a text with mistakes, nor beside `eval` or what else may define any name. What `typeof` asks for
    may be missing, as the script itself knows. `sloppy`: an assignment declares a name.
    """
    walk = _Walk(syntax, sloppy)
    walk.go()
    if certain and (syntax.broken or walk.anything):
        return []
    found = (node for node, scope in walk.uses if not scope.has(syntax.text(node)))
    return sorted((node for node in found if syntax.text(node) not in walk.asked), key=lambda node: node.start_byte)


Ahead = tuple[Node, _Scope]
_NAMES = frozenset(("identifier", "shorthand_property_identifier"))
_PATTERNS = frozenset(("object_pattern", "array_pattern"))
_GLOBAL_OBJECTS = frozenset(("globalThis", "global", "window", "self"))
_TYPES = words(
    "type_annotation type_arguments type_parameters function_type constructor_type object_type type_query "
    "nested_type_identifier type_predicate type_predicate_annotation asserts asserts_annotation index_signature "
    "tuple_type union_type intersection_type array_type generic_type conditional_type lookup_type index_type_query "
    "literal_type template_literal_type readonly_type parenthesized_type infer_type method_signature "
    "abstract_method_signature construct_signature call_signature property_signature implements_clause "
    "optional_type rest_type opting_type_annotation omitting_type_annotation adding_type_annotation"
)
"""TypeScript's, of which nothing is left when the script runs."""
_UNCERTAIN = frozenset(("with_statement", "jsx_element", "jsx_self_closing_element"))


class _Walk:
    """Goes through a tree once: declarations into their scopes, uses into a list. Without recursion, for texts are
    nested as deeply as somebody likes."""

    def __init__(self, syntax: Syntax, sloppy: bool) -> None:
        self._text = syntax.text
        self._sloppy = sloppy
        self._module = _Scope()
        self._ahead: list[Ahead] = [(syntax.root, self._module)]
        self.uses: list[Ahead] = []
        self.asked: set[str] = set()
        self.anything = False
        """Whether something in the text may define any name."""

    def go(self) -> None:
        while self._ahead:
            node, scope = self._ahead.pop()
            handler = _HANDLERS.get(node.type)
            if node.type in _NAMES:
                self._use(node, scope)
            elif handler is not None:
                handler(self, node, scope)
            elif node.type in _UNCERTAIN:
                self.anything = True
            elif node.type not in _TYPES:
                self._below(node, scope)

    def _below(self, node: Node, scope: _Scope, without: Node | None = None) -> None:
        self._ahead += [(child, scope) for child in node.named_children if child != without]

    def _use(self, node: Node, scope: _Scope) -> None:
        name, parent = self._text(node), node.parent
        if name in _GLOBAL_OBJECTS and not (parent is not None and parent.type == "member_expression"):
            # Handed to somebody, who may put anything into it.
            self.anything = self.anything or not scope.has(name)
        self.anything = self.anything or name == "eval"
        # The parser takes some for names that can be none.
        self.uses += [(node, scope)] if name not in ("await", "yield") else []

    def _bind(self, pattern: Node | None, into: _Scope, scope: _Scope) -> None:
        """Declares all names of a pattern; its defaults and computed keys are used."""
        for name in self._names_of(pattern, scope):
            into.names.add(self._text(name))

    def _names_of(self, pattern: Node | None, scope: _Scope) -> Iterator[Node]:
        parts = [pattern] if pattern is not None else []
        while parts:
            part = parts.pop()
            if part.type in ("identifier", "type_identifier", "shorthand_property_identifier_pattern"):
                yield part
            elif part.type in ("assignment_pattern", "object_assignment_pattern"):
                self._later(part.child_by_field_name("right"), scope)
                parts += _present(part.child_by_field_name("left"))
            elif part.type in ("required_parameter", "optional_parameter"):
                self._later(part.child_by_field_name("value"), scope)
                parts += _present(part.child_by_field_name("pattern"))
            elif part.type == "pair_pattern":
                self._later(part.child_by_field_name("key"), scope)
                parts += _present(part.child_by_field_name("value"))
            elif part.type in ("rest_pattern", "formal_parameters") or part.type in _PATTERNS:
                parts += part.named_children
            else:
                # Such as the `a.b` of `[a.b] = pair`.
                self._later(part, scope)

    def _later(self, node: Node | None, scope: _Scope) -> None:
        self._ahead += [(each, scope) for each in _present(node)]

    def on_function(self, node: Node, scope: _Scope) -> None:
        name = node.child_by_field_name("name")
        inner = _Scope(scope)
        if name is not None and node.type.endswith(("_declaration", "_signature")):
            # Also where it stands in a block: without "use strict" it is seen outside.
            self._declare(name, scope)
            scope.function.names.add(self._text(name))
        elif name is not None and node.type != "method_definition":
            self._declare(name, inner)
        elif name is not None:
            self._later(name, scope)
        for part in ("parameter", "parameters"):
            self._bind(node.child_by_field_name(part), inner, inner)
        self._later(node.child_by_field_name("body"), inner)

    def _declare(self, name: Node | None, scope: _Scope) -> None:
        if name is not None:
            scope.names.add(self._text(name))

    def on_class(self, node: Node, scope: _Scope) -> None:
        name = node.child_by_field_name("name")
        inner = scope if node.type.endswith("_declaration") else _Scope(scope, of_function=False)
        self._declare(name, inner)
        self._below(node, inner, without=name)

    def on_declaration(self, node: Node, scope: _Scope) -> None:
        into = scope.function if node.type == "variable_declaration" else scope
        for each in node.named_children:
            self._bind(each.child_by_field_name("name"), into, scope)
            self._later(each.child_by_field_name("value"), scope)

    def on_loop(self, node: Node, scope: _Scope) -> None:
        inner = _Scope(scope, of_function=False)
        kind, left = node.child_by_field_name("kind"), node.child_by_field_name("left")
        if kind is None and left is not None:
            self._assigned(left, scope)
        else:
            self._bind(left, inner.function if kind is not None and self._text(kind) == "var" else inner, inner)
        self._later(node.child_by_field_name("right"), scope)
        self._later(node.child_by_field_name("body"), inner)

    def on_block(self, node: Node, scope: _Scope) -> None:
        self._below(node, _Scope(scope, of_function=node.type == "class_static_block"))

    def on_catch(self, node: Node, scope: _Scope) -> None:
        inner, parameter = _Scope(scope, of_function=False), node.child_by_field_name("parameter")
        self._bind(parameter, inner, inner)
        self._below(node, inner, without=parameter)

    def on_import(self, node: Node, _scope: _Scope) -> None:
        clause = [child for child in node.named_children if child.type in ("import_clause", "import_require_clause")]
        source = node.child_by_field_name("source")
        if not clause and source is not None and not self._text(source)[1:].startswith("node:"):
            # For what it does, which may be to define names.
            self.anything = True
        parts = clause
        while parts:
            part = parts.pop()
            if part.type == "import_specifier":
                self._declare(part.child_by_field_name("alias") or part.child_by_field_name("name"), self._module)
            elif part.type == "identifier":
                self._declare(part, self._module)
            else:
                parts += part.named_children

    def on_import_alias(self, node: Node, scope: _Scope) -> None:
        self._declare(next(iter(node.named_children), None), scope)

    def on_export(self, node: Node, scope: _Scope) -> None:
        if node.child_by_field_name("source") is None:
            self._below(node, scope)

    def on_export_specifier(self, node: Node, scope: _Scope) -> None:
        self._later(node.child_by_field_name("name"), scope)

    def on_assignment(self, node: Node, scope: _Scope) -> None:
        left = node.child_by_field_name("left")
        if left is not None:
            self._assigned(left, scope)
        self._later(node.child_by_field_name("right"), scope)

    def _assigned(self, left: Node, scope: _Scope) -> None:
        owner = left.child_by_field_name("object") if left.type == "member_expression" else None
        if owner is not None and self._text(owner) in _GLOBAL_OBJECTS:
            self._declare(left.child_by_field_name("property"), self._module)
        elif left.type in _PATTERNS or left.type == "identifier":
            names = list(self._names_of(left, scope))
            self.uses += [(name, scope) for name in names]
            self._module.names.update(map(self._text, names) if self._sloppy else ())
        else:
            self._later(left, scope)

    def on_unary(self, node: Node, scope: _Scope) -> None:
        value = node.child_by_field_name("argument")
        if value is not None and value.type == "identifier" and node.children[0].type == "typeof":
            self.asked.add(self._text(value))
        else:
            self._below(node, scope)

    def on_member(self, node: Node, scope: _Scope) -> None:
        self._later(node.child_by_field_name("object"), scope)

    def on_subscript(self, node: Node, scope: _Scope) -> None:
        owner = node.child_by_field_name("object")
        # Whatever name it is may be defined so.
        self.anything = self.anything or (owner is not None and self._text(owner) in _GLOBAL_OBJECTS)
        self._below(node, scope)

    def on_typed(self, node: Node, scope: _Scope) -> None:
        """`x as T`, `x satisfies T`: the first is the value."""
        self._later(next(iter(node.named_children), None), scope)

    def on_enum(self, node: Node, scope: _Scope) -> None:
        self._declare(node.child_by_field_name("name"), scope)
        inner, body = _Scope(scope, of_function=False), node.child_by_field_name("body")
        for member in body.named_children if body is not None else ():
            self._declare(member.child_by_field_name("name") or member, inner)
            self._later(member.child_by_field_name("value"), inner)

    def on_namespace(self, node: Node, scope: _Scope) -> None:
        self._declare(node.child_by_field_name("name"), scope)
        self._later(node.child_by_field_name("body"), _Scope(scope))

    def on_type(self, node: Node, scope: _Scope) -> None:
        """Declared, for it may be exported; whoever takes it for a value is told by the compiler."""
        self._declare(node.child_by_field_name("name"), scope)

    def on_ambient(self, node: Node, _scope: _Scope) -> None:
        """`declare const x: number`: somebody else has it."""
        parts = list(node.named_children)
        while parts:
            part = parts.pop()
            name = part.child_by_field_name("name")
            if name is not None and name.type in ("identifier", "type_identifier"):
                self._declare(name, self._module)
            parts += part.named_children if part.type not in _TYPES else []


def _present(node: Node | None) -> list[Node]:
    return [node] if node is not None else []


_FUNCTIONS = (
    "function_declaration generator_function_declaration function_signature function_expression generator_function "
    "arrow_function method_definition"
)
_PARTS: dict[str, Callable[[_Walk, Node, _Scope], None]] = {
    _FUNCTIONS: _Walk.on_function,
    "class_declaration abstract_class_declaration class": _Walk.on_class,
    "variable_declaration lexical_declaration": _Walk.on_declaration,
    "for_in_statement": _Walk.on_loop,
    "statement_block switch_body class_static_block for_statement": _Walk.on_block,
    "catch_clause": _Walk.on_catch,
    "import_statement": _Walk.on_import,
    "import_alias": _Walk.on_import_alias,
    "export_statement": _Walk.on_export,
    "export_specifier": _Walk.on_export_specifier,
    "assignment_expression": _Walk.on_assignment,
    "unary_expression": _Walk.on_unary,
    "member_expression": _Walk.on_member,
    "subscript_expression": _Walk.on_subscript,
    "as_expression satisfies_expression": _Walk.on_typed,
    "enum_declaration": _Walk.on_enum,
    "internal_module module": _Walk.on_namespace,
    "interface_declaration type_alias_declaration": _Walk.on_type,
    "ambient_declaration": _Walk.on_ambient,
}
_HANDLERS = {kind: handler for kinds, handler in _PARTS.items() for kind in kinds.split()}
