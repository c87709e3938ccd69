Console.WriteLine("on");
var kept = new List<byte[]>();
while (true)
{
    var block = new byte[16 << 20];
    for (var i = 0; i < block.Length; i += 4096)
    {
        block[i] = 1;
    }
    kept.Add(block);
}
