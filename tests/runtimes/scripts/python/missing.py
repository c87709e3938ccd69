try:
    mul(a=1)
except TypeError as error:
    print(type(error).__name__, str(error)[:33])
