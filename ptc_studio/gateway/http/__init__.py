"""The endpoint: scripts that live elsewhere call the same tools over HTTP, in IronClaw's wire format."""
