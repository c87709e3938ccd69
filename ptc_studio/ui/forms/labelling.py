"""What the fields of a form are called."""

from ptc_studio.ui.forms.field import Labels
from ptc_studio.ui.forms.schema.shapes import Shape


def label_for(key: str, shape: Shape, labels: Labels) -> str:
    """The key, as scripts know it, or the title that was given to people."""
    if labels == "names":
        return key
    return shape.title or key.replace("_", " ").capitalize()
