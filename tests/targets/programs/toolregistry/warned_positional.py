print(add(1, 2))
# WARNS: 1 positional arguments
