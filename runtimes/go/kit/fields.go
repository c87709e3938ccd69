package ptc

import (
	"reflect"
	"strings"
	"sync"
)

// field is a member of a struct as JSON knows it; the tags are those of encoding/json.
type field struct {
	name      string
	index     []int
	omitEmpty bool
}

var knownFields sync.Map

func fieldsOf(kind reflect.Type) []field {
	if known, ok := knownFields.Load(kind); ok {
		return known.([]field)
	}
	fields := visibleFields(kind)
	knownFields.Store(kind, fields)
	return fields
}

func visibleFields(kind reflect.Type) []field {
	var fields []field
	var closed [][]int
	for _, member := range reflect.VisibleFields(kind) {
		tag := member.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if tag == "-" || isBelow(member.Index, closed) {
			closed = append(closed, member.Index)
			continue
		}
		if member.Anonymous && name == "" && isStruct(member.Type) {
			continue // its own members are visible fields too
		}
		closed = append(closed, member.Index)
		if !member.IsExported() {
			continue
		}
		if name == "" {
			name = member.Name
		}
		fields = append(fields, field{name, member.Index, strings.Contains(options, "omitempty")})
	}
	return fields
}

func isStruct(kind reflect.Type) bool {
	return kind.Kind() == reflect.Struct || kind.Kind() == reflect.Pointer && kind.Elem().Kind() == reflect.Struct
}

func isBelow(index []int, closed [][]int) bool {
	for _, above := range closed {
		if len(above) < len(index) && reflect.DeepEqual(above, index[:len(above)]) {
			return true
		}
	}
	return false
}

// fieldNamed prefers the very name, then one that differs in case only.
func fieldNamed(kind reflect.Type, name string) *field {
	var similar *field
	fields := fieldsOf(kind)
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
		if similar == nil && strings.EqualFold(fields[i].name, name) {
			similar = &fields[i]
		}
	}
	return similar
}
