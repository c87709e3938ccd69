Console.WriteLine("never");
int total = 1 + ) 2; // HERE
Console.WriteLine(total);
