# What must be bought before the open orders can ship?
# Two loops, two dozen calls, and only the answer leaves the script.
from collections import Counter

wanted = Counter()
for summary in list_orders(status="open"):
    order = get_order(summary["order_id"])
    for line in order["lines"]:
        wanted[line["sku"]] += line["qty"]

print(f"{wanted.total()} units of {len(wanted)} articles are on order")

shortage = {}
for sku, qty in sorted(wanted.items()):
    on_hand = stock.stock_level(sku)
    if qty > on_hand:
        shortage[sku] = qty - on_hand
        print(f"  {sku}  wanted {qty:>3}  in stock {on_hand:>3}  buy {qty - on_hand:>3}")

shortage
