import asyncio
import json

rows = await asyncio.gather(*(stock({"item": name}) for name in ("pear", "fig")))
for row in map(json.loads, rows):
    print(row["item"], row["count"])
# SEES: {"stdout": "pear 7\nfig 7\n", "stderr": "", "return_code": 0}
