total = await price("pear", 2)
total
# WARNS: 1 positional arguments
