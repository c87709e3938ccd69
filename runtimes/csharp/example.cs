// What did the engineers spend in the third quarter, and who has a manager to sign it off?

class Expense
{
    public string Merchant;
    public double Amount;
}

async Task<int> Spent(string person)
{
    var expenses = await CallToolAsync<List<Expense>>("get_expenses", new { person, quarter = "Q3" });
    return expenses.Sum(expense => (int)Math.Round(expense.Amount * 100));
}

async Task<bool> HasManager(string person)
{
    try
    {
        await CallToolAsync("lookup_manager", new { person });
        return true;
    }
    catch (ToolError error)
    {
        Console.WriteLine($"{person}: {error.Message}");
        return false;
    }
}

var team = CallTool<List<string>>("team_members", new { team = "engineering" });
var people = team.Take(19).Append("Miriam").ToList();

var spent = Task.WhenAll(people.Select(Spent));
var managed = await Task.WhenAll(people.Select(HasManager));
var euros = (await spent).Sum() / 100m;
Console.WriteLine($"{people.Count} people, {managed.Count(has => has)} with a manager, {euros:F2} euros");
