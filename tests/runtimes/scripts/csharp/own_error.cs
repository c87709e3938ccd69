Console.WriteLine("before");
throw new InvalidOperationException("broken"); // HERE
