using System;

namespace PtcKit
{
    /// <summary>How a tool failed: the type and the message that its own side gave to the error.</summary>
    public class ToolError : Exception
    {
        public ToolError(string type, string message, string tool, string traceback = null) : base(message)
        {
            Type = type;
            Tool = tool;
            Traceback = traceback;
        }

        public string Type { get; }
        public string Tool { get; }

        /// <summary>What the tool's side has to say; null if nothing.</summary>
        public string Traceback { get; }
    }
}
