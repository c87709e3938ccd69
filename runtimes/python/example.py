# What did the platform people spend last quarter, and who answers for them?
# Forty calls, as many at once as there are people; one of them fails, and the script goes on.
import asyncio

people = [*team_members("engineering")[:19], "Miriam"]


async def spending(person):
    lines = await aio.get_expenses(person, quarter="Q3")
    return sum(round(line["amount"] * 100) for line in lines)


async def has_manager(person):
    try:
        return bool(await aio.lookup_manager(person))
    except LookupError as error:
        print(f"{person}: {error}")
        return False


cents = await asyncio.gather(*map(spending, people))
managed = await asyncio.gather(*map(has_manager, people))
print(f"{len(people)} people, {sum(managed)} with a manager, {sum(cents) / 100:.2f} euros")
