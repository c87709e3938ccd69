import asyncio


async def main():
    answer = await price({"item": "nothing"})
    print(answer if answer.startswith("Error") else float(answer))
    print(await price({"item": "pear", "qty": 4}))


asyncio.run(main())
# SEES: {"stdout": "Error: 'nothing'\n10.0\n", "stderr": "", "return_code": 0}
