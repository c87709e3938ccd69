"""The screen before an audience: one slide in large type, moved by the keys of a presenter."""

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QColor, QFont, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ptc_studio.reports.figures import lanes_of, mark_of, seconds
from ptc_studio.ui.present.slides import Deck, Player, call_lines, tree_line
from ptc_studio.ui.theme import theme

BASE = 720.0
"""Everything is drawn as for a screen of that height, and grows with it."""
HINT = "Space: next · ←: back · P: play · + −: speed · B: black · Esc: end"
NEXT = (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_PageDown, Qt.Key.Key_Return, Qt.Key.Key_N)
BACK = (Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_PageUp, Qt.Key.Key_Backspace)
TONES = {"✓": "ok", "▲": "warning", "◐": "muted"}
LANES = 8
Flag = Qt.AlignmentFlag
WRAP = int(Flag.AlignLeft | Flag.AlignTop) | int(Qt.TextFlag.TextWordWrap)
CODE = int(Flag.AlignLeft | Flag.AlignTop) | int(Qt.TextFlag.TextWrapAnywhere)
LINE = int(Flag.AlignLeft | Flag.AlignVCenter)


class Stage(QWidget):
    """Fills the screen until Escape or F11.

    Signals: closed.
    """

    closed = Signal()

    def __init__(self, deck: Deck, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("presentStage")
        self.setWindowTitle(f"Presenting {deck.title}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.player = Player(deck)
        self._deck, self._black = deck, False
        self._lines = deck.script_lines()
        self._lanes = lanes_of([slide.call for slide in deck.slides if slide.call])
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_due)
        theme().changed.connect(self.update)
        self._tell()

    def next(self) -> None:
        self._move(1)

    def back(self) -> None:
        self._move(-1)

    def toggle_playing(self) -> None:
        """Plays by itself from here, or stands still."""
        player = self.player
        player.playing = not player.playing
        if player.playing and player.slide.kind == "end":
            player.go_to(0)
        self._schedule()
        self._tell()

    def _move(self, steps: int) -> None:
        self._black = False
        self.player.go(steps)
        self._schedule()
        self._tell()

    def _jump(self, index: int) -> None:
        self.player.go_to(index)
        self._schedule()
        self._tell()

    def _change_speed(self, steps: int) -> None:
        self.player.change_speed(steps)
        self._schedule()
        self._tell()

    def _schedule(self) -> None:
        if self.player.playing:
            self._timer.start(self.player.pause_ms())
        else:
            self._timer.stop()

    def _on_due(self) -> None:
        if not self.player.go(1) or self.player.slide.kind == "end":
            self.player.playing = False
        self._schedule()
        self._tell()

    def _tell(self) -> None:
        """The slide in words, for whoever does not see it."""
        slide, deck = self.player.slide, self._deck
        if slide.call is not None:
            name, given, came = call_lines(slide.call)
            words = f"Call {slide.number}, line {slide.call['line']}: {name}({given}) gave {came[:200]}"
        elif slide.kind == "start":
            words = f"{deck.title}. {deck.question} Tools: {', '.join(deck.tools)}"
        else:
            words = ", ".join(f"{value} {name}" for value, name in deck.figures())
        self.setAccessibleName(f"Slide {self.player.index + 1} of {len(deck.slides)}")
        self.setAccessibleDescription(words)
        self.update()

    # Drawing: all lengths in points of a screen of 720, times the unit.

    @property
    def _unit(self) -> float:
        return min(self.height() / BASE, self.width() / (BASE * 16 / 9))

    def _font(self, size: float, *, code: bool = False, bold: bool = False) -> QFont:
        font = QFont(theme().code_font() if code else theme().text_font(bold=bold))
        font.setPixelSize(max(round(size * self._unit), 8))
        return font

    def _write(
        self, painter: QPainter, area: QRectF, text: str, size: float, colour: str, flags: int = WRAP, **font: bool
    ) -> float:
        """Writes the text, cut where there is no more room; gives how high it is."""
        painter.setFont(self._font(size, **font))
        painter.setPen(theme().colour(colour))
        if flags == LINE:
            text = QFontMetricsF(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, flags, text)
        return min(painter.boundingRect(area, flags, text).height(), area.height())

    def _write_code(self, painter: QPainter, area: QRectF, text: str, size: float, colour: str) -> None:
        """As many whole lines as there is room for."""
        line = QFontMetricsF(self._font(size, code=True)).lineSpacing()
        area = QRectF(area.left(), area.top(), area.width(), max(area.height() // line, 1) * line)
        painter.save()
        painter.setClipRect(area)
        self._write(painter, area, text, size, colour, CODE, code=True)
        painter.restore()

    def _write_parts(self, painter: QPainter, area: QRectF, parts: list[tuple[str, str]]) -> None:
        """A line of code in its colours; one that is too long ends in an ellipsis."""
        metrics = QFontMetricsF(self._font(17, code=True))
        whole = "".join(text for _, text in parts)
        shown = metrics.elidedText(whole, Qt.TextElideMode.ElideRight, area.width())
        left = len(whole) if shown == whole else len(shown) - 1
        for colour, text in [*parts, ("text", "" if shown == whole else "…")]:
            cut = text if text == "…" else text[:left]
            left -= len(cut)
            self._write(painter, area, cut, 17, colour, LINE, code=True)
            area = area.adjusted(metrics.horizontalAdvance(cut), 0, 0, 0)

    def _panel(self, painter: QPainter, area: QRectF) -> QRectF:
        unit = self._unit
        painter.setPen(theme().colour("line"))
        painter.setBrush(theme().colour("panel"))
        painter.drawRoundedRect(area, 10 * unit, 10 * unit)
        return area.adjusted(20 * unit, 16 * unit, -20 * unit, -16 * unit)

    def _draw_start(self, painter: QPainter, area: QRectF) -> None:
        unit, deck = self._unit, self._deck
        area = area.adjusted(60 * unit, 90 * unit, -60 * unit, 0)
        area.setTop(area.top() + self._write(painter, area, deck.title, 54, "text", bold=True) + 24 * unit)
        if deck.question:
            area.setTop(area.top() + self._write(painter, area, deck.question, 30, "text") + 36 * unit)
        area.setTop(area.top() + self._write(painter, area, "With these tools", 20, "muted") + 8 * unit)
        self._write(painter, area, "   ".join(deck.tools), 26, "tool", code=True)

    def _draw_end(self, painter: QPainter, area: QRectF) -> None:
        unit, figures = self._unit, self._deck.figures()
        columns = 3
        width, height = area.width() / columns, 172 * unit
        title = QRectF(area).adjusted(10 * unit, 0, -10 * unit, 0)
        top = area.top() + self._write(painter, title, self._deck.title, 28, "text", bold=True) + 14 * unit
        for place, (value, name) in enumerate(figures):
            cell = QRectF(
                area.left() + place % columns * width, top + place // columns * height, width, height
            ).adjusted(10 * unit, 10 * unit, -10 * unit, -10 * unit)
            inner = self._panel(painter, cell)
            tone = "ok" if place == 0 else "text"
            inner.setTop(
                inner.top() + self._write(painter, inner, value, 52, tone, LINE & ~int(Flag.AlignVCenter), bold=True)
            )
            self._write(painter, inner, name, 20, "muted")
        below = QRectF(area).adjusted(10 * unit, 0, -10 * unit, 0)
        below.setTop(top + 2 * height + 10 * unit)
        below.setTop(below.top() + self._write(painter, below, self._deck.closing(), 20, "muted") + 16 * unit)
        if self._deck.output:
            self._write_code(painter, self._panel(painter, below), self._deck.output, 18, "text")

    def _draw_call(self, painter: QPainter, area: QRectF) -> None:
        unit, call = self._unit, self.player.slide.call
        assert call is not None
        strip = QRectF(area.left(), area.bottom() - 110 * unit, area.width(), 110 * unit)
        body = QRectF(area.left(), area.top(), area.width(), strip.top() - area.top() - 14 * unit)
        left = QRectF(body.left(), body.top(), body.width() * 0.52, body.height())
        right = QRectF(left.right() + 14 * unit, body.top(), body.right() - left.right() - 14 * unit, body.height())
        self._draw_script(painter, self._panel(painter, left), call["line"])
        tree = QRectF(right.left(), right.top(), right.width(), right.height() * 0.42)
        self._draw_tree(painter, self._panel(painter, tree))
        answer = QRectF(tree)
        answer.setTop(tree.bottom() + 14 * unit)
        answer.setBottom(right.bottom())
        self._draw_answer(painter, self._panel(painter, answer))
        self._draw_timeline(painter, self._panel(painter, strip))

    def _draw_script(self, painter: QPainter, area: QRectF, line: int | None) -> None:
        unit, lines = self._unit, self._lines
        row = 26 * unit
        room = max(int(area.height() // row), 1)
        first = min(max((line or 1) - 1 - room // 2, 0), max(len(lines) - room, 0))
        for place, parts in enumerate(lines[first : first + room]):
            number = first + place + 1
            where = QRectF(area.left(), area.top() + place * row, area.width(), row)
            if number == line:
                painter.fillRect(where.adjusted(-10 * unit, 0, 10 * unit, 0), theme().colour("selection"))
                painter.fillRect(QRectF(where.left() - 10 * unit, where.top(), 4 * unit, row), theme().colour("accent"))
            self._write(painter, where.adjusted(0, 0, -where.width() + 34 * unit, 0), str(number), 15, "muted", LINE)
            self._write_parts(painter, where.adjusted(42 * unit, 0, 0, 0), parts)

    def _draw_tree(self, painter: QPainter, area: QRectF) -> None:
        unit, player = self._unit, self.player
        row = 26 * unit
        room = max(int(area.height() // row), 1)
        shown = [slide.call for slide in self._deck.slides[: player.index + 1] if slide.call][-room:]
        for place, call in enumerate(shown):
            where = QRectF(area.left(), area.top() + place * row, area.width(), row)
            current = call is player.slide.call
            if current:
                painter.fillRect(where.adjusted(-10 * unit, 0, 10 * unit, 0), theme().colour("selection"))
            indent = (call["depth"] - 1) * 22 * unit
            self._write(
                painter,
                where.adjusted(indent, 0, 0, 0),
                tree_line(call),
                17,
                "tool" if current else "muted",
                LINE,
                code=True,
            )

    def _draw_answer(self, painter: QPainter, area: QRectF) -> None:
        unit, call = self._unit, self.player.slide.call
        assert call is not None
        name, given, came = call_lines(call)
        mark = mark_of(call["status"])
        head = QRectF(area.left(), area.top(), area.width(), 36 * unit)
        self._write(painter, head, f"{mark} {name}", 26, TONES.get(mark, "error"), LINE, bold=True)
        area.setTop(head.bottom() + 4 * unit)
        area.setTop(area.top() + self._write(painter, area, given or "no arguments", 16, "muted", code=True) + 8 * unit)
        self._write_code(painter, area, came, 18, "text" if call["status"] == "ok" else "error")

    def _draw_timeline(self, painter: QPainter, area: QRectF) -> None:
        unit, deck, slide = self._unit, self._deck, self.player.slide
        whole = deck.whole_ms
        words = QRectF(area.left(), area.bottom() - 22 * unit, area.width(), 22 * unit)
        lanes = QRectF(area.left(), area.top(), area.width(), words.top() - area.top() - 4 * unit)
        high = lanes.height() / LANES
        for index, each in enumerate(deck.slides):
            call = each.call
            if call is None:
                continue
            x = lanes.left() + lanes.width() * call["started_ms"] / whole
            width = max(lanes.width() * (call["duration_ms"] or 0.0) / whole, 2 * unit)
            bar = QRectF(x, lanes.top() + self._lanes[call["id"]] % LANES * high, width, max(high - 1, 1))
            colour = QColor(theme().colour("accent" if call["status"] == "ok" else "error"))
            colour.setAlphaF(1.0 if each is slide else 0.55 if index < self.player.index else 0.18)
            painter.fillRect(bar, colour)
        kept = f"≈ {slide.kept_out:,} tokens given to the script so far, not to the model"
        self._write(painter, words, f"{seconds(slide.at_ms)} of {seconds(whole)} · {kept}", 16, "muted", LINE)

    def _draw_foot(self, painter: QPainter, area: QRectF) -> None:
        player = self.player
        place = f"{player.index + 1} / {len(self._deck.slides)}"
        speed = f" · {'▶ playing' if player.playing else 'paused'} at {player.speed:g}×"
        self._write(painter, area, place + speed, 14, "muted", LINE)
        painter.drawText(area, int(Flag.AlignRight | Flag.AlignVCenter), HINT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._black:
            painter.fillRect(self.rect(), Qt.GlobalColor.black)
            return
        painter.fillRect(self.rect(), theme().colour("ground"))
        unit = self._unit
        edge = 28 * unit
        area = QRectF(self.rect()).adjusted(edge, edge, -edge, -edge)
        foot = QRectF(area.left(), area.bottom() - 20 * unit, area.width(), 20 * unit)
        area.setBottom(foot.top() - 12 * unit)
        draw = {"start": self._draw_start, "call": self._draw_call, "end": self._draw_end}
        draw[self.player.slide.kind](painter, area)
        self._draw_foot(painter, foot)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            # While it is shown, keys are the presenter's, whatever they mean in the window below.
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in NEXT:
            self.next()
        elif key in BACK:
            self.back()
        elif key == Qt.Key.Key_Home:
            self._jump(0)
        elif key == Qt.Key.Key_End:
            self._jump(len(self._deck.slides) - 1)
        elif key in (Qt.Key.Key_P, Qt.Key.Key_F5):
            self.toggle_playing()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self._change_speed(-1 if key == Qt.Key.Key_Minus else 1)
        elif key in (Qt.Key.Key_B, Qt.Key.Key_Period):
            self._black = not self._black
            self.update()
        elif key in (Qt.Key.Key_Escape, Qt.Key.Key_F11):
            self.close()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.next()
        elif event.button() == Qt.MouseButton.RightButton:
            self.back()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._timer.stop()
        self.closed.emit()
        super().closeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self.update()


def present(deck: Deck, parent: QWidget) -> Stage:
    """Shows the slides on the whole screen that the window is on."""
    stage = Stage(deck, parent)
    stage.setScreen(parent.screen())
    stage.setGeometry(parent.screen().geometry())
    stage.showFullScreen()
    stage.activateWindow()
    stage.setFocus()
    return stage
