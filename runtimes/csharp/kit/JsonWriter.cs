using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace PtcKit
{
    /// <summary>A value that has no JSON form, or a result of another type than the script expects.</summary>
    sealed class MismatchException : Exception
    {
        public MismatchException(string message) : base(message) { }
    }

    /// <summary>Turns values of a script into JSON, which may hold NaN and infinities.</summary>
    static class JsonWriter
    {
        const int Deepest = 2000;

        public static void Write(StringBuilder to, object value, int depth = 0)
        {
            if (depth > Deepest)
            {
                throw new MismatchException("the value is nested too deeply, or contains itself");
            }
            if (value == null)
            {
                to.Append("null");
            }
            else if (value is string text)
            {
                Text(to, text);
            }
            else if (value is bool truth)
            {
                to.Append(truth ? "true" : "false");
            }
            else if (value is double || value is float)
            {
                Number(to, System.Convert.ToDouble(value));
            }
            else if (IsNumber(value))
            {
                to.Append(((IFormattable)value).ToString(null, CultureInfo.InvariantCulture));
            }
            else if (value is byte[] bytes)
            {
                // The object that stands for bytes on their way to the host.
                to.Append("{\"\\u0000bytes\":\"").Append(System.Convert.ToBase64String(bytes)).Append("\"}");
            }
            else if (Simple(value) is string simple)
            {
                Text(to, simple);
            }
            else
            {
                Compound(to, value, depth);
            }
        }

        /// <summary>The text of a value that has no parts; null for one that has.</summary>
        static string Simple(object value)
        {
            if (value is DateTime || value is DateTimeOffset)
            {
                return ((IFormattable)value).ToString("o", CultureInfo.InvariantCulture);
            }
            var named = value is Enum || value is char || value is Guid || value is TimeSpan || value is Uri;
            return named ? value.ToString() : null;
        }

        /// <summary>Whether the value is an object with members rather than a list or something simple.</summary>
        public static bool HasMembers(object value)
        {
            return value is IDictionary || value is IEnumerable<KeyValuePair<string, object>>
                || !(value is IEnumerable) && !(value is IFormattable) && !(value is bool) && !(value is Uri);
        }

        public static void Number(StringBuilder to, double number)
        {
            if (double.IsNaN(number))
            {
                to.Append("NaN");
            }
            else if (double.IsInfinity(number))
            {
                to.Append(number > 0 ? "Infinity" : "-Infinity");
            }
            else
            {
                to.Append(number.ToString("R", CultureInfo.InvariantCulture));
            }
        }

        public static void Text(StringBuilder to, string text)
        {
            to.Append('"');
            var from = 0;
            for (var i = 0; i < text.Length; i++)
            {
                var c = text[i];
                var half = char.IsSurrogate(c);
                if (half && i + 1 < text.Length && char.IsSurrogatePair(c, text[i + 1]))
                {
                    i++;
                    continue;
                }
                if (c < ' ' || c == '"' || c == '\\' || half)
                {
                    // Half a surrogate pair has no UTF-8 form, but JSON has one for it.
                    to.Append(text, from, i - from).Append("\\u").Append(((int)c).ToString("x4"));
                    from = i + 1;
                }
            }
            to.Append(text, from, text.Length - from).Append('"');
        }

        static bool IsNumber(object value)
        {
            var type = value.GetType();
            var code = Type.GetTypeCode(type);
            var plain = TypeCode.SByte <= code && code <= TypeCode.Decimal && code != TypeCode.Single && !type.IsEnum;
            return plain || type.FullName == "System.Numerics.BigInteger";
        }

        static void Compound(StringBuilder to, object value, int depth)
        {
            if (value is IDictionary map)
            {
                Members(to, map.Keys.Cast<object>().Select(key => Pair(Key(key), map[key])), depth);
            }
            else if (value is IEnumerable<KeyValuePair<string, object>> members)
            {
                Members(to, members, depth);
            }
            else if (value is IEnumerable list)
            {
                List(to, list, depth);
            }
            else if (value is Delegate || value is Type)
            {
                throw new MismatchException($"a value of type {value.GetType().Name} has no JSON form");
            }
            else
            {
                Members(to, Shape.Of(value.GetType()).Select(member => Pair(member.Name, member.Get(value))), depth);
            }
        }

        static string Key(object key)
        {
            return System.Convert.ToString(key, CultureInfo.InvariantCulture);
        }

        static KeyValuePair<string, object> Pair(string name, object value)
        {
            return new KeyValuePair<string, object>(name, value);
        }

        static void List(StringBuilder to, IEnumerable list, int depth)
        {
            var before = '[';
            foreach (var item in list)
            {
                to.Append(before);
                Write(to, item, depth + 1);
                before = ',';
            }
            to.Append(before == '[' ? "[]" : "]");
        }

        static void Members(StringBuilder to, IEnumerable<KeyValuePair<string, object>> members, int depth)
        {
            var before = '{';
            foreach (var member in members)
            {
                to.Append(before);
                Text(to, member.Key);
                to.Append(':');
                Write(to, member.Value, depth + 1);
                before = ',';
            }
            to.Append(before == '{' ? "{}" : "}");
        }
    }
}
