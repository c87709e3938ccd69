Console.WriteLine(Console.In.ReadToEnd().Length);
