import asyncio

direct = price("pear", qty=2)
together = await asyncio.gather(add(1, 2), add(a=3, b=4))
[direct, *together]
# SEES: [5.0, 3, 7]
