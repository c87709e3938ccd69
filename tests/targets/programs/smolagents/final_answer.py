import statistics

prices = [price(name, qty=2) for name in ("pear", "fig")]
print("prices", prices)
final_answer(statistics.mean(prices))
# SEES: "Execution logs:\nprices [5.0, 5.0]\nLast output from code snippet:\n5.0"
