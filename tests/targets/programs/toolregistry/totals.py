import json

rows = [stock(item=name) for name in ("pear", "fig")]
print(json.dumps({row["item"]: row["count"] * price(item=row["item"]) for row in rows}))
# SEES: "{\"pear\": 17.5, \"fig\": 17.5}\n"
