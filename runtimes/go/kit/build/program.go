package main

import (
	"fmt"
	"go/token"
	"sort"
	"strings"
)

// view is what a script has of the kit, each under its name, so that a script may have that name for itself.
var view = map[string]string{
	"Args":      "type Args = ptc_kit.Args",
	"ToolError": "type ToolError = ptc_kit.ToolError",
	"Timeout":   "func Timeout(seconds float64) ptc_kit.Option { return ptc_kit.Timeout(seconds) }",
	"Must":      "func Must[T any](value T, err error) T { return ptc_kit.Must(value, err) }",
	"CallTool": "func CallTool[T any](tool string, arguments ...any) (T, error) {\n" +
		"\treturn ptc_kit.CallTool[T](tool, arguments...)\n}",
	"MustCallTool": "func MustCallTool[T any](tool string, arguments ...any) T {\n" +
		"\treturn ptc_kit.MustCallTool[T](tool, arguments...)\n}",
}

// program is the script as the compiler gets it, and beside it what the script has of the kit.
func program(source string) (script, beside string) {
	source = strings.TrimPrefix(source, "\ufeff")
	all := lexemes(source)
	parts := pieces(all)
	ownMain := hoist(parts)
	declared, generic := declarations(parts)
	own := imported(parts)
	added := wanted(all, own, declared)
	changes := edits(all, generic, merged(own, added))

	var text strings.Builder
	text.WriteString("package main\n\nimport ptc_kit \"ptc\"\n")
	for _, name := range keys(added) {
		fmt.Fprintf(&text, "import %s %q\n", name, added[name][0])
	}
	write := func(p *piece) {
		fmt.Fprintf(&text, "%s\n%s\n", directive(source, p.start()), rendered(source, p.start(), p.end(), changes))
	}
	each(parts, func(p *piece) bool { return p.kind == token.IMPORT }, write)
	each(parts, func(p *piece) bool { return p.hoisted && p.kind != token.IMPORT && p.kind != token.PACKAGE }, write)
	text.WriteString("//line uses.go:1\n" + uses(own, added, changes))
	if !ownMain {
		text.WriteString("//line wrapped.go:1\nfunc main() {\n\tdefer ptc_kit.End()\n")
	}
	statements := rendered(blanked(source, parts), 0, len(source), stayed(changes, parts))
	text.WriteString("//line script.go:1\n" + strings.TrimRight(statements, " \t\r\n"))
	if !ownMain {
		// What is missing at the end is missing in the last line.
		lines := strings.Count(strings.TrimRight(source, " \t\r\n"), "\n") + 1
		fmt.Fprintf(&text, "\n//line script.go:%d\n}", lines)
	}
	return text.String(), viewOf(declared)
}

// viewOf is a file of its own, so that a script which does not end where it should is told so in its own last line.
func viewOf(declared map[string]bool) string {
	text := "package main\n\nimport ptc_kit \"ptc\"\n\nvar _ = ptc_kit.End\n"
	for _, name := range keys(view) {
		if !declared[name] {
			text += view[name] + "\n"
		}
	}
	return text
}

func each(parts []*piece, which func(*piece) bool, do func(*piece)) {
	for _, p := range parts {
		if which(p) {
			do(p)
		}
	}
}

// hoist marks what cannot stand in a function, or is needed outside of it. It tells whether the script has a main of
// its own; then only imports move, since all else is at package level anyway.
func hoist(parts []*piece) bool {
	ownMain := false
	for _, p := range parts {
		ownMain = ownMain || p.kind == token.FUNC && p.lexemes[1].is("main")
	}
	for _, p := range parts {
		declares := p.kind == token.FUNC || p.kind == token.TYPE || p.kind == token.CONST
		p.hoisted = p.kind == token.IMPORT || p.kind == token.PACKAGE || declares && !ownMain
	}
	if !ownMain {
		hoistVariables(parts)
	}
	return ownMain
}

// hoistVariables moves the variables that a function of the script uses, unless they are made of local ones.
func hoistVariables(parts []*piece) {
	local := map[string]bool{}
	for _, p := range parts {
		for i, l := range p.lexemes {
			if p.kind == token.ILLEGAL && l.kind == token.DEFINE {
				for at := i - 1; at >= 0 && (p.lexemes[at].kind == token.IDENT || p.lexemes[at].kind == token.COMMA); at-- {
					local[p.lexemes[at].text] = true
				}
				break
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, p := range parts {
			if p.kind == token.VAR && !p.hoisted && usedBy(p, parts) && !mentionsAny(p, local) {
				p.hoisted, changed = true, true
			}
		}
	}
}

func usedBy(variable *piece, parts []*piece) bool {
	for _, name := range variable.names() {
		for _, p := range parts {
			if p.hoisted && p.kind != token.IMPORT && p.mentions(name) {
				return true
			}
		}
	}
	return false
}

func mentionsAny(p *piece, names map[string]bool) bool {
	for name := range names {
		if p.mentions(name) {
			return true
		}
	}
	return false
}

// declarations are the names at package level, and those of generic functions.
func declarations(parts []*piece) (declared, generic map[string]bool) {
	declared, generic = map[string]bool{}, map[string]bool{}
	for _, p := range parts {
		if p.kind == token.ILLEGAL || p.kind == token.VAR && !p.hoisted {
			continue
		}
		for _, name := range p.names() {
			declared[name] = true
		}
		if p.kind == token.FUNC && len(p.lexemes) > 2 && p.lexemes[2].kind == token.LBRACK {
			generic[p.lexemes[1].text] = true
		}
	}
	return declared, generic
}

// blanked is the script without what was hoisted, line by line.
func blanked(source string, parts []*piece) string {
	text := []byte(source)
	for _, p := range parts {
		for i := p.start(); p.hoisted && i < p.end(); i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	return string(text)
}

func stayed(changes []edit, parts []*piece) []edit {
	var left []edit
	for _, e := range changes {
		inside := false
		for _, p := range parts {
			inside = inside || p.hoisted && p.start() <= e.start && e.end <= p.end()
		}
		if !inside {
			left = append(left, e)
		}
	}
	return left
}

func directive(source string, at int) string {
	line := strings.LastIndexByte(source[:at], '\n') + 1
	return fmt.Sprintf("//line script.go:%d:%d", strings.Count(source[:at], "\n")+1, at-line+1)
}

// uses keeps an import from being an error that the script cannot be blamed for.
func uses(own map[string]string, added map[string][2]string, changes []edit) string {
	text := "var _ = ptc_kit.End\n"
	for _, name := range keys(added) {
		text += fmt.Sprintf("var _ = %s.%s\n", name, added[name][1])
	}
	for _, e := range changes {
		if e.text == exit && own["os"] != "" {
			return text + "var _ = os.Exit\n"
		}
	}
	return text
}

func merged(own map[string]string, added map[string][2]string) map[string]string {
	all := map[string]string{}
	for name, location := range own {
		all[name] = location
	}
	for name, offer := range added {
		all[name] = offer[0]
	}
	return all
}

func keys[V any](values map[string]V) []string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
