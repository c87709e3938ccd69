Console.WriteLine("on");
CallTool("sleep", new { seconds = 30 }); // HERE
