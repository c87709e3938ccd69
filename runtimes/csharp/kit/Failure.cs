using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text;

namespace PtcKit
{
    /// <summary>What a script ended with, in the form of the record: the user's frames only.</summary>
    static class Failure
    {
        public const string ScriptFile = "script.cs";
        const int MostFrames = 50;

        public static Dictionary<string, object> Of(Exception error, string filename)
        {
            while (error is AggregateException several && several.InnerExceptions.Count == 1)
            {
                error = several.InnerExceptions[0];
            }
            var type = error is ToolError failure ? failure.Type : error.GetType().Name;
            var frames = Frames(new StackTrace(error, true));
            return Told(type, error.Message, frames, filename, $"{type}: {error.Message}\n");
        }

        /// <summary>Where the script is that is about to leave with this status.</summary>
        public static Dictionary<string, object> OfExit(int code, string filename)
        {
            return Told("SystemExit", $"exit status {code}", Frames(new StackTrace(true)), filename, "");
        }

        static List<StackFrame> Frames(StackTrace trace)
        {
            return (trace.GetFrames() ?? new StackFrame[0])
                .Where(frame => frame != null && Path.GetFileName(frame.GetFileName() ?? "") == ScriptFile)
                .ToList();
        }

        static Dictionary<string, object> Told(
            string type, string message, List<StackFrame> frames, string filename, string head)
        {
            var traceback = new StringBuilder(head);
            // Of an endless recursion the beginning is enough.
            foreach (var frame in frames.Take(MostFrames))
            {
                traceback.Append($"  at {Name(frame)} in {filename}:{frame.GetFileLineNumber()}\n");
            }
            return new Dictionary<string, object>
            {
                ["type"] = type,
                ["message"] = message,
                ["traceback"] = traceback.ToString(),
                ["line"] = frames.Count > 0 ? frames[0].GetFileLineNumber() : (object)null,
            };
        }

        /// <summary>The method's name; of one that the compiler made, the name of what it made it from.</summary>
        static string Name(StackFrame frame)
        {
            var method = frame.GetMethod();
            var made = method?.Name == "MoveNext" ? method.DeclaringType?.Name : method?.Name;
            var end = made == null ? -1 : made.IndexOf('>');
            return end > 1 && made[0] == '<' ? made.Substring(1, end - 1) : made ?? "?";
        }
    }
}
