using System;
using System.Globalization;
using System.IO;

namespace PtcKit
{
    /// <summary>
    /// `run PROGRAM` executes a compiled script; `wrap` and `order SCRIPT PROGRAM.cs` make a program of a script, for
    /// compilers that do not and that do know statements at the top level.
    /// </summary>
    static class Program
    {
        static int Main(string[] arguments)
        {
            // A script writes the same numbers and words on every machine, as those of the other languages do.
            CultureInfo.DefaultThreadCurrentCulture = CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
            CultureInfo.DefaultThreadCurrentUICulture = CultureInfo.CurrentUICulture = CultureInfo.InvariantCulture;
            if (arguments.Length == 2 && arguments[0] == "run")
            {
                return Host.Run(arguments[1]);
            }
            if (arguments.Length == 3 && (arguments[0] == "wrap" || arguments[0] == "order"))
            {
                var source = File.ReadAllText(arguments[1]);
                var program = arguments[0] == "wrap" ? Wrapping.Program(source) : Wrapping.Ordered(source);
                File.WriteAllText(arguments[2], program);
                return 0;
            }
            Console.Error.WriteLine("usage: run PROGRAM | wrap SCRIPT PROGRAM.cs | order SCRIPT PROGRAM.cs");
            return 2;
        }
    }
}
