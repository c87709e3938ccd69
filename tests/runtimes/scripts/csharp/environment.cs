var names = Environment.GetEnvironmentVariables().Keys.Cast<string>();
Console.WriteLine(string.Join(" ", names.Where(name => name.StartsWith("PTC_"))));
