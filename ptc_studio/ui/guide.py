"""Help: the pages of the guide in a window of their own, offline, beside the work; and all keys on one sheet."""

import re
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import (
    QFont,
    QIcon,
    QImage,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPixmap,
    QResizeEvent,
    QShortcut,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextImageFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.bounded_files import read_bytes
from ptc_studio.locations import GUIDE
from ptc_studio.ui.commands import MENUS, Actions, Command
from ptc_studio.ui.dialogs.questions import open_outside
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel
from ptc_studio.ui.widgets.layout import Scrolled, upright_rule
from ptc_studio.ui.widgets.pages import StillBrowser

ROOM = 48
"""What is left free of the window around it."""


class CheatSheet(QDialog):
    """A dialog that is only read; it does not hold up the window."""

    def __init__(self, parent: QWidget, commands: Actions) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        grid = QGridLayout()
        grid.setHorizontalSpacing(32)
        for column, menus in enumerate((("File", "Edit"), ("View",), ("Run", "Tools", "Help"))):
            grid.addLayout(_column(menus, commands.all), 0, column, Qt.AlignmentFlag.AlignTop)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        sheet = QWidget()
        grid.setContentsMargins(0, 0, 0, 0)
        sheet.setLayout(grid)
        layout.addWidget(Scrolled(sheet), 1)
        layout.addWidget(buttons)
        room = parent.window().size() - QSize(ROOM, ROOM)
        bar = self.fontMetrics().height()
        self.resize((self.sizeHint() + QSize(bar, bar)).boundedTo(room))


def _column(menus: tuple[str, ...], commands: tuple[Command, ...]) -> QGridLayout:
    rows = QGridLayout()
    rows.setHorizontalSpacing(16)
    rows.setVerticalSpacing(8)
    for menu in (name for name in MENUS if name in menus):
        title = PlainLabel(menu)
        title.setProperty("role", "title")
        title.setContentsMargins(0, 12 if rows.count() else 0, 0, 0)
        rows.addWidget(title, rows.rowCount(), 0, 1, 2)
        for command in (command for command in commands if command.menu == menu and command.keys):
            row = rows.rowCount()
            keys = PlainLabel(QKeySequence(command.keys[0]).toString(QKeySequence.SequenceFormat.NativeText))
            keys.setProperty("role", "muted")
            rows.addWidget(PlainLabel(command.text.rstrip("…")), row, 0)
            rows.addWidget(keys, row, 1, Qt.AlignmentFlag.AlignRight)
    return rows


INDEX, FIRST = "README.md", "what_it_is.md"
WIDTH, HEIGHT, TOPICS = 1080, 760, 250
IMAGE = QTextDocument.ResourceType.ImageResource.value
LANGUAGE_PAGES = {"wat": "wasm.md"}
_LINK = re.compile(r"^- \[(.+?)\]\((\w+\.md)\)|^(How .+) in each language:$", re.MULTILINE)


def topics() -> list[tuple[str, str]]:
    """The title and the page of each topic, in the order of the index; a title without a page heads those below it."""
    text = read_bytes(GUIDE / INDEX).decode()
    return [(found[1] or found[3], found[2] or "") for found in _LINK.finditer(text)]


def page_for(language: str) -> str:
    """The page that says how tools are called in the language; the first one for a language that has none."""
    page = LANGUAGE_PAGES.get(language, f"{language}.md")
    return page if any(page == known for _, known in topics()) else FIRST


class GuidePage(StillBrowser):
    """One page. It reads pages and pictures of the guide, and nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("guidePage")
        self.setAccessibleName("Page of the guide")
        self.setOpenLinks(False)
        self.setFrameShape(StillBrowser.Shape.NoFrame)
        self.page = ""
        theme().changed.connect(self._on_theme_changed)

    def show_page(self, name: str) -> None:
        """Shows the page of that name."""
        if not name:
            return
        again, place = name == self.page, self.verticalScrollBar().value()
        self.page = name
        self.document().setDefaultFont(theme().text_font())
        self.document().setDocumentMargin(theme().pixels(6 * SPACE))
        self.setMarkdown(read_bytes(GUIDE / name).decode())
        _apply_style(self.document())
        self._fit_pictures()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(place if again else 0)

    def _on_theme_changed(self) -> None:
        """The colours are in the text."""
        self.show_page(self.page)

    def _fit_pictures(self) -> None:
        """As wide as the page, and no wider than they are; each is a link to the large one of it."""
        for fragment, shape in list(_pictures(self.document())):
            picture = picture_of(shape.name())
            if picture.isNull():
                continue
            shape.setWidth(min(self._room, picture.width()))
            shape.setHeight(round(picture.height() * shape.width() / picture.width()))
            shape.setAnchor(True)
            shape.setAnchorHref(shape.name())
            shape.setToolTip("Click to see it large")
            # It is made anew, in this size, when it is next drawn.
            self.document().addResource(IMAGE, QUrl(shape.name()), None)
            cursor = QTextCursor(self.document())
            cursor.setPosition(fragment)
            cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(shape)

    @property
    def _room(self) -> int:
        return self.viewport().width() - 2 * theme().pixels(6 * SPACE) - theme().pixels(4)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        picture = picture_of(name.path() if isinstance(name, QUrl) else name)
        if picture.isNull():
            return super().loadResource(kind, name)
        return _framed(picture, min(self._room, picture.width()), self.devicePixelRatioF())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit_pictures()


def picture_of(name: str, *, large: bool = False) -> QImage:
    """The picture that a page names, as it is in this appearance; an empty one if it is none of the guide's."""
    # The pages name the dark ones, for those who read them elsewhere.
    file = Path(name if theme().is_dark else name.replace("-dark.", "-light."))
    folder = (GUIDE / "pictures" / "large" if large else GUIDE / "pictures").resolve()
    path = (folder / file.name).resolve()
    is_ours = file.suffix == ".png" and path.parent == folder and path.is_file()
    return QImage.fromData(read_bytes(path)) if is_ours else QImage()


def _framed(picture: QImage, width: int, ratio: float) -> QImage:
    """The picture in that width, with a line around it. Qt itself leaves letters ragged where it makes them smaller."""
    made = picture.scaledToWidth(round(width * ratio), Qt.TransformationMode.SmoothTransformation)
    made = made.convertToFormat(QImage.Format.Format_RGB32)
    painter = QPainter(made)
    painter.setPen(theme().colour("line"))
    painter.drawRect(0, 0, made.width() - 1, made.height() - 1)
    painter.end()
    made.setDevicePixelRatio(ratio)
    return made


def _fits(picture: QImage, room: QSize) -> bool:
    return picture.width() <= room.width() and picture.height() <= room.height()


class PictureView(QDialog):
    """One picture of the guide: the large one, where the screen has room for it. A click or Escape puts it away."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self.setObjectName("pictureView")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Picture")
        screen, picture = parent.screen(), picture_of(name, large=True)
        ratio = screen.devicePixelRatio()
        room = (screen.availableSize() - QSize(ROOM, ROOM)) * ratio
        if picture.isNull() or not _fits(picture, room):
            picture = picture_of(name)
        if not _fits(picture, room):
            smooth = Qt.TransformationMode.SmoothTransformation
            picture = picture.scaled(room, Qt.AspectRatioMode.KeepAspectRatio, smooth)
        self.picture = PlainLabel()
        self.picture.setAccessibleName(Path(name).stem.rpartition("-")[0])
        shown = QPixmap.fromImage(picture)
        shown.setDevicePixelRatio(ratio)
        self.picture.setPixmap(shown)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.picture)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.close()
        event.accept()


class Guide(QDialog):
    """The topics at the left, a page at the right; the window goes on meanwhile."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("guide")
        self.setAccessibleName("Guide")
        self.setWindowTitle("Guide")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.list = QListWidget()
        self.list.setObjectName("guideTopics")
        self.list.setAccessibleName("Topics")
        self.list.setFixedWidth(theme().pixels(TOPICS))
        self.list.setFrameShape(QListWidget.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for title, page in topics():
            item = QListWidgetItem(title, self.list)
            item.setData(Qt.ItemDataRole.UserRole, page)
            if not page:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
                item.setForeground(theme().colour("muted"))
        self.page = GuidePage()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        aside = QVBoxLayout()
        aside.setContentsMargins(*[theme().pixels(3 * SPACE)] * 4)
        aside.addWidget(self.list)
        row.addLayout(aside)
        row.addWidget(upright_rule())
        row.addWidget(self.page, 1)
        self.list.currentItemChanged.connect(lambda item: self.page.show_page(item.data(Qt.ItemDataRole.UserRole)))
        self.page.anchorClicked.connect(self._on_link)
        QShortcut(QKeySequence("Ctrl+W"), self, self.close)
        room = parent.window().size() - QSize(ROOM, ROOM)
        self.resize(QSize(theme().pixels(WIDTH), theme().pixels(HEIGHT)).boundedTo(room))

    def show_page(self, name: str = FIRST) -> None:
        """Brings the page to the front."""
        for row in range(self.list.count()):
            if self.list.item(row).data(Qt.ItemDataRole.UserRole) == name:
                self.list.setCurrentRow(row)
        if self.isVisible():
            self.raise_()
        self.show()
        self.activateWindow()

    def _on_link(self, link: QUrl) -> None:
        if link.scheme() in ("http", "https"):
            open_outside(link)
        elif link.path().endswith(".png"):
            PictureView(self, link.path()).open()
        else:
            self.show_page(link.path())


def open_guide(parent: QWidget, page: str = FIRST) -> Guide:
    """Shows the page, in the guide that is open already if there is one."""
    guide = parent.findChild(Guide) or Guide(parent)
    guide.show_page(page)
    return guide


def _pictures(document: QTextDocument) -> "list[tuple[int, QTextImageFormat]]":
    found: list[tuple[int, QTextImageFormat]] = []
    block = document.begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            if fragment.charFormat().isImageFormat():
                found.append((fragment.position(), fragment.charFormat().toImageFormat()))
            iterator += 1
        block = block.next()
    return found


def _apply_style(document: QTextDocument) -> None:
    """Qt reads Markdown without a style sheet: colours, fonts and distances are put on afterwards."""
    codes: list[tuple[int, int]] = []
    """Where each piece of code begins and ends."""
    block = document.begin()
    while block.isValid():
        if _style_block(block):
            end = block.position() + block.length() - 1
            is_next = bool(codes) and codes[-1][1] + 1 == block.position()
            codes[-1:] = [(codes[-1][0], end)] if is_next else [*codes[-1:], (block.position(), end)]
        block = block.next()
    # From the end: a frame moves what comes after it.
    for first, last in reversed(codes):
        _frame_code(document, first, last)
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _style_table(frame)


def _frame_code(document: QTextDocument, first: int, last: int) -> None:
    cursor, shape = QTextCursor(document), QTextFrameFormat()
    shape.setBackground(theme().colour("raised"))
    shape.setBorder(1)
    shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    shape.setBorderBrush(theme().colour("line"))
    shape.setPadding(theme().pixels(2 * SPACE))
    shape.setBottomMargin(theme().pixels(2 * SPACE))
    cursor.setPosition(first)
    cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
    cursor.insertFrame(shape)


def _style_block(block: QTextBlock) -> bool:
    """Whether it is code."""
    shape = block.blockFormat()
    is_code = shape.hasProperty(QTextFormat.Property.BlockCodeFence) or shape.hasProperty(
        QTextFormat.Property.BlockCodeLanguage
    )
    cursor, pixels = QTextCursor(block), theme().pixels
    change = QTextBlockFormat()
    if is_code:
        change.setLeftMargin(0)
        change.setNonBreakableLines(True)
    elif cursor.currentTable():
        change.setTopMargin(0)
        change.setBottomMargin(0)
    else:
        change.setLineHeight(140, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        change.setTopMargin(pixels(4 * SPACE if shape.headingLevel() else 0))
        change.setBottomMargin(pixels(2 * SPACE))
    cursor.mergeBlockFormat(change)
    _style_words(block, is_code)
    return is_code


def _style_words(block: QTextBlock, is_code: bool) -> None:
    level, now = block.blockFormat().headingLevel(), theme()
    spans: list[tuple[int, int, QTextCharFormat]] = []
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        before, change = fragment.charFormat(), QTextCharFormat()
        if is_code or before.fontFixedPitch():
            change.setFont(now.code_font())
            change.setForeground(now.colour("text" if is_code else "tool"))
        elif level:
            font = QFont(now.text_font(bold=True))
            font.setPixelSize(now.pixels({1: 22, 2: 16}.get(level, 14)))
            change.setFont(font)
        elif before.isAnchor():
            change.setForeground(now.colour("accent"))
            change.setFontUnderline(False)
        spans.append((fragment.position(), fragment.length(), change))
        iterator += 1
    cursor = QTextCursor(block)
    for position, length, change in spans:
        cursor.setPosition(position)
        cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(change)


def _style_table(table: QTextTable) -> None:
    shape = table.format()
    shape.setBorder(1)
    shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    shape.setBorderBrush(theme().colour("line"))
    shape.setBorderCollapse(True)
    shape.setCellPadding(theme().pixels(2 * SPACE))
    shape.setCellSpacing(0)
    shape.setTopMargin(theme().pixels(2 * SPACE))
    shape.setBottomMargin(theme().pixels(3 * SPACE))
    shape.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    table.setFormat(shape)
    first = table.cellAt(0, 0)
    if first.firstCursorPosition().block() != first.lastCursorPosition().block():
        # A frame right before it left an empty line in it.
        first.firstCursorPosition().deleteChar()
    for column in range(table.columns()):
        head, bold = table.cellAt(0, column), QTextCharFormat()
        bold.setFont(theme().text_font(bold=True))
        words = head.firstCursorPosition()
        words.setPosition(head.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
        words.mergeCharFormat(bold)
        ground = head.format()
        ground.setBackground(theme().colour("raised"))
        head.setFormat(ground)
