"""Past runs in the window: found, opened, run again, compared, handed on."""
