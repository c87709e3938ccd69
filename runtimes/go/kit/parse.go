package ptc

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// decoder walks through JSON, which may also hold NaN, Infinity and -Infinity.
type decoder struct {
	data []byte
	at   int
}

// peek skips white space and gives the next byte, 0 at the end.
func (d *decoder) peek() byte {
	for ; d.at < len(d.data); d.at++ {
		if c := d.data[d.at]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
	}
	return 0
}

// value reads an untyped value as encoding/json gives it: numbers are float64. Only an integer that no float64 holds
// is an int64, so that it is exact.
func (d *decoder) value() (any, error) {
	switch c := d.peek(); c {
	case '{':
		values := map[string]any{}
		err := d.object(func(key string) error {
			value, err := d.value()
			values[key] = value
			return err
		})
		return values, err
	case '[':
		values := []any{}
		err := d.list(func() error {
			value, err := d.value()
			values = append(values, value)
			return err
		})
		return values, err
	case '"':
		return d.text()
	case 't', 'f':
		return c == 't', d.skip()
	case 'n':
		return nil, d.skip()
	}
	text, ok := d.number()
	if !ok {
		return nil, errBroken
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && int64(float64(n)) != n {
		return n, nil
	}
	return parseFloat(text), nil
}

// object reads an object; each is called at every value and must read it.
func (d *decoder) object(each func(key string) error) error {
	return d.members('{', '}', func() error {
		if d.peek() != '"' {
			return errBroken
		}
		key, err := d.text()
		if err != nil {
			return err
		}
		if d.peek() != ':' {
			return errBroken
		}
		d.at++
		d.peek()
		return each(key)
	})
}

// list reads a list; each is called at every value and must read it.
func (d *decoder) list(each func() error) error { return d.members('[', ']', each) }

func (d *decoder) members(open, end byte, each func() error) error {
	if d.peek() != open {
		return errBroken
	}
	d.at++
	if d.peek() == end {
		d.at++
		return nil
	}
	for {
		if err := each(); err != nil {
			return err
		}
		switch d.peek() {
		case ',':
			d.at++
		case end:
			d.at++
			return nil
		default:
			return errBroken
		}
	}
}

// raw reads any value and gives its text.
func (d *decoder) raw() ([]byte, error) {
	d.peek()
	from := d.at
	err := d.skip()
	return d.data[from:d.at], err
}

// skip reads any value and forgets it.
func (d *decoder) skip() error {
	depth := 0
	for {
		switch c := d.peek(); c {
		case 0:
			return errBroken
		case '"':
			if _, err := d.rawText(); err != nil {
				return err
			}
		case '{', '[':
			depth++
			d.at++
		case '}', ']':
			depth--
			d.at++
		case ',', ':':
			d.at++
		default:
			if d.word() == "" {
				return errBroken
			}
		}
		if depth <= 0 {
			return nil
		}
	}
}

func (d *decoder) word() string {
	from := d.at
	for ; d.at < len(d.data); d.at++ {
		c := d.data[d.at]
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '-' || c == '+' || c == '.') {
			break
		}
	}
	return string(d.data[from:d.at])
}

func (d *decoder) number() (string, bool) {
	c := d.peek()
	if !('0' <= c && c <= '9' || c == '-' || c == 'N' || c == 'I') {
		return "", false
	}
	return d.word(), true
}

func parseFloat(text string) float64 {
	switch text {
	case "Infinity":
		return math.Inf(1)
	case "-Infinity":
		return math.Inf(-1)
	}
	// Out of range gives an infinity, which is as near as it gets; NaN is known to the function.
	value, _ := strconv.ParseFloat(text, 64)
	return value
}

// rawText reads a string with its quotes.
func (d *decoder) rawText() ([]byte, error) {
	from := d.at
	for at := from + 1; ; {
		quote := bytes.IndexByte(d.data[at:], '"')
		if quote < 0 {
			return nil, errBroken
		}
		at += quote + 1
		escapes := 0
		for i := at - 2; i > from && d.data[i] == '\\'; i-- {
			escapes++
		}
		if escapes%2 == 0 {
			d.at = at
			return d.data[from:at], nil
		}
	}
}

func (d *decoder) text() (string, error) {
	raw, err := d.rawText()
	if err != nil {
		return "", err
	}
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw), nil
	}
	return unescaped(raw)
}

func unescaped(raw []byte) (string, error) {
	text := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		plain := bytes.IndexByte(raw, '\\')
		if plain < 0 {
			return string(append(text, raw...)), nil
		}
		text = append(text, raw[:plain]...)
		if len(raw) < plain+2 {
			return "", errBroken
		}
		c := raw[plain+1]
		raw = raw[plain+2:]
		if c != 'u' {
			text = append(text, escape(c))
			continue
		}
		character, size := unit(raw), 4
		if utf16.IsSurrogate(character) && len(raw) >= 10 && raw[4] == '\\' && raw[5] == 'u' {
			// Half a pair becomes the replacement character: a text of Go's is UTF-8.
			if pair := utf16.DecodeRune(character, unit(raw[6:])); pair != utf8.RuneError {
				character, size = pair, 10
			}
		}
		if character < 0 {
			return "", errBroken
		}
		text = utf8.AppendRune(text, character)
		raw = raw[size:]
	}
	return string(text), nil
}

func escape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	}
	return c
}

// unit reads the four digits of an escape; -1 if they are none.
func unit(raw []byte) rune {
	if len(raw) < 4 {
		return -1
	}
	n, err := strconv.ParseUint(string(raw[:4]), 16, 32)
	if err != nil {
		return -1
	}
	return rune(n)
}

func (d *decoder) kind() string {
	switch d.peek() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
