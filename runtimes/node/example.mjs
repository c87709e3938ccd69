// What did the engineers spend in the third quarter, and who has a manager to sign it off?

async function report(person) {
  const [expenses, manager] = await Promise.allSettled([
    tools.get_expenses({ person, quarter: "Q3" }),
    tools.lookup_manager({ person }),
  ]);
  if (expenses.status === "rejected") throw expenses.reason;
  if (manager.status === "rejected") console.log(`${person}: ${manager.reason.message}`);

  const cents = expenses.value.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
  return { cents, managed: manager.status === "fulfilled" };
}

const engineers = await tools.team_members({ team: "engineering" });
const people = [...engineers.slice(0, 19), "Miriam"];
const reports = await Promise.all(people.map(report));

const cents = reports.reduce((sum, report) => sum + report.cents, 0);
const managed = reports.filter((report) => report.managed).length;
console.log(`${people.length} people, ${managed} with a manager, ${(cents / 100).toFixed(2)} euros`);
