var calls = Enumerable.Range(0, 5).Select(_ => CallToolAsync<bool>("meet"));
var met = await Task.WhenAll(calls);
Console.WriteLine(met.Count(each => each));
