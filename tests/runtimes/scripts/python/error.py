try:
    fail(kind="key")
except LookupError as error:
    print(type(error).__name__, error)
