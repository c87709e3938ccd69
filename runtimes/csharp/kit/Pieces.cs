using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;

namespace PtcKit
{
    enum PieceKind
    {
        Statement,
        Using,
        Type,
        Function,
    }

    /// <summary>A declaration or statement at the script's top level.</summary>
    sealed class Piece
    {
        public PieceKind Kind;
        public int Start, End;
    }

    /// <summary>Takes a script apart, without understanding more of it than brackets, texts and comments.</summary>
    static class Pieces
    {
        const string Attributes = @"(?:\[[^\]]*\]\s*)*";
        const string Modifiers =
            @"(?:(?:public|private|protected|internal|static|sealed|abstract|partial|readonly|unsafe|async|new)\s+)*";
        const string Names = @"[\w.]+(?:<[\w\s.,<>\[\]?]*>)?(?:\[[\s,]*\]|\?)*|\([^()=;]*\)";

        const string Parameters = @"\([^;=]*?(?:=[^>;][^;]*?)?\)\s*";
        const string Beginning = @"(?:where\s[^{;]*)?(?:\{|=>)";

        static readonly Regex UsingDirective = new Regex(@"\Gusing\s+(?:static\s+)?[\w.]+\s*(?:=[^;]*)?;");
        static readonly Regex UsingVariable = new Regex(@"\Gusing\s+(?:var|[\w.<>\[\]]+)\s+\w+\s*=");
        static readonly Regex TypeDeclaration = new Regex(
            @"\G" + Attributes + Modifiers + @"(?:class|struct|interface|enum|delegate|namespace)\s+[\w(]");
        static readonly Regex FunctionDeclaration = new Regex(
            @"\G" + Attributes + Modifiers + "(?:" + Names + @")\s+\w+\s*(?:<[\w\s,]*>)?\s*" + Parameters + Beginning);
        static readonly Regex NoFunction = new Regex(
            @"\G(?:new|return|throw|await|else|if|while|for|foreach|switch|lock|using|yield|do|try|goto|case|var)\b");

        /// <summary>The script's pieces in their order; `code` is the script with texts and comments blanked.</summary>
        public static List<Piece> Of(string code)
        {
            var found = new List<Piece>();
            var start = 0;
            while (true)
            {
                while (start < code.Length && (char.IsWhiteSpace(code[start]) || code[start] == ';'))
                {
                    start++;
                }
                if (start >= code.Length)
                {
                    return found;
                }
                var kind = KindAt(code, start);
                var end = End(code, start, kind);
                found.Add(new Piece { Kind = kind, Start = start, End = end });
                start = end;
            }
        }

        static PieceKind KindAt(string code, int at)
        {
            if (UsingDirective.IsMatch(code, at) && !UsingVariable.IsMatch(code, at))
            {
                return PieceKind.Using;
            }
            if (TypeDeclaration.IsMatch(code, at))
            {
                return PieceKind.Type;
            }
            var function = FunctionDeclaration.IsMatch(code, at) && !NoFunction.IsMatch(code, at);
            return function ? PieceKind.Function : PieceKind.Statement;
        }

        /// <summary>
        /// A piece ends with a semicolon, or with the brace that closes a block, outside of all brackets.
        /// </summary>
        static int End(string code, int at, PieceKind kind)
        {
            var depth = 0;
            var arrow = false;
            for (var i = at; i < code.Length; i++)
            {
                switch (code[i])
                {
                    case '(':
                    case '[':
                    case '{':
                        depth++;
                        break;
                    case ')':
                    case ']':
                        depth--;
                        break;
                    case '}':
                        if (--depth <= 0 && !(kind == PieceKind.Function && arrow))
                        {
                            return i + 1;
                        }
                        break;
                    case ';':
                        if (depth <= 0)
                        {
                            return i + 1;
                        }
                        break;
                    case '=':
                        arrow = arrow || depth == 0 && i + 1 < code.Length && code[i + 1] == '>';
                        break;
                }
            }
            return code.Length;
        }
    }
}
