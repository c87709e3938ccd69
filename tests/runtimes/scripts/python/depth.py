try:
    again()
except RecursionError as error:
    print(type(error).__name__, error)
