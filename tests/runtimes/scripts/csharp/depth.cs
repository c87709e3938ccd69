try
{
    CallTool("again");
}
catch (ToolError error)
{
    Console.WriteLine($"{error.Type} {error.Message}");
}
