import os

print(" ".join(name for name in os.environ if name.startswith("PTC_")))
