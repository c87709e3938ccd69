using System.Diagnostics;

Console.WriteLine("before");
Process.GetCurrentProcess().Kill();
Thread.Sleep(10000);
