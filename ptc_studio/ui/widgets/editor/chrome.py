"""The look of the editor's own bars: one style sheet, made of the tokens."""

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import RADIUS, SPACE


def bar_style() -> str:
    """For bars of fields and buttons above or below the text."""
    colours, radius = theme().colours, theme().pixels(RADIUS)
    return f"""
    QFrame#bar {{ background: {colours.panel}; border: 0; border-bottom: 1px solid {colours.line}; }}
    QLabel {{ color: {colours.muted}; background: transparent; }}
    QLabel#wrong {{ color: {colours.error}; }}
    QLabel#notice {{ color: {colours.text}; }}
    QLabel#mark {{ color: {colours.warning}; }}
    QLineEdit {{ background: {colours.raised}; color: {colours.text}; border: 1px solid {colours.line};
        border-radius: {radius}px; padding: 0 {2 * SPACE}px; selection-background-color: {colours.selection};
        selection-color: {colours.text}; }}
    QLineEdit:focus {{ border-color: {colours.accent}; }}
    QLineEdit[wrong="true"] {{ border-color: {colours.error}; }}
    QToolButton, QPushButton {{ background: {colours.raised}; color: {colours.text}; border: 1px solid {colours.line};
        border-radius: {radius}px; padding: 0 {2 * SPACE}px; }}
    QToolButton:hover, QPushButton:hover {{ border-color: {colours.muted}; }}
    QToolButton:focus, QPushButton:focus {{ border-color: {colours.accent}; }}
    QToolButton:checked {{ background: {colours.selection}; border-color: {colours.accent}; color: {colours.accent}; }}
    QToolButton:disabled, QPushButton:disabled {{ color: {colours.muted}; }}
    """
