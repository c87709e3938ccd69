Console.Write("key sk-proj-abcdefghij01234");
Console.Out.Flush();
Console.WriteLine("56789ABCDEFGHIJabcdefgh end");
