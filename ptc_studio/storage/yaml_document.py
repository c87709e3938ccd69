"""A YAML document that is edited as data and written as its user left it: only what differs changes in the text."""

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from ptc_studio.storage.yaml_changes import Changes, Page, Splice, children, merged_text, removed_lines, same
from ptc_studio.storage.yaml_tree import Item, YamlNode, inline, rendered
from ptc_studio.storage.yaml_with_lines import YamlError, YamlWithLines

MARK = "\ufeff"
Place = tuple[str | int, ...]


class CannotWrite(ValueError):
    """The change cannot be put into this text without touching something else."""


class YamlDocument:
    """The text and its data; never changes. Raises YamlError for what is no YAML or no mapping."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.lined = YamlWithLines(content)
        self.plain: dict[str, Any] = self.lined.plain
        text = content.decode()
        self._mark = MARK if text.startswith(MARK) else ""
        self._text = text.removeprefix(MARK)
        self._page: Page | None = None

    @property
    def page(self) -> Page:
        if self._page is None:
            self._page = Page(self._text)
        return self._page

    def at(self, location: Place) -> Any:
        """The value there, or None."""
        return value_at(self.plain, location)

    # Changes: each gives the document as it is afterwards.

    def with_data(self, new: Mapping[str, Any]) -> "YamlDocument":
        """The document that has this data; keys may come in any order, those that are there stay where they are."""
        return self._first_right(new, lambda one, way: way(one.page).between(one.plain, new))

    def with_moved(self, location: Place, index: int, to: int) -> "YamlDocument":
        """An item of the list, with its comments, comes to stand at another index."""
        new = deepcopy(self.plain)
        items = value_at(new, location)
        items.insert(to, items.pop(index))
        if same(new, self.plain):
            return self
        try:
            return self._first_right(new, lambda one, _way: _moved(one.page, location, index, to))
        except CannotWrite:
            # Without the lines themselves: comments stay where they are, and what is between them changes.
            return self.with_data(new)

    def with_renamed(self, location: Place, name: str) -> "YamlDocument":
        """A key has another name and stays where it is."""
        new = deepcopy(self.plain)
        holder = value_at(new, location[:-1])
        pairs = [(name if key == location[-1] else key, value) for key, value in holder.items()]
        holder.clear()
        holder.update(pairs)
        return self._first_right(new, lambda one, _way: _renamed(one.page, location, name))

    def _first_right(
        self,
        new: Mapping[str, Any],
        splices: "Callable[[YamlDocument, Callable[[Page], Changes]], list[Splice]]",
    ) -> "YamlDocument":
        """Tries from the smallest change to larger ones until the text says just what it should."""
        for document, way in self._ways():
            try:
                text = document.page.spliced(splices(document, way))
                result = YamlDocument((self._mark + text).encode())
            except (YamlError, UnicodeError, LookupError):
                continue
            except ValueError:
                if document is self and way is _finely:
                    # Bad values are bad in every way; overlapping splices are not.
                    inline(new)
                continue
            if same(result.plain, new):
                return result
        raise CannotWrite("the change cannot be made without touching something else; edit the file by hand")

    def _ways(self) -> "Iterator[tuple[YamlDocument, Callable[[Page], Changes]]]":
        yield self, _finely
        yield self, lambda page: Changes(page, style=replace(page.style, blocks=False))
        for names in self._anchors():
            yield self._without_aliases(names), _finely
        yield self, lambda page: Changes(page, depth=2)
        yield self, lambda page: Changes(page, depth=1)

    def _anchors(self) -> list[set[str]]:
        """Which anchors to do without: each alone, then all."""
        names = sorted({node.text for node, _ in self.page.nodes() if node.kind == "alias"})
        return [*({name} for name in names), *([set(names)] if len(names) > 1 else [])]

    def _without_aliases(self, names: set[str]) -> "YamlDocument":
        """The same data with the values of these anchors written out wherever they are used."""
        root = self.page.root
        splices = list(_written_out(self.page, root, self.plain, names)) if root else []
        return YamlDocument((self._mark + self.page.spliced(splices)).encode())


def value_at(data: Any, location: Place) -> Any:
    """The value there, or None if nothing is."""
    for part in location:
        try:
            data = data[part]
        except (LookupError, TypeError):
            return None
    return data


def _finely(page: Page) -> Changes:
    return Changes(page)


def _item(page: Page, location: Place) -> tuple[YamlNode, Item]:
    """The collection and the item; raises LookupError for what the text has only through an alias."""
    holder, node = page.root, page.root
    item: Item | None = None
    for part in location:
        if node is None or node.kind not in ("map", "list"):
            raise LookupError(location)
        holder = node
        item = node.items[part] if node.kind == "list" else next(each for each in node.items if each.key == part)  # type: ignore[index]
        node = item.value
    if holder is None or item is None:
        raise LookupError(location)
    return holder, item


def _renamed(page: Page, location: Place, name: str) -> list[Splice]:
    holder, item = _item(page, location)
    key = item.key_node
    if key is None:
        raise LookupError(location)
    quote = key.style if key.style in ('"', "'") else None
    return [Splice(key.start, key.end, inline(name, flow=holder.flow, quote=quote))]


def _moved(page: Page, location: Place, index: int, to: int) -> list[Splice]:
    node = _item(page, location)[1].value
    if node.kind != "list":
        raise LookupError(location)
    if node.flow:
        texts = [page.text[item.value.start : item.value.end] for item in node.items]
        texts.insert(to, texts.pop(index))
        return [Splice(item.value.start, item.value.end, text) for item, text in zip(node.items, texts, strict=True)]
    moving = node.items[index]
    text = page.text[page.region_start(moving, first=index == 0) : page.region_end(moving)].rstrip("\r\n")
    blank = page.newline if page.spaced(node) else ""
    if to < index:
        target = page.region_start(node.items[to], first=to == 0)
        fresh = Splice(target, target, text + page.newline + blank)
    else:
        target = page.region_end(node.items[to])
        ended = page.text[target - 1 : target] in ("\r", "\n")
        fresh = Splice(target, target, blank + text + page.newline if ended else page.newline + blank + text)
    return [removed_lines(page, node, index, index), fresh]


def _written_out(page: Page, node: YamlNode, data: Any, names: set[str]) -> Iterator[Splice]:
    own = {item.key for item in node.items if not item.merge}
    for item in node.items:
        if item.merge and (item.value.text in names or any(each.value.text in names for each in item.value.items)):
            brought = {key: value for key, value in data.items() if key not in own}
            yield Splice(item.begin, item.value.end, merged_text(page, item, brought, flow=node.flow))
    for item, value in children(node, data):
        if item.value.kind == "alias":
            if item.value.text in names:
                yield from _value_written_out(page, node, item, value)
        elif item.value.items:
            yield from _written_out(page, item.value, value, names)


def _value_written_out(page: Page, node: YamlNode, item: Item, value: Any) -> Iterator[Splice]:
    start, end = item.value.start, item.value.end
    part = None if node.flow or node.kind == "list" else rendered(value, page.column(item.begin), page.style)
    if part is None or not part.body:
        yield Splice(start, end, inline(value))
        return
    yield Splice(item.after, end, f" {part.head}" if part.head else "")
    below = page.line_end(end)
    yield Splice(below, below, "".join(page.newline + line for line in part.body))
