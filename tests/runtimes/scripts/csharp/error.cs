try
{
    CallTool("fail", new { kind = "key" });
}
catch (ToolError error)
{
    Console.WriteLine($"{error.Type} {error.Message}");
}
