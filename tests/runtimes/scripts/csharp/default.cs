Console.WriteLine(CallTool<int>("add", new { a = 1 }));
