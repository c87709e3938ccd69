import asyncio

rows = await asyncio.gather(stock(item="pear"), stock(item="fig"))
{row["item"]: row["count"] for row in rows}
# SEES: {"pear": 7, "fig": 7}
