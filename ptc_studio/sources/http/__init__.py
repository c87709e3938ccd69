"""Tools that are HTTP requests, and the client that every kind of source with requests uses."""
