"""How the application looks: its style sheet and palette, made of nothing but the theme's tokens.

What a widget can ask for by a dynamic property: `panel` (a framed dock), `primary` (the one main action), `flat`
(a button without a frame), `role` of a label (`title`, `heading`, `muted`, `figure`, `badge`, `redacted`, `note`).
"""

from dataclasses import asdict
from string import Template

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.contrast import hex_of, mixed, rgb
from ptc_studio.ui.icons import icon_file
from ptc_studio.ui.stylesheet_rules import RULES
from ptc_studio.ui.theme import Theme
from ptc_studio.ui.tokens import DOCK_RADIUS, FIELD, RADIUS, ROW, SPACE, TEXT_PIXELS, Colours


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


def _colours(colours: Colours) -> dict[str, str]:
    accent, ground, text = rgb(colours.accent), rgb(colours.raised), rgb(colours.text)
    return asdict(colours) | {
        "disabled": disabled_text(colours),
        "hover": hex_of(mixed(ground, text, 0.07)),
        "pressed": hex_of(mixed(ground, text, 0.14)),
        "row_hover": hex_of(mixed(rgb(colours.panel), text, 0.045)),
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
        "half": of.pixels(SPACE / 2),
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
    return {f"image_{key}": icon_file(*what).as_posix() for key, what in wanted.items()}
