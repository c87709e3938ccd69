using System;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;

namespace PtcKit
{
    /// <summary>
    /// The process that executes a script: says hello, waits for the start, runs it, says how it ended.
    /// </summary>
    static class Host
    {
        public static Channel Channel;
        public static bool OneThread;
        static string filename = "script.cs";
        static int ended;

        [DllImport("libc")]
        static extern void _exit(int code);

        /// <summary>Ends the process at once, with nothing of the script's running any more.</summary>
        public static void Leave(int code)
        {
            _exit(code);
        }

        // What is done before the script starts uses little of the class library: all of it must be compiled first.
        public static int Run(string program)
        {
            Connect();
            Console.SetOut(Utf8(Console.OpenStandardOutput()));
            Console.SetError(Utf8(Console.OpenStandardError()));
            AppDomain.CurrentDomain.UnhandledException += (_, told) => Finish(1, told.ExceptionObject as Exception);
            // Comes once the threads of the script have ended as well, or when it leaves with Environment.Exit.
            AppDomain.CurrentDomain.ProcessExit += (_, __) => Finish(Environment.ExitCode & 0xff, null);
            try
            {
                var main = Assembly.LoadFrom(program).EntryPoint;
                var arguments = main.GetParameters().Length == 0 ? null : new object[] { new string[0] };
                var status = main.Invoke(null, arguments) as int? ?? 0;
                return Environment.ExitCode = status == 0 ? Environment.ExitCode : status;
            }
            catch (TargetInvocationException error)
            {
                Finish(1, error.InnerException);
                return 1;
            }
        }

        static void Connect()
        {
            var channel = Environment.GetEnvironmentVariable("PTC_CHANNEL") ?? "";
            var comma = channel.IndexOf(',');
            if (comma < 0)
            {
                Console.Error.WriteLine("This program is started by PTC Studio.");
                Leave(2);
            }
            int input = int.Parse(channel.Substring(0, comma)), output = int.Parse(channel.Substring(comma + 1));
            Descriptors.Keep(input, output);
            Descriptors.BindToFamily();
            Channel = new Channel(input, output);
            var token = Environment.GetEnvironmentVariable("PTC_TOKEN");
            Channel.Send("{\"type\":\"hello\",\"protocol\":1,\"token\":\"" + token + "\"}\n");
            Environment.SetEnvironmentVariable("PTC_CHANNEL", null);
            Environment.SetEnvironmentVariable("PTC_TOKEN", null);
            var start = Channel.Receive();
            if (start == null)
            {
                Leave(1);
            }
            filename = start["filename"] as string ?? filename;
            // A script that speaks of none of these has one thread, and so may promise to send nothing while it waits.
            var code = start["code"] as string ?? "";
            OneThread = !MentionsAny(code, "Thread", "Task", "Parallel", "sync", "Timer", "Worker");
            if (start["directory"] is string directory && Directory.Exists(directory))
            {
                Directory.SetCurrentDirectory(directory);
            }
        }

        static bool MentionsAny(string code, params string[] words)
        {
            foreach (var word in words)
            {
                if (code.IndexOf(word, StringComparison.Ordinal) >= 0)
                {
                    return true;
                }
            }
            return false;
        }

        static StreamWriter Utf8(Stream stream)
        {
            return new StreamWriter(stream, new UTF8Encoding(false)) { AutoFlush = true };
        }

        /// <summary>Sends the last frame and waits: the host ends this process, and all that it started.</summary>
        static void Finish(int code, Exception error)
        {
            if (Interlocked.Exchange(ref ended, 1) != 0)
            {
                Thread.Sleep(Timeout.Infinite);
            }
            Console.Out.Flush();
            Console.Error.Flush();
            var frame = new StringBuilder("{\"type\":\"done\",\"value\":null,\"code\":");
            frame.Append(code).Append(",\"error\":");
            if (error == null && code == 0)
            {
                frame.Append("null");
            }
            else
            {
                JsonWriter.Write(frame, error != null ? Failure.Of(error, filename) : Failure.OfExit(code, filename));
            }
            Channel.Send(frame.Append("}\n").ToString(), last: true);
            var watch = new Thread(() =>
            {
                Thread.Sleep(60000);
                Leave(code);
            });
            watch.IsBackground = true;
            watch.Start();
            Channel.AwaitEnd();
            Leave(code);
        }
    }
}
