"""The window: bridge, models, widgets, dialogs, theme. The only place that knows Qt."""
