row = await stock({"item": "pear"})
print(row["count"])
# WARNS: 2 gives text there
