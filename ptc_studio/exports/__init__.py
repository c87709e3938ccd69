"""What leaves the studio for other systems: definitions and types of tools; and what comes from them."""

from ptc_studio.exports.definitions import FORMATS, Format, definitions

__all__ = ["FORMATS", "Format", "definitions"]
