var back = CallTool<Dictionary<string, string>>("echo", new { value = new { password = "hunter2canary" } });
Console.WriteLine(back["password"].Length);
