# What did engineering spend last quarter, and does everybody have a manager?
import asyncio

people = [*team_members("engineering")[:19], "Miriam"]


async def look_up(person):
    try:
        manager = await aio.lookup_manager(person)
    except LookupError as error:
        print(f"{person}: {error}")
        manager = None
    lines = await aio.get_expenses(person, quarter="Q3")
    return manager, sum(round(line["amount"] * 100) for line in lines)


found = await asyncio.gather(*[look_up(person) for person in people])

managed = len([manager for manager, _ in found if manager])
cents = sum(spent for _, spent in found)
print(f"{len(people)} people, {managed} with a manager, {cents / 100:.2f} euros")
