"""The commands of `ptc-studio`."""
