try
{
    CallTool<int>("mul", new { a = 1, b = 1 });
}
catch (ToolError error)
{
    Console.WriteLine(error.Type);
}
