"""Aliases: the form that makes one, what is done with them, and how open scripts follow a new name."""
