"""Forms from JSON Schema: `SchemaForm` for a whole value, `field_for` for one parameter by itself."""

from ptc_studio.core.json_schema import same
from ptc_studio.ui.forms.factory import ParameterField, field_for
from ptc_studio.ui.forms.form import SchemaForm
from ptc_studio.ui.forms.schema.json_text import JsonMistake, one_line, read_json, write_json
from ptc_studio.ui.forms.schema.shapes import ABSENT, FieldError

__all__ = [
    "ABSENT",
    "FieldError",
    "JsonMistake",
    "ParameterField",
    "SchemaForm",
    "field_for",
    "one_line",
    "read_json",
    "same",
    "write_json",
]
