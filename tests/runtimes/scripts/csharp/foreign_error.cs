try
{
    CallTool("fail", new { kind = "chain" });
}
catch (ToolError error)
{
    Console.WriteLine($"{error.Type} {error.Message}");
}
