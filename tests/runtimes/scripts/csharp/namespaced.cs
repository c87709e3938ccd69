var six = CallTool<int>("calc.mul", new { a = 2, b = 3 });
var eight = CallTool<int>("deep.calc.mul", new { a = 2, b = 4 });
Console.WriteLine($"{six} {eight}");
