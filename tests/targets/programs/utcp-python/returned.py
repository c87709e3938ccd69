total = shop.price(item="pear", qty=2) + price({"item": "fig"})
print("total", total)
return {"total": round(total)}
# SEES: {"result": {"total": 8}, "logs": ["total 7.5"]}
