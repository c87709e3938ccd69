using System.Diagnostics;

Process.Start("sleep", "1000");
Console.WriteLine("started");
