Console.WriteLine("on");
CallTool<int>("add", new { a = 1 });
while (true) { } // HERE
