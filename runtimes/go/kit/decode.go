package ptc

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
)

type jsonUnmarshaler interface{ UnmarshalJSON([]byte) error }
type textUnmarshaler interface{ UnmarshalText([]byte) error }

var errBroken = errors.New("is no JSON")

// decode reads JSON into what the pointer points to, as encoding/json would, and whole floats into integers too.
func decode(data []byte, pointer any) error {
	reader := decoder{data: data}
	return reader.into(reflect.ValueOf(pointer).Elem())
}

func (d *decoder) into(v reflect.Value) error {
	if d.peek() == 'n' && v.Kind() != reflect.Struct {
		v.Set(reflect.Zero(v.Type()))
		return d.skip()
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return d.into(v.Elem())
	}
	if done, err := d.intoUnmarshaler(v); done {
		return err
	}
	switch v.Kind() {
	case reflect.Interface:
		return d.intoInterface(v)
	case reflect.Struct:
		return d.intoStruct(v)
	case reflect.Map:
		return d.intoMap(v)
	case reflect.Slice, reflect.Array:
		return d.intoList(v)
	case reflect.String:
		if d.peek() != '"' {
			return d.mismatch(v)
		}
		text, err := d.text()
		v.SetString(text)
		return err
	case reflect.Bool:
		if c := d.peek(); c != 't' && c != 'f' {
			return d.mismatch(v)
		}
		v.SetBool(d.peek() == 't')
		return d.skip()
	}
	return d.intoNumber(v)
}

func (d *decoder) intoUnmarshaler(v reflect.Value) (bool, error) {
	if !v.CanAddr() || v.Kind() == reflect.Interface {
		return false, nil
	}
	switch target := v.Addr().Interface().(type) {
	case jsonUnmarshaler:
		raw, err := d.raw()
		if err == nil {
			err = target.UnmarshalJSON(raw)
		}
		return true, err
	case textUnmarshaler:
		if d.peek() != '"' {
			return false, nil
		}
		text, err := d.text()
		if err == nil {
			err = target.UnmarshalText([]byte(text))
		}
		return true, err
	}
	return false, nil
}

func (d *decoder) intoInterface(v reflect.Value) error {
	if v.NumMethod() > 0 {
		return d.mismatch(v)
	}
	value, err := d.value()
	if err == nil && value != nil {
		v.Set(reflect.ValueOf(value))
	}
	return err
}

func (d *decoder) intoStruct(v reflect.Value) error {
	if d.peek() == 'n' {
		return d.skip()
	}
	if d.peek() != '{' {
		return d.mismatch(v)
	}
	return d.object(func(key string) error {
		field := fieldNamed(v.Type(), key)
		if field == nil {
			return d.skip()
		}
		return within("."+key, d.into(memberOf(v, field.index)))
	})
}

// memberOf makes embedded structs on the way, where there are pointers to them.
func memberOf(v reflect.Value, index []int) reflect.Value {
	for i, n := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(n)
	}
	return v
}

func (d *decoder) intoMap(v reflect.Value) error {
	if d.peek() != '{' {
		return d.mismatch(v)
	}
	kind := v.Type()
	v.Set(reflect.MakeMap(kind))
	return d.object(func(key string) error {
		name := reflect.New(kind.Key()).Elem()
		if err := setKey(name, key); err != nil {
			return err
		}
		value := reflect.New(kind.Elem()).Elem()
		if err := d.into(value); err != nil {
			return within("."+key, err)
		}
		v.SetMapIndex(name, value)
		return nil
	})
}

func setKey(v reflect.Value, key string) error {
	if v.Kind() == reflect.String {
		v.SetString(key)
		return nil
	}
	reader := decoder{data: []byte(key)}
	return reader.intoNumber(v)
}

func (d *decoder) intoList(v reflect.Value) error {
	if d.peek() == '"' && v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		text, err := d.text()
		if err == nil {
			var data []byte
			data, err = base64.StdEncoding.DecodeString(text)
			v.SetBytes(data)
		}
		return err
	}
	if d.peek() != '[' {
		return d.mismatch(v)
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), 0, 4))
	}
	n := 0
	err := d.list(func() error {
		n++
		if v.Kind() == reflect.Array {
			if n > v.Len() {
				return d.skip()
			}
			return within(position(n-1), d.into(v.Index(n-1)))
		}
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		return within(position(n-1), d.into(v.Index(n-1)))
	})
	return err
}

func (d *decoder) intoNumber(v reflect.Value) error {
	text, ok := d.number()
	if !ok {
		return d.mismatch(v)
	}
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			f, failed := strconv.ParseFloat(text, 64)
			if n = int64(f); failed != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<63 {
				return fmt.Errorf("is %s, which no %s can hold", text, v.Type())
			}
		}
		if v.OverflowInt(n) {
			return fmt.Errorf("is %s, which no %s can hold", text, v.Type())
		}
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || v.OverflowUint(n) {
			return fmt.Errorf("is %s, which no %s can hold", text, v.Type())
		}
		v.SetUint(n)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(parseFloat(text))
	default:
		return fmt.Errorf("is a number, not of type %s", v.Type())
	}
	return nil
}

func (d *decoder) mismatch(v reflect.Value) error {
	return fmt.Errorf("is %s, not of type %s", d.kind(), v.Type())
}

func position(n int) string { return "[" + strconv.Itoa(n) + "]" }

// misplaced is an error in a part of a value.
type misplaced struct {
	path  string
	cause error
}

func (m *misplaced) Error() string { return "at " + m.path + " " + m.cause.Error() }

func within(step string, err error) error {
	if err == nil {
		return nil
	}
	if inner, ok := err.(*misplaced); ok {
		inner.path = step + inner.path
		return inner
	}
	return &misplaced{step, err}
}
