def names():
    yield greet("ann")


list(names())
# WARNS: 2 Monty has no yield
