print(call_tool("add", {"a": 1, "b": 2}))
greet("ann")
# SEES: null
