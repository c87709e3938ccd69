try
{
    CallTool<int>("mul", new { a = 1 });
}
catch (ToolError error)
{
    Console.WriteLine($"{error.Type} {error.Message.Substring(0, 33)}");
}
