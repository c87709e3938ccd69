try:
    await call_tool("fail", {"reason": "closed"})
except Exception as error:
    return str(error)
# SEES: "call_tool('fail') failed: Error calling tool 'fail': closed"
