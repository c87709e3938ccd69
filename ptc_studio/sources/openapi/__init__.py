"""Tools of web services that an OpenAPI document describes."""

from ptc_studio.sources.openapi.entry import OpenApiEntry
from ptc_studio.sources.openapi.source import OpenApiSource

__all__ = ["OpenApiEntry", "OpenApiSource"]
