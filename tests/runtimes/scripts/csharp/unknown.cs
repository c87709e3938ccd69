try
{
    CallTool("nope");
}
catch (ToolError error)
{
    Console.WriteLine($"{error.Type} {error.Message}");
}
