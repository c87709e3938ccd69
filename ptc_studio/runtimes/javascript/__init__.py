"""What the host reads in the text of a script in JavaScript or TypeScript: its syntax, its value, lone functions."""
