Console.WriteLine("first");
CallTool("gate");
Console.WriteLine("second");
