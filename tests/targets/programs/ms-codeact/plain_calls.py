row = call_tool("stock", item="pear")
print(row["count"], call_tool("add", a=1, b=2))
# SEES: [{"type": "text", "text": "7 3\n"}]
