try
{
    CallTool("sleep", new { seconds = 3 }, timeout: 0.2);
}
catch (ToolError error)
{
    Console.WriteLine(error.Type);
}
Console.WriteLine(CallTool<int>("add", new { a = 1 }));
