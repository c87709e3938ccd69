var twin = CallTool<int>("server.get_sum");
var own = CallTool<int>("server.get-sum");
Console.WriteLine($"{twin} {own}");
