"""Tools that are commands: programs with their arguments, started without a shell."""
