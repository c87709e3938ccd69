"""Plausible values for a JSON Schema."""

from ptc_studio.core.answering.examples.example import Example, example, fits

__all__ = ["Example", "example", "fits"]
