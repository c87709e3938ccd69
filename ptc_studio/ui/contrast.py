"""How well a colour reads on another, as WCAG counts it; knows no Qt."""

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
