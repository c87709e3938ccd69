var numbers = new[] { double.NaN, double.PositiveInfinity, double.NegativeInfinity };
var back = CallTool<double[]>("echo", new { value = numbers });
var tests = new[] { double.IsNaN(back[0]), double.IsPositiveInfinity(back[1]), double.IsNegativeInfinity(back[2]) };
Console.WriteLine(string.Join(" ", tests).ToLower());
