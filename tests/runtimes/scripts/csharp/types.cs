var sent = new
{
    text = "é", yes = true, no = false, none = (string)null, @int = 7, @float = 1.5,
    list = new object[] { 1, new[] { 2 } },
    map = new { a = new { b = 1 } },
};
dynamic got = CallTool("echo", new { value = sent });
bool simple = got.text == "é" && got.yes && !got.no && got.none == null && got["int"] == 7 && got["float"] == 1.5;
bool compound = got.list[0] == 1 && got.list[1][0] == 2 && got.map.a.b == 1 && got.Count == 8;
Console.WriteLine(simple && compound ? "same" : "different");
