try:
    fail(reason="closed")
except RuntimeError as error:
    print("caught:", error)
# SEES: "caught: Tool fail failed: ValueError: closed\n"
