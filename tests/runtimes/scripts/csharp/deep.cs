object nested = 1;
for (var i = 0; i < 200; i++)
{
    nested = new[] { nested };
}

var levels = 0;
var back = CallTool<object>("echo", new { value = nested });
for (; back is List<object>; back = ((List<object>)back)[0])
{
    levels++;
}
Console.WriteLine(levels);
