"""Adapters between pure data and Qt views."""
