Console.WriteLine("héllo ✓ 日本");
