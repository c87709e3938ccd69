"""The rules of the style sheet; `$names` are filled in from the tokens by `stylesheet`."""

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
QStatusBar QLabel { padding: ${space}px ${space2}px; color: $muted; }
QStatusBar QLabel[tone="warning"] { color: $warning; }
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
QTreeView, QListView, QTableView, QTreeWidget, QListWidget { background: transparent; border: none; outline: none;
  selection-background-color: $selection; selection-color: $text; show-decoration-selected: 1; }
QTreeView::item, QListView::item { min-height: ${row_px}px; border: none; }
QTreeView#problemsView::item, QTreeView#matrixView::item, QTreeView#promptList::item { padding: 0 ${space2}px; }
QTreeView::item:hover, QListView::item:hover { background: $row_hover; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected, QTreeView::branch:selected {
  background: $selection; color: $text; }
QTreeView::branch { background: transparent; }
QTreeView::branch:hover { background: $row_hover; }
QTreeView::branch:selected:hover, QTreeView::item:selected:hover { background: $selection; }
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
QTabWidget#bottomTabs QTabBar::tab { margin: 0 ${half}px; }
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
