"""What stands between a call and its tool: the breakpoints and mocks of a window."""
