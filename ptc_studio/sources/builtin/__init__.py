"""Tools that come with the studio: files of the workspace, the web, time, JSON."""
