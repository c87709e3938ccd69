Console.WriteLine(CallTool<long>("echo", new { value = long.MaxValue }));
