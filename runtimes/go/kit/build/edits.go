package main

import (
	"go/token"
	"sort"
	"strings"
)

// kit is the name under which the program knows the kit; no script is likely to have it.
const kit = "ptc_kit"

const exit = kit + ".Exit"

// edit replaces a stretch of the script; none of them changes the number of lines.
type edit struct {
	start, end int
	text       string
}

func rendered(source string, start, end int, edits []edit) string {
	var text strings.Builder
	at := start
	for _, e := range edits {
		if e.start < at || e.end > end {
			continue
		}
		text.WriteString(source[at:e.start] + e.text)
		at = e.end
	}
	return text.String() + source[at:end]
}

// fatal is what stands in the kit for the functions of log that leave the program.
var fatal = map[string]string{
	"Fatal":   "Fatal(log.Print)",
	"Fatalf":  "Fatalf(log.Printf)",
	"Fatalln": "Fatal(log.Println)",
}

// edits lets the host know how and where the script ends: in main, in a goroutine, or by leaving the program.
func edits(all []lexeme, generic map[string]bool, packages map[string]string) []edit {
	var found []edit
	for i, l := range all {
		rest := all[i:]
		switch {
		case selects(rest, "os", "Exit") && !memberAt(all, i):
			found = append(found, edit{l.start, rest[2].end, exit})
		case selects(rest, "log", "") && fatal[rest[2].text] != "" && !memberAt(all, i):
			found = append(found, edit{l.start, rest[2].end, kit + "." + fatal[rest[2].text]})
		case l.kind == token.GO:
			found = append(found, guards(rest, generic, packages)...)
		case l.kind == token.FUNC && len(rest) > 5 && rest[1].is("main") && rest[4].kind == token.LBRACE:
			found = append(found, edit{rest[4].end, rest[4].end, " defer " + kit + ".End();"})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].start < found[j].start })
	return found
}

func selects(rest []lexeme, name, member string) bool {
	return len(rest) > 2 && rest[0].is(name) && rest[1].kind == token.PERIOD && (member == "" || rest[2].is(member))
}

func memberAt(all []lexeme, i int) bool { return i > 0 && all[i-1].kind == token.PERIOD }

// guards has a panic in the goroutine that a go statement starts reach the host.
func guards(rest []lexeme, generic map[string]bool, packages map[string]string) []edit {
	if len(rest) < 3 {
		return nil
	}
	if rest[1].kind == token.FUNC {
		if body := bodyOf(rest, 1); body < len(rest) {
			return []edit{{rest[body].end, rest[body].end, " defer " + kit + ".Catch();"}}
		}
		return nil
	}
	// Of calls, only those whose function is a plain name or member: it is a value, and known at the statement.
	last := 1
	for last+2 < len(rest) && rest[last].kind == token.IDENT && rest[last+1].kind == token.PERIOD {
		last += 2
	}
	name := rest[1].text
	plain := rest[last].kind == token.IDENT && last+1 < len(rest) && rest[last+1].kind == token.LPAREN
	if !plain || generic[name] || last == 1 && builtins[name] || last == 3 && packages[name] != "" {
		return nil
	}
	if after := matching(rest, last+1) + 1; after < len(rest) && !ends(rest[after].kind) {
		return nil
	}
	return []edit{{rest[1].start, rest[1].start, kit + ".Guard("}, {rest[last].end, rest[last].end, ")"}}
}

func ends(kind token.Token) bool { return kind == token.SEMICOLON || kind == token.RBRACE }

// bodyOf is the place of the brace that opens a function literal's body.
func bodyOf(rest []lexeme, function int) int {
	at := matching(rest, function+1) + 1
	for at < len(rest) && rest[at].kind != token.LBRACE {
		switch {
		case rest[at].kind == token.LPAREN || rest[at].kind == token.LBRACK:
			at = matching(rest, at) + 1
		case (rest[at].is("struct") || rest[at].is("interface")) && at+1 < len(rest):
			at = matching(rest, at+1) + 1
		default:
			at++
		}
	}
	return at
}

var builtins = map[string]bool{
	"append": true, "cap": true, "clear": true, "close": true, "complex": true, "copy": true, "delete": true, "imag": true,
	"len": true, "make": true, "max": true, "min": true, "new": true, "panic": true, "print": true, "println": true,
	"real": true, "recover": true,
}
