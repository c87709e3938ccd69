row = await call_tool("stock", {"item": "pear"})
one = await call_tool("add", {"a": 1, "b": 2})
return {"count": row["count"], "sum": one["result"]}
# SEES: {"count": 7, "sum": 3}
