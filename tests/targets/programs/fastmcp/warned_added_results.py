first = await call_tool("add", {"a": 1, "b": 2})
second = await call_tool("add", {"a": 3, "b": 4})
return first + second
# WARNS: 3 take it out first
