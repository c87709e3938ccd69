"""Tools that are HTTP requests, and the client that every kind of source with requests uses."""

from ptc_studio.sources.http.entry import HttpEntry, RequestEntry
from ptc_studio.sources.http.messages import HttpError, HttpRefused, HttpUnreachable, HttpUnusable
from ptc_studio.sources.http.source import HttpSource

__all__ = ["HttpEntry", "HttpError", "HttpRefused", "HttpSource", "HttpUnreachable", "HttpUnusable", "RequestEntry"]
