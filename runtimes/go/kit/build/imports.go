package main

import (
	"go/token"
	"path"
	"strconv"
)

// offered are the packages that a script need not import, each with something that uses it: an import that nothing
// uses is an error.
var offered = map[string][2]string{
	"atomic":  {"sync/atomic", "AddInt64"},
	"bufio":   {"bufio", "NewReader"},
	"bytes":   {"bytes", "Equal"},
	"context": {"context", "Background"},
	"errors":  {"errors", "New"},
	"fmt":     {"fmt", "Print"},
	"io":      {"io", "ReadAll"},
	"json":    {"encoding/json", "Marshal"},
	"log":     {"log", "Print"},
	"math":    {"math", "Sqrt"},
	"os":      {"os", "Getenv"},
	"rand":    {"math/rand", "Int"},
	"reflect": {"reflect", "DeepEqual"},
	"regexp":  {"regexp", "MustCompile"},
	"sort":    {"sort", "Strings"},
	"strconv": {"strconv", "Itoa"},
	"strings": {"strings", "ToUpper"},
	"sync":    {"sync", "NewCond"},
	"time":    {"time", "Now"},
	"unicode": {"unicode", "IsLetter"},
	"utf8":    {"unicode/utf8", "RuneLen"},
}

// imported are the packages that the script imports itself: their names and paths.
func imported(all []*piece) map[string]string {
	found := map[string]string{}
	for _, p := range all {
		if p.kind != token.IMPORT {
			continue
		}
		for i, l := range p.lexemes {
			if l.kind != token.STRING {
				continue
			}
			location, err := strconv.Unquote(l.text)
			if err != nil {
				continue
			}
			name := path.Base(location)
			if before := p.lexemes[i-1]; before.kind == token.IDENT {
				name = before.text
			}
			found[name] = location
		}
	}
	return found
}

// wanted are the offered packages that the script mentions and neither imports nor hides behind a name of its own.
func wanted(all []lexeme, own map[string]string, declared map[string]bool) map[string][2]string {
	found := map[string][2]string{}
	for i := 0; i+1 < len(all); i++ {
		l := all[i]
		if l.kind != token.IDENT || all[i+1].kind != token.PERIOD || memberAt(all, i) {
			continue
		}
		if offer, ok := offered[l.text]; ok && own[l.text] == "" && !declared[l.text] {
			found[l.text] = offer
		}
	}
	return found
}
