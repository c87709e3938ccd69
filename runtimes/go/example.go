// What did the engineers spend in the third quarter, and who has a manager to sign it off?

type Expense struct {
	Merchant string
	Amount   float64
}

type Report struct {
	Cents      int
	HasManager bool
}

func report(person string) Report {
	var sheet Report
	for _, expense := range MustCallTool[[]Expense]("get_expenses", Args{"person": person, "quarter": "Q3"}) {
		sheet.Cents += int(math.Round(expense.Amount * 100))
	}
	_, err := CallTool[any]("lookup_manager", Args{"person": person})
	var failure *ToolError
	if errors.As(err, &failure) {
		fmt.Printf("%s: %s\n", person, failure.Message)
	}
	sheet.HasManager = err == nil
	return sheet
}

people := append(MustCallTool[[]string]("team_members", Args{"team": "engineering"})[:19], "Miriam")
reports := make(chan Report)
for _, person := range people {
	go func(person string) { reports <- report(person) }(person)
}

cents, managed := 0, 0
for range people {
	sheet := <-reports
	cents += sheet.Cents
	if sheet.HasManager {
		managed++
	}
}
fmt.Printf("%d people, %d with a manager, %.2f euros\n", len(people), managed, float64(cents)/100)
