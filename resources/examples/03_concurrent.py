# Who in engineering went over budget last quarter?
# Forty calls in flight at once; hundreds of expense lines stay in the script, a few names come out.
import asyncio

team = team_members("engineering")


async def check(person):
    lines, allowed = await asyncio.gather(aio.get_expenses(person, quarter="Q3"), aio.get_budget(person))
    return person, len(lines), sum(line["amount"] for line in lines), allowed["limit"]


checked = await asyncio.gather(*(check(person) for person in team))

print(f"{len(team)} people, {sum(count for _, count, _, _ in checked)} expense lines")
over = {person: round(spent - limit, 2) for person, _, spent, limit in checked if spent > limit}
for person, excess in sorted(over.items(), key=lambda item: -item[1]):
    print(f"  {person:<10} {excess:>8.2f} over")

over
