try:
    call_tool("mul", {"a": 1, "b": 1})
except PermissionError as error:
    print(type(error).__name__)
