"""Dialogs that are awaited."""
