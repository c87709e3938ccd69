var s = 0;
for (var i = 0; i < 5000; i++)
{
    s = CallTool<int>("add", new { a = s, b = 1 });
}
Console.WriteLine(s);
