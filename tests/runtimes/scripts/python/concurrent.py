import asyncio

met = await asyncio.gather(*[aio.meet() for _ in range(5)])
print(met.count(True))
