Console.WriteLine("x");
CallTool<int>("add", new { a = 1 });
Environment.Exit(3); // HERE
