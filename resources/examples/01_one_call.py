# One call: a tool is a function of its name.
# The last expression of a script is the value of the run.

order = get_order(1004)

print(f"Order {order['order_id']} for {order['customer']}, {order['status']}")
for line in order["lines"]:
    print(f"  {line['qty']} x {line['name']:<16}{line['amount']:>8.2f}")

order["total"]
