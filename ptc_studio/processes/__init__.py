"""Processes of any kind: ended with all that they started, reaped when orphaned, spoken to line by line."""
