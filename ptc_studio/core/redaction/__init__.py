"""Redaction: nothing reaches an event, a log or an export before its secrets are hidden here.

The path: `Redactor` asks the `Prefilter` whether a value's JSON text can hold a secret at all; if so, a `Walk` goes
through the value, and `TextRules` through each of its strings: shapes, private keys, known secrets, user patterns.
What comes out is a `Redacted`, which nothing else can build.
"""

from ptc_studio.core.redaction.patterns import PatternError
from ptc_studio.core.redaction.redacted import Redacted, Redaction, read_back
from ptc_studio.core.redaction.redactor import Redactor
from ptc_studio.core.redaction.secrets import KnownSecrets
from ptc_studio.core.redaction.text import StreamRedactor

__all__ = ["KnownSecrets", "PatternError", "Redacted", "Redaction", "Redactor", "StreamRedactor", "read_back"]
