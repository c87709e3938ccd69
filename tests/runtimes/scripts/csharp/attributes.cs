try
{
    CallTool("fail", new { kind = "http" });
}
catch (ToolError error)
{
    dynamic carried = error.Attributes;
    Console.WriteLine($"{carried.status} {carried.body.why} {carried.headers["x-id"]}");
}
