Console.WriteLine(CallTool<int>("add", new[] { 1, 2 }));
