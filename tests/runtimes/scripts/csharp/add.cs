int sum = CallTool<int>("add", new { a = 1, b = 2 });
Console.WriteLine(sum);
