using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;

namespace PtcKit
{
    /// <summary>
    /// Makes a program of a script whose statements stand at the top level, for compilers that do not know such
    /// scripts. All lines stay the script's own.
    /// </summary>
    static class Wrapping
    {
        const string Usings =
            "using System; using System.Collections.Generic; using System.IO; using System.Linq; using System.Text;" +
            " using System.Threading; using System.Threading.Tasks; using PtcKit; using static PtcKit.Tools;\n";

        static readonly Regex Main = new Regex(
            @"\bstatic\s+(?<async>async\s+)?(?:void|int|(?:System\.Threading\.Tasks\.)?Task)(?:<int>)?\s+" +
            @"(?<name>Main)\s*\((?<given>\s*\w)?");
        static readonly Regex Access = new Regex(
            @"\A((?:\[[^\]]*\]\s*)*)((?:(?:public|private|protected|internal|static)\s+)*)");

        public static string Program(string source)
        {
            source = source.TrimStart('\ufeff').Replace("\r\n", "\n");
            var code = Blanks.Of(source);
            var main = Main.Match(code);
            if (main.Success)
            {
                return Usings + Directive(1) + (main.Groups["async"].Success ? Awaited(source, main) : source);
            }
            var pieces = Pieces.Of(code);
            var shared = Variables.UsedByFunctions(code, pieces);
            var program = new StringBuilder(Usings);
            foreach (var piece in pieces.Where(piece => piece.Kind == PieceKind.Using))
            {
                program.Append(Placed(source, piece.Start, piece.End));
            }
            program.Append("#line 1 \"wrapper.cs\"\nstatic class Script\n{\n");
            foreach (var variable in shared)
            {
                program.Append($"static {variable.Type} {variable.Name};\n");
            }
            foreach (var piece in pieces.Where(piece => piece.Kind == PieceKind.Function))
            {
                program.Append(Method(source, piece));
            }
            program.Append(Body(source, code, pieces, shared)).Append(" }\n");
            foreach (var piece in pieces.Where(piece => piece.Kind == PieceKind.Type))
            {
                program.Append(Placed(source, piece.Start, piece.End));
            }
            return program.ToString();
        }

        /// <summary>
        /// The script in the order that a compiler wants which knows statements at the top level: types come
        /// last.
        /// </summary>
        public static string Ordered(string source)
        {
            source = source.TrimStart('\ufeff').Replace("\r\n", "\n");
            var code = Blanks.Of(source);
            if (Main.IsMatch(code))
            {
                return Directive(1) + source;
            }
            var pieces = Pieces.Of(code);
            var moved = pieces.Where(piece => piece.Kind == PieceKind.Using || piece.Kind == PieceKind.Type).ToList();
            var program = new StringBuilder();
            foreach (var piece in moved.Where(piece => piece.Kind == PieceKind.Using))
            {
                program.Append(Placed(source, piece.Start, piece.End));
            }
            // A file of types alone would be no program.
            program.Append(Directive(1)).Append(Without(source, moved)).Append("\n;");
            foreach (var piece in moved.Where(piece => piece.Kind == PieceKind.Type))
            {
                program.Append('\n').Append(Placed(source, piece.Start, piece.End));
            }
            return program.ToString();
        }

        /// <summary>A script whose own Main is asynchronous, with one that waits for it.</summary>
        static string Awaited(string source, Match main)
        {
            var given = main.Groups["given"].Success ? "new string[0]" : "";
            var name = main.Groups["name"].Index;
            var before = $"static void Main() {{ AsyncMain({given}).GetAwaiter().GetResult(); }} ";
            return source.Insert(name, "Async").Insert(main.Index, before);
        }

        /// <summary>The statements, as a method; one that may be awaited if they await something.</summary>
        static string Body(string source, string code, List<Piece> pieces, List<Variable> shared)
        {
            var moved = pieces.Where(piece => piece.Kind != PieceKind.Statement);
            // Of a variable that has become a field, only its value is given here.
            var types = shared.Select(variable => new Piece { Start = variable.Start, End = variable.NameStart });
            var text = Without(source, moved.Concat(types));
            var awaits = Regex.IsMatch(Without(code, moved), @"\bawait\b");
            var head = awaits
                ? "static void Main() { Statements().GetAwaiter().GetResult(); }\nstatic async Task Statements()\n{\n"
                : "static void Main()\n{\n";
            // Never `#line hidden`: with it, Mono's compiler gets the lines of what follows wrong.
            var last = LineAt(source, source.TrimEnd().Length);
            return "#line 1 \"wrapper.cs\"\n" + head + Directive(1) + text + "\n" + Directive(last) + "}";
        }

        static string Without(string source, IEnumerable<Piece> moved)
        {
            var text = new StringBuilder(source);
            foreach (var piece in moved)
            {
                for (var i = piece.Start; i < piece.End; i++)
                {
                    text[i] = source[i] == '\n' ? '\n' : ' ';
                }
            }
            return text.ToString();
        }

        /// <summary>A function becomes a static method: older compilers know no functions in methods.</summary>
        static string Method(string source, Piece piece)
        {
            var found = Access.Match(source.Substring(piece.Start, piece.End - piece.Start));
            var rest = piece.Start + found.Length;
            var text = found.Groups[1].Value + "static " + source.Substring(rest, piece.End - rest);
            return Placed(text, LineAt(source, piece.Start));
        }

        static string Placed(string source, int start, int end)
        {
            return Placed(source.Substring(start, end - start), LineAt(source, start));
        }

        static string Placed(string text, int line)
        {
            return Directive(line) + text + "\n";
        }

        static string Directive(int line)
        {
            return $"#line {line} \"{Failure.ScriptFile}\"\n";
        }

        static int LineAt(string source, int at)
        {
            return source.Take(at).Count(c => c == '\n') + 1;
        }
    }
}
