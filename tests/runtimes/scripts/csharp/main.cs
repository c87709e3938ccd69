using System;

class Sums
{
    static void Main()
    {
        Console.WriteLine(CallTool<int>("add", new { a = 1, b = 2 }));
    }
}
