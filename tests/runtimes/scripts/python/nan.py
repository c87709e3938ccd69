nan, high, low = echo([float("nan"), float("inf"), float("-inf")])
print(str(nan != nan).lower(), str(high == float("inf")).lower(), str(low == float("-inf")).lower())
