Console.WriteLine("x");
Environment.Exit(0);
Console.WriteLine("never");
