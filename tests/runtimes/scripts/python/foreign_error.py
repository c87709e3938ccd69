try:
    fail(kind="chain")
except LookupError as error:
    print(type(error).__name__, error)
