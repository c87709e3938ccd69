total = 0.0
for qty in (1, 2):
    total = total + await price(item="pear", qty=qty)
    print("so far", total)
total
# SEES: {"output": "so far 2.5\nso far 7.5\n", "result": 7.5}
