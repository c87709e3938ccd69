"""What the script writes, live, and how the run ended."""
