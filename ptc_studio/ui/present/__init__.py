"""Presenting a run to an audience."""
