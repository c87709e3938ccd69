total = 0.0
for name in ("pear", "fig"):
    row = json.loads(call_tool("stock", {"item": name}))
    total += row["count"] * float(call_tool("price", {"item": name}, timeout_secs=5))
ptc_output("total", total)
print("done")
# SEES: "done\n\n__PTC_OUTPUTS__\n{\"total\": 35.0}\n"
