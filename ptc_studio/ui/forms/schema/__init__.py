"""What a JSON Schema means for a form: shapes, alternatives, faults and JSON text; nothing here knows Qt."""
