// Sums what twenty people spent in the third quarter, asking for all of them at once.
use std::thread;

fn cents_of(person: &str) -> Result<i64, ToolError> {
    let lines: Vec<Value> = call_tool("get_expenses", args! {"person" => person, "quarter" => "Q3"})?;
    let amounts = lines.iter().filter_map(|line| line["amount"].as_f64());
    Ok(amounts.map(|amount| (amount * 100.0).round() as i64).sum())
}

fn has_manager(person: &str) -> bool {
    let manager = call_tool::<Value>("lookup_manager", args! {"person" => person});
    if let Err(error) = &manager {
        println!("{}: {}", person, error);
    }
    manager.is_ok()
}

let mut people: Vec<String> = call_tool("team_members", args! {"team" => "engineering"})?;
people.truncate(19);
people.push("Miriam".to_string());

let answers: Vec<_> = thread::scope(|scope| {
    let asked: Vec<_> = people.iter().map(|person| scope.spawn(|| (cents_of(person), has_manager(person)))).collect();
    asked.into_iter().map(|answer| answer.join().unwrap()).collect()
});

let mut total = 0;
let mut managed = 0;
for (cents, has_manager) in answers {
    total += cents?;
    managed += i64::from(has_manager);
}
println!("{} people, {} with a manager, {}.{:02} euros", people.len(), managed, total / 100, total % 100);
