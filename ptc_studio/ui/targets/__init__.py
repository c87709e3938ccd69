"""Where a script is going, in the window: the choice, what the model sees, what would fail there, what it is given."""
