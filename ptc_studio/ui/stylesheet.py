"""How the application looks: its style sheet and palette, made of nothing but the theme's tokens.

What a widget can ask for by a dynamic property: `panel` (a framed dock), `primary` (the one main action), `flat`
(a button without a frame), `role` of a label (`title`, `heading`, `muted`, `figure`, `badge`, `redacted`, `note`).
"""

from dataclasses import asdict
from string import Template

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.theme import Theme, icon_file
from ptc_studio.ui.tokens import DOCK_RADIUS, FIELD, RADIUS, ROW, SPACE, TEXT_PIXELS, Colours

_GROUND = """
QWidget { color: $text; font-size: ${text_px}px; }
QMainWindow, QDialog, QMessageBox { background: $ground; }
QMainWindow::separator { background: $ground; width: ${space2}px; height: ${space2}px; }
QMainWindow::separator:hover, QSplitter::handle:hover { background: $thumb; }
QSplitter::handle { background: transparent; }
QSplitter[role="divided"]::handle { background: $line; }
*[panel="true"] { background: $panel; border: 1px solid $line; border-radius: ${dock_radius}px; }
QDockWidget { titlebar-close-icon: url($image_cross); }
QDockWidget::title { background: $panel; border: 1px solid $line; padding: ${space2}px; text-align: left;
  border-top-left-radius: ${dock_radius}px; border-top-right-radius: ${dock_radius}px; }
QDockWidget > QWidget { background: $panel; border-radius: ${dock_radius}px; }
QToolBar { background: $panel; border: none; border-bottom: 1px solid $line; padding: ${space}px;
  spacing: ${space2}px; }
QStatusBar { background: $panel; border-top: 1px solid $line; color: $muted; }
QStatusBar::item { border: none; }
QStatusBar QLabel { padding: 0 ${space2}px; min-height: ${row_px}px; max-height: ${row_px}px; color: $muted; }
QStatusBar QLabel[tone="warning"], QLabel#targetWarnings { color: $warning; }
QStatusBar QLabel[tone="error"] { color: $error; }
QPlainTextEdit#codeEditor { background: $panel; color: $text; border: none; }
QTabWidget#bottomTabs { background: $panel; }
QTabWidget#bottomTabs::pane { background: $panel; border: none; }
QWidget[role="line"] { background: $line; }
QLabel { background: transparent; border: none; }
QLabel[role="title"] { font-weight: 600; }
QLabel[role="heading"] { font-size: ${large_px}px; font-weight: 700; }
QLabel[role="muted"], QLabel[role="note"] { color: $muted; }
QLabel[role="figure"] { font-weight: 600; }
QLabel[role="note"] { background: $raised; border: 1px solid $line; border-radius: ${radius}px;
  padding: ${space}px ${space2}px; }
QLabel[role="badge"] { color: $muted; background: $raised; border: 1px solid $line; border-radius: ${badge_radius}px;
  padding: 1px ${space2}px; font-size: ${small_px}px; }
QLabel[role="redacted"] { color: $redacted; background: $redacted_ground; border-radius: 4px;
  padding: 2px ${space2}px; font-size: ${small_px}px; }
QToolTip { color: $text; background: $raised; border: 1px solid $line; padding: ${space}px ${space2}px; }
"""

_BUTTONS = """
QPushButton, QToolButton { background: $raised; border: 1px solid $line; border-radius: ${radius}px;
  min-height: ${field_px}px; padding: 0 ${space3}px; }
QPushButton:hover, QToolButton:hover { background: $hover; }
QPushButton:pressed, QToolButton:pressed, QPushButton:checked, QToolButton:checked { background: $pressed; }
QPushButton:focus, QToolButton:focus { border-color: $accent; }
QFileDialog QToolButton { padding: 0; }
QPushButton:disabled, QToolButton:disabled { color: $disabled; }
QPushButton[primary="true"], QToolButton[primary="true"], QPushButton:default { background: $accent; color: $on_accent;
  border-color: $accent; font-weight: 600; }
QPushButton[primary="true"]:hover, QToolButton[primary="true"]:hover { background: $accent_hover;
  border-color: $accent_hover; }
QPushButton[primary="true"]:focus, QToolButton[primary="true"]:focus { border: 2px solid $text; }
QPushButton[primary="true"]:disabled, QToolButton[primary="true"]:disabled { background: $raised; color: $disabled;
  border-color: $line; }
QPushButton[flat="true"], QToolButton[flat="true"] { background: transparent; border: 1px solid transparent;
  color: $muted; padding: 0 ${space}px; min-height: ${row_px}px; min-width: ${row_px}px; }
QPushButton[flat="true"]:hover, QToolButton[flat="true"]:hover { background: $hover; color: $text; }
QPushButton[flat="true"]:checked, QToolButton[flat="true"]:checked { background: $selection; color: $text; }
QPushButton[flat="true"]:focus, QToolButton[flat="true"]:focus { border-color: $accent; }
QPushButton[flat="true"]:disabled, QToolButton[flat="true"]:disabled { background: transparent; color: $disabled; }
QPushButton[link="true"] { color: $text; text-align: left; padding: 0; }
QPushButton[link="true"]:hover { color: $accent; }
QToolButton::menu-indicator { image: none; }
"""

_FIELDS = """
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { background: $raised; border: 1px solid $line;
  border-radius: ${radius}px; min-height: ${field_px}px; padding: 0 ${space2}px;
  selection-background-color: $accent; selection-color: $on_accent; }
QSpinBox, QDoubleSpinBox { max-height: ${field_px}px; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus, QComboBox:on { border-color: $accent; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled { color: $disabled; }
QAbstractSpinBox QLineEdit, QComboBox QLineEdit { background: transparent; border: none; min-height: 0;
  padding: 0 ${space}px; }
QLineEdit QToolButton { background: transparent; border: none; min-height: 0; padding: 0;
  qproperty-icon: url($image_cross); }
QComboBox { combobox-popup: 0; }
QComboBox:hover { background: $hover; }
QComboBox::drop-down { border: none; width: ${space4}px; padding-right: ${space}px; }
QComboBox::down-arrow { image: url($image_down); width: ${arrow_px}px; height: ${arrow_px}px; }
QComboBox QAbstractItemView { background: $raised; border: 1px solid $line; outline: none; padding: ${space}px; }
QSpinBox::up-button, QDoubleSpinBox::up-button { border: none; width: ${space4}px; subcontrol-origin: border;
  subcontrol-position: top right; }
QSpinBox::down-button, QDoubleSpinBox::down-button { border: none; width: ${space4}px; subcontrol-origin: border;
  subcontrol-position: bottom right; }
QSpinBox[plain="true"]::up-button, QSpinBox[plain="true"]::down-button { width: 0; }
QSpinBox[plain="true"]::up-arrow, QSpinBox[plain="true"]::down-arrow { image: none; width: 0; height: 0; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url($image_up); width: ${space2}px; height: ${space2}px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url($image_down); width: ${space2}px; height: ${space2}px; }
QCheckBox, QRadioButton { background: transparent; spacing: ${space2}px; min-height: ${row_px}px; }
QCheckBox:disabled, QRadioButton:disabled { color: $disabled; }
QCheckBox::indicator, QTreeView::indicator, QListView::indicator, QTableView::indicator, QGroupBox::indicator {
  width: ${check_px}px; height: ${check_px}px; border: 1px solid $edge; border-radius: 3px; background: transparent; }
QCheckBox::indicator:hover, QTreeView::indicator:hover { border-color: $accent; }
QCheckBox:focus { color: $accent; }
QCheckBox::indicator:checked, QTreeView::indicator:checked, QListView::indicator:checked,
QTableView::indicator:checked, QGroupBox::indicator:checked { background: $accent; border-color: $accent;
  image: url($image_tick); }
QCheckBox::indicator:indeterminate, QTreeView::indicator:indeterminate { background: $accent; border-color: $accent;
  image: url($image_dash); }
QCheckBox::indicator:disabled, QTreeView::indicator:disabled { border-color: $line; background: transparent; }
QCheckBox::indicator:checked:disabled, QTreeView::indicator:checked:disabled { background: $accent_off;
  border-color: $accent_off; image: url($image_tick_off); }
QRadioButton::indicator { width: ${check_px}px; height: ${check_px}px; border: 1px solid $edge;
  border-radius: ${round_px}px; }
QRadioButton::indicator:checked { border: ${ring_px}px solid $accent; width: ${core_px}px; height: ${core_px}px;
  background: $on_accent; }
QProgressBar { background: $raised; border: none; border-radius: 3px; max-height: 6px; color: transparent; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
"""

_VIEWS = """
QTreeView, QListView, QTableView, QTreeWidget, QListWidget { background: transparent; border: 1px solid transparent;
  border-radius: 4px; outline: none;
  selection-background-color: $selection; selection-color: $text; show-decoration-selected: 1; }
QTreeView:focus, QTableView:focus, QListView:focus { border-color: $accent; }
QTreeView::item, QListView::item { min-height: ${row_px}px; border: none; }
QTreeView#problemsView::item, QTreeView#matrixView::item, QTreeView#promptList::item { padding: 0 ${space2}px; }
QTreeView#historyView::item, QTreeView#differenceView::item { padding: 0 ${space}px; }
QTreeView::item:hover, QListView::item:hover { background: $row_hover; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected, QTreeView::branch:selected {
  background: $selection; color: $text; }
QTreeView::branch { background: transparent; }
QTreeView::branch:hover { background: $row_hover; }
QTreeView::branch:selected:hover, QTreeView::item:selected:hover { background: $selection; }
QTreeView[drawsGround="true"]::item:hover, QTreeView[drawsGround="true"]::branch:hover { background: transparent; }
QTreeView::branch:has-children:closed { image: url($image_right); padding: ${space}px; }
QTreeView::branch:has-children:open { image: url($image_down); padding: ${space}px; }
QHeaderView { background: transparent; border: none; }
QHeaderView::section { background: $panel; color: $muted; border: none; border-bottom: 1px solid $line;
  padding: ${space}px ${space2}px; font-weight: 400; }
QPlainTextEdit, QTextEdit, QTextBrowser { background: transparent; border: none; selection-background-color: $selection;
  selection-color: $text; }
QScrollArea { background: transparent; border: none; }
QTabWidget::pane { border: none; border-top: 1px solid $line; }
QTabBar { background: transparent; border: none; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: $muted; border: none; border-bottom: 2px solid transparent;
  padding: ${space2}px ${space2}px; margin: 0 ${space}px; }
QTabWidget#bottomTabs QTabBar::tab { margin: 0; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent; }
QTabBar::tab:focus { color: $accent; }
QTabBar::tab:disabled { color: $disabled; }
QTabBar::scroller { width: ${row_px}px; }
QTabBar QToolButton { background: $panel; border: none; border-radius: 0; min-height: 0; padding: 0; }
QTabBar QToolButton:hover { background: $hover; }
QTabBar QToolButton::left-arrow { image: url($image_left); width: ${arrow_px}px; height: ${arrow_px}px; }
QTabBar QToolButton::right-arrow { image: url($image_right); width: ${arrow_px}px; height: ${arrow_px}px; }
QTabBar QToolButton::left-arrow:disabled { image: url($image_left_off); }
QTabBar QToolButton::right-arrow:disabled { image: url($image_right_off); }
QTabBar::close-button { image: url($image_cross); }
QTabBar::close-button:hover { background: $hover; border-radius: 4px; }
"""

_MENUS = """
QMenuBar { background: $panel; border-bottom: 1px solid $line; padding: 2px ${space}px; }
QMenuBar::item { background: transparent; padding: ${space}px ${space2}px; border-radius: 4px; }
QMenuBar::item:selected { background: $hover; }
QMenu { background: $raised; border: 1px solid $line; padding: ${space}px; }
QMenu::item { padding: ${space}px ${space4}px; border-radius: 4px; background: transparent; }
QMenu::item:selected { background: $selection; color: $text; }
QMenu::item:disabled { color: $disabled; }
QMenu::separator { height: 1px; background: $line; margin: ${space}px ${space2}px; }
QMenu::icon { padding-left: ${space2}px; }
QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: ${bar_px}px; }
QScrollBar:horizontal { height: ${bar_px}px; }
QScrollBar::handle { background: $thumb; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: ${thumb_px}px; }
QScrollBar::handle:horizontal { min-width: ${thumb_px}px; }
QScrollBar::handle:hover { background: $thumb_hover; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; }
"""

RULES = _GROUND + _BUTTONS + _FIELDS + _VIEWS + _MENUS


Rgb = tuple[int, int, int]
READABLE = 4.5
"""The least ratio for text."""
_STEPS = 12


def rgb(colour: str) -> Rgb:
    """The three parts of `#rrggbb`."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def hex_of(colour: Rgb) -> str:
    """The colour as `#rrggbb`."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def ratio(one: Rgb, other: Rgb) -> float:
    """Between 1 (the same) and 21 (black on white)."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    """The first colour with a share of the second in it."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def readable(colour: Rgb, ground: Rgb, least: float = READABLE) -> Rgb:
    """The colour, moved towards white or black until it can be read on the ground."""
    goal = (255, 255, 255) if _luminance(ground) < 0.18 else (0, 0, 0)
    for step in range(_STEPS + 1):
        tried = mixed(colour, goal, step / _STEPS)
        if ratio(tried, ground) >= least:
            return tried
    return goal


def _luminance(colour: Rgb) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def stylesheet(of: Theme) -> str:
    """The whole style sheet for the theme as it is now."""
    return Template(RULES).substitute(_colours(of.colours), **_sizes(of), **_images(of.colours))


def palette(of: Theme) -> QPalette:
    """The theme for whatever Qt draws without asking the style sheet."""
    colours, made = of.colours, QPalette()
    roles = {
        QPalette.ColorRole.Window: colours.ground,
        QPalette.ColorRole.Base: colours.panel,
        QPalette.ColorRole.AlternateBase: colours.raised,
        QPalette.ColorRole.Button: colours.raised,
        QPalette.ColorRole.ToolTipBase: colours.raised,
        QPalette.ColorRole.WindowText: colours.text,
        QPalette.ColorRole.Text: colours.text,
        QPalette.ColorRole.ButtonText: colours.text,
        QPalette.ColorRole.ToolTipText: colours.text,
        QPalette.ColorRole.PlaceholderText: colours.muted,
        QPalette.ColorRole.Highlight: colours.selection,
        QPalette.ColorRole.HighlightedText: colours.text,
        QPalette.ColorRole.Link: colours.accent,
        QPalette.ColorRole.LinkVisited: colours.accent,
    }
    for role, colour in roles.items():
        made.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(disabled_text(colours)))
    return made


def set_property(widget: QWidget, name: str, value: object) -> None:
    """Sets a property that the style sheet looks at, and has it looked at."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        # One that was never shown is polished when it is.
        if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
            widget.style().unpolish(widget)
            widget.style().polish(widget)


def disabled_text(colours: Colours) -> str:
    """The colour of what cannot be used: still there, plainly off."""
    return hex_of(mixed(rgb(colours.muted), rgb(colours.panel), 0.45))


def row_hover(colours: Colours) -> str:
    """The ground of a row under the mouse."""
    return hex_of(mixed(rgb(colours.panel), rgb(colours.text), 0.045))


def _colours(colours: Colours) -> dict[str, str]:
    accent, ground, text = rgb(colours.accent), rgb(colours.raised), rgb(colours.text)
    return asdict(colours) | {
        "disabled": disabled_text(colours),
        "hover": hex_of(mixed(ground, text, 0.07)),
        "pressed": hex_of(mixed(ground, text, 0.14)),
        "row_hover": row_hover(colours),
        "accent_hover": hex_of(mixed(accent, text, 0.15)),
        "accent_off": hex_of(mixed(accent, rgb(colours.panel), 0.55)),
        "thumb": hex_of(mixed(rgb(colours.panel), text, 0.22)),
        "thumb_hover": hex_of(mixed(rgb(colours.panel), text, 0.40)),
        "edge": hex_of(mixed(rgb(colours.panel), text, 0.42)),
    }


def _sizes(of: Theme) -> dict[str, int]:
    return {
        "text_px": of.pixels(TEXT_PIXELS),
        "small_px": of.pixels(TEXT_PIXELS - 2),
        "large_px": of.pixels(TEXT_PIXELS + 13),
        "row_px": of.pixels(ROW),
        # The frame of a field is outside its min-height.
        "field_px": of.pixels(FIELD) - 2,
        "space": of.pixels(SPACE),
        "space2": of.pixels(2 * SPACE),
        "space3": of.pixels(3 * SPACE),
        "space4": of.pixels(4 * SPACE),
        "check_px": of.pixels(12),
        "round_px": of.pixels(12) // 2 + 1,
        "ring_px": of.pixels(4),
        "core_px": of.pixels(12) + 2 - 2 * of.pixels(4),
        "arrow_px": of.pixels(12),
        "bar_px": of.pixels(10),
        "thumb_px": of.pixels(28),
        "radius": RADIUS,
        # More than half of its height would give it no round corner at all.
        "badge_radius": of.pixels(7) + 1,
        "dock_radius": DOCK_RADIUS,
    }


def _images(colours: Colours) -> dict[str, str]:
    wanted = {
        "tick": ("tick", colours.on_accent),
        "dash": ("dash", colours.on_accent),
        "tick_off": ("tick", colours.panel),
        "left": ("chevron-left", colours.muted),
        "left_off": ("chevron-left", colours.line),
        "right_off": ("chevron-right", colours.line),
        "right": ("chevron-right", colours.muted),
        "down": ("chevron-down", colours.muted),
        "up": ("chevron-up", colours.muted),
        "cross": ("close", colours.muted),
    }
    return {f"image_{key}": _quoted(icon_file(*what).as_posix()) for key, what in wanted.items()}


def _quoted(path: str) -> str:
    """As a style sheet takes it, whatever the folder is called."""
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
