// Package ptc is the kit of the Go runtime: it lets a script call the studio's tools.
package ptc

import (
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
)

// Args are the named arguments of a call.
type Args map[string]any

// Option changes how one call is made.
type Option struct{ timeout float64 }

// Timeout bounds one call: after that many seconds it fails with a *ToolError of type TimeoutError.
func Timeout(seconds float64) Option { return Option{timeout: seconds} }

// CallTool calls a tool and gives its result as a T. One Args, map or struct holds the named arguments; anything
// else is a positional argument. Any goroutine may call. Every error is a *ToolError.
func CallTool[T any](tool string, arguments ...any) (T, error) {
	var result T
	err := call(tool, arguments, &result)
	return result, err
}

// MustCallTool is CallTool for scripts that end with the first failure: it panics with the *ToolError.
func MustCallTool[T any](tool string, arguments ...any) T {
	return Must(CallTool[T](tool, arguments...))
}

// Must gives the value, or panics with the error.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

var lastID int64

func call(tool string, arguments []any, result any) error {
	id := atomic.AddInt64(&lastID, 1)
	request, failure := encodeCall(id, tool, arguments)
	if failure != nil {
		return failure
	}
	answer := host.call(id, request)
	value, failure := outcome(tool, answer)
	if failure != nil {
		return failure
	}
	if err := decode(value, result); err != nil {
		return &ToolError{Type: "TypeError", Message: "the result of tool " + quoted(tool) + " " + err.Error(), Tool: tool}
	}
	return nil
}

func encodeCall(id int64, tool string, arguments []any) ([]byte, *ToolError) {
	named, positional, timeout := sorted(arguments)
	// Alone: no other goroutine, no call under way, so nothing else will be sent before the answer.
	alone := runtime.NumGoroutine() == ownGoroutines && host.idle()
	frame := append(make([]byte, 0, 256), `{"type":"call","id":`...)
	frame = strconv.AppendInt(frame, id, 10)
	frame = append(frame, `,"wait":`...)
	frame = strconv.AppendBool(frame, alone)
	frame = appendString(append(frame, `,"tool":`...), tool)
	if line := callerLine(); line > 0 {
		frame = strconv.AppendInt(append(frame, `,"line":`...), int64(line), 10)
	}
	if timeout != nil {
		if !(*timeout > 0) {
			return nil, &ToolError{Type: "ValueError", Message: "the timeout of a call must be above 0", Tool: tool}
		}
		frame = appendFloat(append(frame, `,"timeout":`...), *timeout)
	}
	var err error
	if len(positional) > 0 {
		frame, err = appendValue(append(frame, `,"args":`...), positional, 0)
	}
	if named != nil && err == nil {
		frame, err = appendValue(append(frame, `,"kwargs":`...), named, 0)
	}
	if err != nil {
		message := "Invalid parameters for tool " + quoted(tool) + ": " + err.Error()
		return nil, &ToolError{Type: "TypeError", Message: message, Tool: tool}
	}
	return append(frame, '}', '\n'), nil
}

// sorted tells named arguments, positional ones and the timeout apart.
func sorted(arguments []any) (named any, positional []any, timeout *float64) {
	for _, argument := range arguments {
		if option, ok := argument.(Option); ok {
			timeout = &option.timeout
		} else {
			positional = append(positional, argument)
		}
	}
	if len(positional) == 1 && holdsNames(positional[0]) {
		return positional[0], nil, timeout
	}
	return nil, positional, timeout
}

func holdsNames(argument any) bool {
	switch argument.(type) {
	case Args, map[string]any:
		return true
	case nil:
		return false
	}
	kind := reflect.TypeOf(argument)
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	if isMarshaler(kind) {
		return false
	}
	return kind.Kind() == reflect.Struct || kind.Kind() == reflect.Map
}

// scriptFile is the name that the script's lines bear, through line directives.
const scriptFile = "script.go"

func isScript(file string) bool {
	return file == scriptFile || strings.HasSuffix(file, "/"+scriptFile)
}

// callerLine is the line of the script that is being executed.
func callerLine() int {
	var counters [24]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(3, counters[:])])
	for {
		frame, more := frames.Next()
		if isScript(frame.File) {
			return frame.Line
		}
		if !more {
			return 0
		}
	}
}

func quoted(name string) string { return "'" + name + "'" }
