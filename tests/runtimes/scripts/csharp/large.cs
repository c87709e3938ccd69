var text = new string('ä', 3000000);
Console.WriteLine(CallTool<string>("echo", new { value = text }).Length);
