using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;

namespace PtcKit
{
    /// <summary>A variable at the script's top level.</summary>
    sealed class Variable
    {
        public string Type, Name;
        public int Start, NameStart;
    }

    /// <summary>
    /// Finds the variables that functions of the script use: they become fields, and so are known everywhere.
    /// </summary>
    static class Variables
    {
        const string Named = @"[\w.]+(?:<[\w\s.,<>\[\]?]*>)?";

        static readonly Regex Declaration = new Regex(
            @"\G(?:const\s+)?(?<type>" + Named + @"(?:\[[\s,]*\]|\?)*)\s+(?<name>\w+)\s*(?<rest>=(?!=)|;)");
        static readonly Regex Made = new Regex(@"\G\s*new\s+(?<type>" + Named + @")\s*(?<array>\[[^\]]*\])?");
        static readonly Regex Whole = new Regex(@"\G\s*-?\d+\s*;");
        static readonly Regex NoType = new Regex(@"^(?:return|throw|await|new|using|goto|yield|else|out|ref)$");

        public static List<Variable> UsedByFunctions(string code, List<Piece> pieces)
        {
            var functions = string.Join("\n", pieces
                .Where(piece => piece.Kind == PieceKind.Function)
                .Select(piece => code.Substring(piece.Start, piece.End - piece.Start)));
            return pieces
                .Where(piece => piece.Kind == PieceKind.Statement)
                .Select(piece => Declared(code, piece))
                .Where(variable => variable != null && Regex.IsMatch(functions, $@"(?<!\.)\b{variable.Name}\b"))
                .ToList();
        }

        static Variable Declared(string code, Piece piece)
        {
            var found = Declaration.Match(code, piece.Start);
            if (!found.Success || NoType.IsMatch(found.Groups["type"].Value) || DeclaresSeveral(code, piece))
            {
                return null;
            }
            var type = found.Groups["type"].Value;
            if (type == "var")
            {
                type = Guessed(code, found.Index + found.Length);
            }
            return type == null ? null : new Variable
            {
                Type = type,
                Name = found.Groups["name"].Value,
                Start = piece.Start,
                // What has no value needs no statement either.
                NameStart = found.Groups["rest"].Value == ";" ? piece.End : found.Groups["name"].Index,
            };
        }

        static bool DeclaresSeveral(string code, Piece piece)
        {
            var depth = 0;
            for (var i = piece.Start; i < piece.End; i++)
            {
                depth += "([{<".IndexOf(code[i]) >= 0 ? 1 : ")]}>".IndexOf(code[i]) >= 0 ? -1 : 0;
                if (code[i] == ',' && depth == 0)
                {
                    return true;
                }
            }
            return false;
        }

        /// <summary>The type of what a `var` is made of, where it says so itself.</summary>
        static string Guessed(string code, int at)
        {
            var made = Made.Match(code, at);
            if (made.Success)
            {
                return made.Groups["type"].Value + (made.Groups["array"].Success ? "[]" : "");
            }
            return Whole.IsMatch(code, at) ? "int" : null;
        }
    }
}
