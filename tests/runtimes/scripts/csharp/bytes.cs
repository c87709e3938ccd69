var sent = new byte[] { 0, 255, 16 };
Console.WriteLine(CallTool<string>("hexed", new { data = sent }));
var got = CallTool<Dictionary<string, List<byte[]>>>("echo", new { value = new { @in = new[] { sent } } });
Console.WriteLine(got["in"][0].SequenceEqual(sent) ? "same" : "different");
