using System.Collections;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

namespace PtcKit
{
    /// <summary>
    /// What a script sees of its tools. Arguments are an anonymous object, a dictionary, or a list of positional
    /// ones.
    /// </summary>
    public static class Tools
    {
        /// <summary>Calls a tool and gives its result as a T; any thread may call.</summary>
        public static T CallTool<T>(
            string tool, object arguments = null, double? timeout = null, [CallerLineNumber] int line = 0)
        {
            var call = new Call(tool, arguments, timeout, line);
            return Result<T>(tool, Host.Channel.Call(call));
        }

        /// <summary>The same with an untyped result: objects are Records, lists are List&lt;object&gt;.</summary>
        public static dynamic CallTool(
            string tool, object arguments = null, double? timeout = null, [CallerLineNumber] int line = 0)
        {
            return CallTool<object>(tool, arguments, timeout, line);
        }

        /// <summary>The same as something to await, so that several calls can be under way.</summary>
        public static async Task<T> CallToolAsync<T>(
            string tool, object arguments = null, double? timeout = null, [CallerLineNumber] int line = 0)
        {
            var call = new Call(tool, arguments, timeout, line);
            return Result<T>(tool, await Host.Channel.CallAsync(call).ConfigureAwait(false));
        }

        /// <summary>The same with an untyped result.</summary>
        public static async Task<dynamic> CallToolAsync(
            string tool, object arguments = null, double? timeout = null, [CallerLineNumber] int line = 0)
        {
            return await CallToolAsync<object>(tool, arguments, timeout, line).ConfigureAwait(false);
        }

        static T Result<T>(string tool, Dictionary<string, object> answer)
        {
            switch ((string)answer["type"])
            {
                case "result":
                    try
                    {
                        return (T)Convert.To(typeof(T), answer["value"]);
                    }
                    catch (MismatchException mismatch)
                    {
                        throw new ToolError("TypeError", $"the result of tool '{tool}' {mismatch.Message}", tool);
                    }
                case "failure":
                    var error = (IDictionary)answer["error"];
                    throw new ToolError(
                        (string)error["type"], (string)error["message"], tool, error["traceback"] as string,
                        error["state"] as Record);
                default:
                    throw new ToolError("TypeError", $"the call was not understood: {answer["message"]}", tool);
            }
        }
    }
}
