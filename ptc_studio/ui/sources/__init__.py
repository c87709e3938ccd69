"""Sources in the window: the forms that add and change them, import, secrets, definitions for others."""
