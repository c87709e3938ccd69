"""The code editor: text, colours, completion, problems, tabs."""
