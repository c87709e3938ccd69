row = json.loads(await stock({"item": "pear"}))
print(row["count"])
# WARNS: 1 `json` is not imported
