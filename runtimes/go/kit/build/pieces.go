package main

import (
	"go/scanner"
	"go/token"
)

// lexeme is a token of the script and where it stands.
type lexeme struct {
	kind       token.Token
	text       string
	start, end int
}

func (l lexeme) is(text string) bool { return l.text == text }

// lexemes are the script's tokens. Semicolons that end a line have no length.
func lexemes(source string) []lexeme {
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(source))
	var reader scanner.Scanner
	reader.Init(file, []byte(source), func(token.Position, string) {}, 0)
	var found []lexeme
	for {
		at, kind, text := reader.Scan()
		if kind == token.EOF {
			return found
		}
		start := file.Offset(at)
		end := start + len(text)
		if kind == token.SEMICOLON && text != ";" {
			end = start
		} else if text == "" {
			text = kind.String()
			end = start + len(text)
		}
		found = append(found, lexeme{kind, text, start, end})
	}
}

// piece is a declaration or statement at the script's top level.
type piece struct {
	kind    token.Token // PACKAGE, IMPORT, FUNC, TYPE, CONST, VAR; ILLEGAL for statements
	lexemes []lexeme
	hoisted bool
}

func (p piece) start() int { return p.lexemes[0].start }
func (p piece) end() int   { return p.lexemes[len(p.lexemes)-1].end }

// mentions tells whether the name occurs, though not as the member of something.
func (p piece) mentions(name string) bool {
	for i, l := range p.lexemes {
		if l.kind == token.IDENT && l.text == name && (i == 0 || p.lexemes[i-1].kind != token.PERIOD) {
			return true
		}
	}
	return false
}

func pieces(all []lexeme) []*piece {
	var found []*piece
	depth, from := 0, 0
	for i, l := range all {
		switch l.kind {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		}
		if depth <= 0 && l.kind == token.SEMICOLON || i == len(all)-1 {
			part := all[from : i+1]
			found = append(found, &piece{kind: kindOf(part), lexemes: part})
			from, depth = i+1, 0
		}
	}
	return found
}

func kindOf(part []lexeme) token.Token {
	switch kind := part[0].kind; kind {
	case token.PACKAGE, token.IMPORT, token.TYPE, token.CONST, token.VAR:
		return kind
	case token.FUNC:
		if declaresFunction(part) {
			return kind
		}
	}
	return token.ILLEGAL
}

// declaresFunction tells `func name(` and `func (receiver) name(` from a function literal that is called at once.
func declaresFunction(part []lexeme) bool {
	next := 1
	if len(part) > 1 && part[1].kind == token.LPAREN {
		next = matching(part, 1) + 1
		return next+1 < len(part) && part[next].kind == token.IDENT && part[next+1].kind == token.LPAREN
	}
	return next < len(part) && part[next].kind == token.IDENT
}

// matching is the place of the bracket that closes the one at that place; the end if there is none.
func matching(all []lexeme, at int) int {
	depth := 0
	for i := at; i < len(all); i++ {
		switch all[i].kind {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(all)
}

// names are what the piece declares at package level.
func (p piece) names() []string {
	switch p.kind {
	case token.FUNC:
		if p.lexemes[1].kind == token.IDENT {
			return []string{p.lexemes[1].text}
		}
		return nil // a method is no name of its own
	case token.TYPE, token.CONST, token.VAR:
		return declared(p.lexemes[1:])
	}
	return nil
}

// declared are the names at the beginning of each line of a declaration, which may be a group in parentheses.
func declared(rest []lexeme) []string {
	var names []string
	depth, fresh := 0, true
	for _, l := range rest {
		switch l.kind {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
			fresh = fresh && l.kind == token.LPAREN
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.SEMICOLON:
			fresh = depth <= 1
		case token.IDENT:
			if fresh {
				names = append(names, l.text)
			}
			fresh = false
		case token.COMMA:
			// `a, b = 1, 2` also takes what stands after the second comma, which does no harm.
			fresh = depth <= 1 && len(names) > 0
		default:
			fresh = false
		}
	}
	return names
}
