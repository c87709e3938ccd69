print(call_tool("stock", {"item": "pear"}))
# WARNS: 1 no dict
