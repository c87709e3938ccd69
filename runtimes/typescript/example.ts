// What did the engineers spend in the third quarter, and who has a manager to sign it off?
// The types of the tools, for other editors: ptc-studio tools --format dts > tools.d.ts

interface Expense {
  merchant: string;
  amount: number;
}

interface Report {
  cents: number;
  managed: boolean;
}

async function hasManager(person: string): Promise<boolean> {
  try {
    await tools.lookup_manager({ person });
    return true;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    console.log(`${person}: ${error.message}`);
    return false;
  }
}

async function report(person: string): Promise<Report> {
  const asked: ToolTypes.GetExpensesArguments = { person, quarter: "Q3" };
  const spent: Promise<Expense[]> = tools.get_expenses(asked);
  const [expenses, managed] = await Promise.all([spent, hasManager(person)]);
  return { cents: expenses.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0), managed };
}

const engineers: string[] = await tools.team_members({ team: "engineering" });
const people = [...engineers.slice(0, 19), "Miriam"];
const reports = await Promise.all(people.map(report));

const cents = reports.reduce((sum, { cents }) => sum + cents, 0);
const managed = reports.filter(({ managed }) => managed).length;
console.log(`${people.length} people, ${managed} with a manager, ${(cents / 100).toFixed(2)} euros`);
