# A tool's error arrives as an ordinary exception: the script catches it and goes on.
# OutOfStock is the tool's own type, and a LookupError to everybody else.

wishes = [("LMP-01", 4), ("LMP-02", 5), ("TWL-01", 10), ("SOFA-9", 1), ("MUG-01", 60)]
reserved, refused = [], []

for sku, qty in wishes:
    try:
        reserved.append(reserve(sku, qty))
    except LookupError as error:
        refused.append(sku)
        print(f"{sku}: {error}")

try:
    price("MUG-01", qty="a few")
except (TypeError, ValueError):
    print("MUG-01: 'a few' is no quantity")

total = sum(price(item["sku"], item["qty"])["total"] for item in reserved)
print(f"{len(reserved)} reserved for {total:.2f} euros, {len(refused)} refused")

{"reserved": [item["sku"] for item in reserved], "refused": refused}
