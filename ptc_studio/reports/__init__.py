"""What can be made of a past run: reports for people, traces for other programs, tests and bundles."""

from ptc_studio.reports.formats import FORMATS, ReportError, ReportFormat, report

__all__ = ["FORMATS", "ReportError", "ReportFormat", "report"]
