package ptc

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"unicode/utf8"
)

// Why not encoding/json: it refuses NaN and Infinity, both ways, and rounds large integers in untyped values.

const deepest = 10000

// bytesKey begins the object that stands for bytes on their way to the host.
const bytesKey = `{"\u0000bytes":`

var errTooDeep = errors.New("the value is nested too deeply, or contains itself")

type jsonMarshaler interface{ MarshalJSON() ([]byte, error) }
type textMarshaler interface{ MarshalText() ([]byte, error) }

var (
	jsonMarshalers = reflect.TypeOf((*jsonMarshaler)(nil)).Elem()
	textMarshalers = reflect.TypeOf((*textMarshaler)(nil)).Elem()
)

func isMarshaler(kind reflect.Type) bool {
	return kind.Implements(jsonMarshalers) || kind.Implements(textMarshalers)
}

// appendValue appends the JSON of a value; the everyday types come first, since they need no reflection.
func appendValue(to []byte, value any, depth int) ([]byte, error) {
	switch value := value.(type) {
	case nil:
		return append(to, "null"...), nil
	case string:
		return appendString(to, value), nil
	case bool:
		return strconv.AppendBool(to, value), nil
	case int:
		return strconv.AppendInt(to, int64(value), 10), nil
	case int64:
		return strconv.AppendInt(to, value, 10), nil
	case float64:
		return appendFloat(to, value), nil
	case jsonMarshaler:
		if isNil(value) {
			return append(to, "null"...), nil
		}
		text, err := value.MarshalJSON()
		return appendLine(to, text), err
	case textMarshaler:
		if isNil(value) {
			return append(to, "null"...), nil
		}
		text, err := value.MarshalText()
		return appendString(to, string(text)), err
	case error:
		return appendString(to, value.Error()), nil
	}
	if depth > deepest {
		return to, errTooDeep
	}
	return appendReflected(to, reflect.ValueOf(value), depth)
}

func isNil(value any) bool {
	v := reflect.ValueOf(value)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

func appendReflected(to []byte, v reflect.Value, depth int) ([]byte, error) {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(to, v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(to, v.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.AppendUint(to, v.Uint(), 10), nil
	case reflect.Float32, reflect.Float64:
		return appendFloat(to, v.Float()), nil
	case reflect.String:
		return appendString(to, v.String()), nil
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(to, "null"...), nil
		}
		return appendValue(to, v.Elem().Interface(), depth+1)
	case reflect.Slice, reflect.Array:
		return appendList(to, v, depth)
	case reflect.Map:
		return appendMap(to, v, depth)
	case reflect.Struct:
		return appendStruct(to, v, depth)
	}
	return to, fmt.Errorf("a value of type %s has no JSON form", v.Type())
}

func appendList(to []byte, v reflect.Value, depth int) ([]byte, error) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		// A list that nobody appended to is empty, and no tool should have to know better.
		return append(to, "[]"...), nil
	}
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		to = append(to, bytesKey...)
		return append(appendString(to, base64.StdEncoding.EncodeToString(v.Bytes())), '}'), nil
	}
	to = append(to, '[')
	var err error
	for i := 0; i < v.Len(); i++ {
		if i > 0 {
			to = append(to, ',')
		}
		if to, err = appendValue(to, v.Index(i).Interface(), depth+1); err != nil {
			return to, err
		}
	}
	return append(to, ']'), nil
}

// appendMap sorts the keys, so that two runs of a script make the same record.
func appendMap(to []byte, v reflect.Value, depth int) ([]byte, error) {
	names := make([]string, 0, v.Len())
	values := make(map[string]reflect.Value, v.Len())
	for each := v.MapRange(); each.Next(); {
		name, err := keyText(each.Key())
		if err != nil {
			return to, err
		}
		names = append(names, name)
		values[name] = each.Value()
	}
	sort.Strings(names)
	to = append(to, '{')
	var err error
	for i, name := range names {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(appendString(to, name), ':')
		if to, err = appendValue(to, values[name].Interface(), depth+1); err != nil {
			return to, err
		}
	}
	return append(to, '}'), nil
}

func keyText(key reflect.Value) (string, error) {
	if key.Kind() == reflect.String {
		return key.String(), nil
	}
	if text, ok := key.Interface().(textMarshaler); ok {
		name, err := text.MarshalText()
		return string(name), err
	}
	switch key.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Bool:
		return fmt.Sprint(key.Interface()), nil
	}
	return "", fmt.Errorf("a key of type %s has no JSON form", key.Type())
}

func appendStruct(to []byte, v reflect.Value, depth int) ([]byte, error) {
	to = append(to, '{')
	first := true
	for _, field := range fieldsOf(v.Type()) {
		member, err := v.FieldByIndexErr(field.index)
		if err != nil || field.omitEmpty && isEmpty(member) {
			continue
		}
		if !first {
			to = append(to, ',')
		}
		first = false
		to = append(appendString(to, field.name), ':')
		if to, err = appendValue(to, member.Interface(), depth+1); err != nil {
			return to, err
		}
	}
	return append(to, '}'), nil
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

func appendFloat(to []byte, value float64) []byte {
	switch {
	case math.IsNaN(value):
		return append(to, "NaN"...)
	case math.IsInf(value, 1):
		return append(to, "Infinity"...)
	case math.IsInf(value, -1):
		return append(to, "-Infinity"...)
	case math.Abs(value) < 1e15:
		// Also 7.0 as 7: whole numbers of untyped values are float64 in Go, and the tool wants its integer.
		return strconv.AppendFloat(to, value, 'f', -1, 64)
	}
	return strconv.AppendFloat(to, value, 'g', -1, 64)
}

const hex = "0123456789abcdef"

func appendString(to []byte, text string) []byte {
	to = append(to, '"')
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			character, size := utf8.DecodeRuneInString(text[i:])
			if character == utf8.RuneError && size == 1 {
				to = append(append(to, text[from:i]...), "\ufffd"...)
				from = i + 1
			}
			i += size
			continue
		}
		if c < ' ' || c == '"' || c == '\\' {
			to = append(to, text[from:i]...)
			if c < ' ' {
				to = append(to, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			} else {
				to = append(to, '\\', c)
			}
			from = i + 1
		}
		i++
	}
	return append(append(to, text[from:]...), '"')
}

// appendLine appends JSON that the script made itself; a frame is one line.
func appendLine(to, text []byte) []byte {
	for _, c := range text {
		if c == '\n' || c == '\r' {
			c = ' '
		}
		to = append(to, c)
	}
	return to
}
