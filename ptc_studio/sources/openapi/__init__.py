"""Tools of web services that an OpenAPI document describes."""
