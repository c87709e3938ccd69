"""What the editor knows of languages and tools; nothing here knows Qt."""
