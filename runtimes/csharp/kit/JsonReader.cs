using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace PtcKit
{
    /// <summary>
    /// Reads JSON into Records, lists, texts, booleans and numbers. A whole number is an int where it fits, else a
    /// long, a decimal or a double.
    /// </summary>
    sealed class JsonReader
    {
        readonly string text;
        int at;

        JsonReader(string text)
        {
            this.text = text;
        }

        public static object Read(string text)
        {
            return new JsonReader(text).Value();
        }

        object Value()
        {
            switch (Peek())
            {
                case '{':
                    return Object();
                case '[':
                    return List();
                case '"':
                    return Text();
            }
            var word = Word();
            switch (word)
            {
                case "null":
                    return null;
                case "true":
                    return true;
                case "false":
                    return false;
                case "NaN":
                    return double.NaN;
                case "Infinity":
                    return double.PositiveInfinity;
                case "-Infinity":
                    return double.NegativeInfinity;
            }
            return Number(word);
        }

        Record Object()
        {
            var record = new Record();
            Open();
            while (!Closes('}'))
            {
                Peek();
                var name = Text();
                Expect(':');
                record[name] = Value();
            }
            return record;
        }

        List<object> List()
        {
            var list = new List<object>();
            Open();
            while (!Closes(']'))
            {
                list.Add(Value());
            }
            return list;
        }

        void Open()
        {
            at++;
        }

        /// <summary>Passes over a comma or the end of what is being read; true for the end.</summary>
        bool Closes(char end)
        {
            if (Peek() == end)
            {
                at++;
                return true;
            }
            if (Peek() == ',')
            {
                at++;
            }
            return false;
        }

        void Expect(char c)
        {
            if (Peek() != c)
            {
                throw new FormatException($"{c} expected at {at}");
            }
            at++;
        }

        char Peek()
        {
            while (at < text.Length && char.IsWhiteSpace(text[at]))
            {
                at++;
            }
            if (at >= text.Length)
            {
                throw new FormatException("the text ends too early");
            }
            return text[at];
        }

        string Word()
        {
            var from = at;
            while (at < text.Length && (char.IsLetterOrDigit(text[at]) || "+-.".IndexOf(text[at]) >= 0))
            {
                at++;
            }
            if (at == from)
            {
                throw new FormatException($"unexpected {text[at]} at {at}");
            }
            return text.Substring(from, at - from);
        }

        static object Number(string word)
        {
            var invariant = CultureInfo.InvariantCulture;
            if (word.IndexOfAny(new[] { '.', 'e', 'E' }) < 0)
            {
                if (int.TryParse(word, NumberStyles.Integer, invariant, out var small))
                {
                    return small;
                }
                if (long.TryParse(word, NumberStyles.Integer, invariant, out var large))
                {
                    return large;
                }
                if (decimal.TryParse(word, NumberStyles.Integer, invariant, out var huge))
                {
                    return huge;
                }
            }
            return double.Parse(word, NumberStyles.Float, invariant);
        }

        string Text()
        {
            Expect('"');
            var end = text.IndexOf('"', at);
            var escape = end < 0 ? -1 : text.IndexOf('\\', at, end - at);
            if (end >= 0 && escape < 0)
            {
                var plain = text.Substring(at, end - at);
                at = end + 1;
                return plain;
            }
            return Escaped();
        }

        string Escaped()
        {
            var result = new StringBuilder();
            while (true)
            {
                var stop = text.IndexOfAny(Stops, at);
                if (stop < 0)
                {
                    throw new FormatException("a text has no end");
                }
                result.Append(text, at, stop - at);
                at = stop + 1;
                if (text[stop] == '"')
                {
                    return result.ToString();
                }
                var c = text[at++];
                if (c == 'u')
                {
                    var unit = text.Substring(at, 4);
                    result.Append((char)int.Parse(unit, NumberStyles.HexNumber, CultureInfo.InvariantCulture));
                    at += 4;
                }
                else
                {
                    var known = "ntrbf".IndexOf(c);
                    result.Append(known < 0 ? c : "\n\t\r\b\f"[known]);
                }
            }
        }

        static readonly char[] Stops = { '"', '\\' };
    }
}
