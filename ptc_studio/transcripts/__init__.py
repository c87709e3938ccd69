"""Conversations with models: published ones become scripts and cassettes, and runs of ours become conversations."""
