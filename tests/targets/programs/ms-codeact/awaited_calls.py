first, second = await asyncio.gather(call_tool("add", a=1, b=2), add(a=3, b=4))
print("added")
first + second
# SEES: [{"type": "text", "text": "added\n"}, {"type": "text", "text": "10"}]
