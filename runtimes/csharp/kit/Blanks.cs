using System.Text;

namespace PtcKit
{
    /// <summary>
    /// Blanks what is no code, character by character: comments, texts, and the compiler's directives.
    /// </summary>
    static class Blanks
    {
        public static string Of(string source)
        {
            var code = new StringBuilder(source);
            for (var i = 0; i < source.Length;)
            {
                var end = Skipped(source, i);
                for (var j = i; j < end; j++)
                {
                    code[j] = source[j] == '\n' ? '\n' : ' ';
                }
                if (end > i && (source[end - 1] == '"' || source[end - 1] == '\''))
                {
                    // Something must stay, or `x = "";` would look like `x = ;`.
                    code[i] = '0';
                }
                i = end > i ? end : i + 1;
            }
            return code.ToString();
        }

        /// <summary>
        /// The end of the comment, text or directive that begins there; the place itself if none does.
        /// </summary>
        static int Skipped(string source, int at)
        {
            if (Begins(source, at, "//") || source[at] == '#' && BeginsLine(source, at))
            {
                return Until(source, at, "\n", 0);
            }
            if (Begins(source, at, "/*"))
            {
                return Until(source, at + 2, "*/", 2);
            }
            if (source[at] == '\'' || source[at] == '"')
            {
                return Quoted(source, at + 1, source[at], false);
            }
            if (Begins(source, at, "@\""))
            {
                return Quoted(source, at + 2, '"', true);
            }
            if (Begins(source, at, "$\""))
            {
                return Interpolated(source, at + 2, false);
            }
            if (Begins(source, at, "$@\"") || Begins(source, at, "@$\""))
            {
                return Interpolated(source, at + 3, true);
            }
            return at;
        }

        static bool Begins(string source, int at, string mark)
        {
            return string.CompareOrdinal(source, at, mark, 0, mark.Length) == 0;
        }

        static bool BeginsLine(string source, int at)
        {
            var line = source.LastIndexOf('\n', at) + 1;
            return source.Substring(line, at - line).Trim() == "";
        }

        static int Until(string source, int at, string mark, int beyond)
        {
            var end = source.IndexOf(mark, System.Math.Min(at, source.Length), System.StringComparison.Ordinal);
            return end < 0 ? source.Length : end + beyond;
        }

        static int Quoted(string source, int at, char quote, bool verbatim)
        {
            for (var i = at; i < source.Length; i++)
            {
                if (source[i] == '\\' && !verbatim)
                {
                    i++;
                }
                else if (source[i] == quote)
                {
                    if (!verbatim || i + 1 >= source.Length || source[i + 1] != quote)
                    {
                        return i + 1;
                    }
                    i++;
                }
                else if (source[i] == '\n' && !verbatim)
                {
                    // A text that does not end is the compiler's business; the next line begins anew.
                    return i;
                }
            }
            return source.Length;
        }

        static int Interpolated(string source, int at, bool verbatim)
        {
            var depth = 0;
            for (var i = at; i < source.Length; i++)
            {
                var c = source[i];
                if (depth == 0 && (c == '{' || c == '}') && i + 1 < source.Length && source[i + 1] == c)
                {
                    i++;
                }
                else if (c == '{')
                {
                    depth++;
                }
                else if (c == '}')
                {
                    depth--;
                }
                else if (depth > 0)
                {
                    i = System.Math.Max(i, Skipped(source, i) - 1);
                }
                else if (c == '\\' && !verbatim)
                {
                    i++;
                }
                else if (c == '"')
                {
                    if (!verbatim || i + 1 >= source.Length || source[i + 1] != '"')
                    {
                        return i + 1;
                    }
                    i++;
                }
                else if (c == '\n' && !verbatim)
                {
                    return i;
                }
            }
            return source.Length;
        }
    }
}
