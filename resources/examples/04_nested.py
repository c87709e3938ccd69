# Tools that call tools: fulfil_order calls reserve, and reserve calls stock_level.
# Open a call in the tree to see what it called in turn.

for order_id in (1004, 1007):
    done = fulfil_order(order_id)
    print(f"Order {order_id} is {done['status']}: {len(done['reserved'])} lines reserved")
    for sku in done["missing"]:
        print(f"  {sku} is missing")

message = notify_manager("Ken", over=318.37)
print(f"To {message['to']}: {message['text']}")

message["subject"]
