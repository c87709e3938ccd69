var first = CallTool<int>("add", new { a = 1 }); // HERE
var second = await CallToolAsync<int>("add", new { a = 1, b = 2 }); // HERE
int third = CallTool("add", new Dictionary<string, object> { ["a"] = 1 }); // HERE
Console.WriteLine($"{first} {second} {third}");
