"""Serving the tools to scripts and agents elsewhere: the switch, and what goes on."""
