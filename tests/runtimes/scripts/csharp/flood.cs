var line = new string('x', 100);
for (var i = 0; i < 200000; i++)
{
    Console.WriteLine(line);
}
