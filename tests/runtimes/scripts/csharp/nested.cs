Console.WriteLine(CallTool<int>("outer"));
