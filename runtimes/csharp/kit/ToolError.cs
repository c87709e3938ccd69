using System;

namespace PtcKit
{
    /// <summary>How a tool failed: the type and the message that its own side gave to the error.</summary>
    public class ToolError : Exception
    {
        public ToolError(string type, string message, string tool, string traceback = null, Record attributes = null)
            : base(message)
        {
            Attributes = attributes ?? new Record();
            Type = type;
            Tool = tool;
            Traceback = traceback;
        }

        public string Type { get; }
        public string Tool { get; }

        /// <summary>What the exception carries beyond its message, such as the status of an HTTP error.</summary>
        public Record Attributes { get; }

        /// <summary>What the tool's side has to say; null if nothing.</summary>
        public string Traceback { get; }
    }
}
