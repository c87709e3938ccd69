Console.WriteLine("before");
CallTool<int>("add", new { a = 1 });
CallTool("fail", new { kind = "key" }); // HERE
Console.WriteLine("never");
