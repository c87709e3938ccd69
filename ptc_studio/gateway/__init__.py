"""How calls come in from outside this process."""
