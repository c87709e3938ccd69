try:
    call_tool("nope")
except LookupError as error:
    print(type(error).__name__, error)
