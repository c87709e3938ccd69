Console.WriteLine("out");
Console.Error.WriteLine("err");
