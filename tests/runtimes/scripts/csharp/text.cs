var text = "a\0b\n\t\"\\ 😀 日本 \u2028";
if (CallTool<string>("echo", new { value = text }) == text)
{
    Console.WriteLine("same");
}
