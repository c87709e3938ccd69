"""What empty panels say: the same words in the first look of the window and in the panels that take its place."""

CALLS = "Run a script to see its calls here"
INSPECTOR = "Select a call to see its values"
OUTPUT = "Output of the script appears here"
READING_TOOLS = "Reading the tools…"
FILTER_TOOLS = "Filter tools…"
TIMELINE = "Run a script to see when its calls ran"
