"""A line that was pasted into a form, taken apart: a cURL call becomes a request, a command line a server or a tool."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

_PROMPT = re.compile(r"^[$%>]\s+")
"""What a terminal shows before a line, and is copied with it."""
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_DATA = ("-d", "--data", "--data-raw", "--data-ascii", "--data-binary", "--data-urlencode", "--json")
_VALUED = {
    "-X": "method", "--request": "method", "-H": "header", "--header": "header", "-u": "user", "--user": "user",
    "-A": "agent", "--user-agent": "agent", "-e": "referer", "--referer": "referer", "-b": "cookie",
    "--cookie": "cookie", "--url": "url", "-m": "timeout", "--max-time": "timeout",
    **dict.fromkeys(_DATA, "data"),
    # What is of no use in a request that is a tool.
    **dict.fromkeys(("-o", "--output", "-w", "--write-out", "--connect-timeout", "-F", "--form", "--retry"), ""),
}  # fmt: skip
"""The options that are followed by a value, and what that is."""
_NAMED_HEADERS = {"agent": "User-Agent", "referer": "Referer", "cookie": "Cookie"}


def taken_apart(kind: str, field: str, text: str) -> dict[str, Any] | None:
    """The values of an entry that the pasted text stands for; None where it is nothing but the field's own text."""
    text = _PROMPT.sub("", text.replace("\\\n", " ").strip())
    if kind == "http" and field == "url" and re.match(r"curl(\.exe)?\s", text):
        return _request(text)
    if kind == "mcp" and field == "command" and re.search(r"\s", text):
        return _server(text)
    if kind == "command" and field == "argv":
        return _command(text)
    return None


def _words(text: str) -> list[str] | None:
    try:
        return shlex.split(text)
    except ValueError:
        return None


def _environment(words: list[str]) -> dict[str, str]:
    """What is set before the program; it is taken from the words."""
    environment = dict[str, str]()
    while words and (found := _ASSIGNMENT.fullmatch(words[0])):
        environment[found[1]] = found[2]
        words.pop(0)
    return environment


def _command(text: str) -> dict[str, Any] | None:
    words = before = _words(text) or []
    if words[:1] in (["$"], ["%"], [">"]):
        words = words[1:]
    folder, words = (words[1], words[3:]) if words[:1] == ["cd"] and words[2:3] == ["&&"] else ("", list(words))
    environment = _environment(words)
    if not words or words == before:
        return None
    given: dict[str, Any] = {"argv": words, "env": environment, "cwd": folder}
    return {name: value for name, value in given.items() if value}


def _server(text: str) -> dict[str, Any] | None:
    words = _words(text) or []
    environment = _environment(words)
    if not words or (len(words) == 1 and not environment):
        return None
    given: dict[str, Any] = {"command": words[0], "args": words[1:], "env": environment}
    return {name: value for name, value in given.items() if value}


def _request(text: str) -> dict[str, Any] | None:
    words = _words(text)
    if words is None:
        return None
    found: dict[str, Any] = {"headers": {}}
    data: list[tuple[str, str]] = []
    for option, value in _options(words[1:]):
        match _VALUED.get(option, "url" if not option else ""):
            case "method":
                found["method"] = value.upper()
            case "url":
                found.setdefault("url", value)
            case "header":
                name, _, rest = value.partition(":")
                found["headers"][name.strip()] = rest.strip()
            case "data":
                data.append((option, value))
            case "user":
                # The password belongs into a secret; what is typed here is what the form shows it as.
                found["headers"]["Authorization"] = f"Basic {_basic(value)}"
            case "timeout":
                found["timeout"] = float(value)
            case "agent" | "referer" | "cookie" as name:
                found["headers"][_NAMED_HEADERS[name]] = value
            case _:
                pass
    return _completed(found, data, get="-G" in words or "--get" in words, head="-I" in words or "--head" in words)


def _options(words: list[str]) -> Iterator[tuple[str, str]]:
    """Each option with its value; an address comes with no option."""
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        name, joined, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if joined and name in _VALUED:
            yield name, value
        elif word in _VALUED:
            yield word, waiting.pop(0) if waiting else ""
        elif re.match(r"-[XHdub].", word) and not word.startswith("--"):
            yield word[:2], word[2:]
        elif not word.startswith("-"):
            yield "", word


def _basic(user: str) -> str:
    from base64 import b64encode

    return b64encode(user.encode()).decode()


def _completed(found: dict[str, Any], data: list[tuple[str, str]], *, get: bool, head: bool) -> dict[str, Any] | None:
    url = found.get("url")
    if not url:
        return None
    parts = urlsplit(url if "://" in url else f"https://{url}")
    query: dict[str, Any] = dict(parse_qsl(parts.query, keep_blank_values=True))
    found["url"] = urlunsplit(parts._replace(query="", fragment=""))
    body = "&".join(value for _, value in data)
    if get:
        query |= dict(parse_qsl(body, keep_blank_values=True))
    elif data:
        found |= _body(body, found["headers"], is_json=any(option == "--json" for option, _ in data))
        found.setdefault("method", "POST")
    if head:
        found.setdefault("method", "HEAD")
    found["query"] = query
    return {name: value for name, value in found.items() if value not in ({}, None, "")}


def _body(text: str, headers: Mapping[str, str], *, is_json: bool) -> dict[str, Any]:
    kind = next((value for name, value in headers.items() if name.lower() == "content-type"), "")
    try:
        if is_json or "json" in kind or text[:1] in "{[":
            return {"body": json.loads(text), "body_as": "json"}
    except ValueError:
        pass
    pairs = parse_qsl(text, keep_blank_values=True)
    if "text" not in kind and pairs and re.fullmatch(r"[^=&\s]+=[^&]*(&[^=&\s]+=[^&]*)*", text):
        return {"body": dict(pairs), "body_as": "form"}
    return {"body": text, "body_as": "text"}
