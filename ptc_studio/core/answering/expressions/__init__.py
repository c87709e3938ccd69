"""Small expressions over the arguments of a call, for conditions and mocks: safe, and bounded in time and size."""

from ptc_studio.core.answering.expressions.expression import Expression, UnknownName, expression

__all__ = ["Expression", "UnknownName", "expression"]
