using System.Collections;
using System.Text;

namespace PtcKit
{
    /// <summary>A request for a call; the frame begins with what the channel adds.</summary>
    sealed class Call
    {
        public readonly StringBuilder Rest = new StringBuilder();

        public Call(string tool, object arguments, double? timeout, int line)
        {
            if (tool == null)
            {
                throw new ToolError("TypeError", "a tool's name must be a text, not null", "");
            }
            if (timeout.HasValue && !(timeout > 0))
            {
                throw new ToolError("ValueError", "the timeout of a call must be above 0", tool);
            }
            Rest.Append(",\"tool\":");
            JsonWriter.Text(Rest, tool);
            if (line > 0)
            {
                Rest.Append(",\"line\":").Append(line);
            }
            if (timeout.HasValue)
            {
                Rest.Append(",\"timeout\":");
                JsonWriter.Number(Rest, timeout.Value);
            }
            try
            {
                Add(arguments);
            }
            catch (MismatchException mismatch)
            {
                throw new ToolError("TypeError", $"Invalid parameters for tool '{tool}': {mismatch.Message}", tool);
            }
            Rest.Append("}\n");
        }

        void Add(object arguments)
        {
            if (arguments == null)
            {
                return;
            }
            var positional = arguments is IList || !JsonWriter.HasMembers(arguments);
            Rest.Append(positional ? ",\"args\":" : ",\"kwargs\":");
            // A lone number, text or array of bytes can only be the first argument.
            var lone = positional && (!(arguments is IList) || arguments is byte[]);
            JsonWriter.Write(Rest, lone ? new[] { arguments } : arguments);
        }
    }
}
