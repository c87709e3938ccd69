"""Tools, registry, executor, redaction, events and trace: no Qt, no socket, no file."""
