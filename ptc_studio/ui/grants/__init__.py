"""Grant sets in the window: chosen in the run bar, edited by check boxes, compared with what a script uses."""
