total = await price(item="pear", qty=2)
print(total)
# WARNS: 1 keyword arguments
