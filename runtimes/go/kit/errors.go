package ptc

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"
)

// ToolError is how a tool failed: the type and the message that its own side gave to the error.
type ToolError struct {
	Type      string `json:"type"`
	Message   string `json:"message"`
	Tool      string `json:"-"`
	Traceback string `json:"traceback"`
	// What the exception carries beyond its message, such as the status of an HTTP error.
	Attributes map[string]any `json:"state"`
}

func (e *ToolError) Error() string { return e.Type + ": " + e.Message }

// ending is how the script ended.
type ending struct {
	code                     int
	kind, message, traceback string
	line                     int
}

// uncaught describes what a script panicked with. It must be called below the panic, whose frames are still there.
func uncaught(problem any) ending {
	end := ending{code: 1}
	end.kind, end.message = describe(problem)
	var frames string
	end.line, frames = scriptFrames()
	end.traceback = fmt.Sprintf("panic: %v\n\n%s", problem, frames)
	return end
}

func describe(problem any) (kind, message string) {
	err, ok := problem.(error)
	if !ok {
		return "panic", fmt.Sprint(problem)
	}
	var failure *ToolError
	if direct, ok := problem.(*ToolError); ok {
		return direct.Type, direct.Message
	} else if errors.As(err, &failure) {
		return failure.Type, err.Error()
	}
	if _, ok := problem.(runtime.Error); ok {
		return "runtime.Error", strings.TrimPrefix(err.Error(), "runtime error: ")
	}
	return typeName(err), err.Error()
}

// typeName is the name of an error type of the script's own; the standard library's have none that tells anything.
func typeName(err error) string {
	kind := reflect.TypeOf(err)
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	if kind.PkgPath() != "main" {
		return "error"
	}
	return kind.Name()
}

// scriptFrames are the script's own frames, innermost first, and the innermost line.
func scriptFrames() (int, string) {
	line := 0
	var text strings.Builder
	var counters [256]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(2, counters[:])])
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if !isScript(frame.File) {
			continue
		}
		if line == 0 {
			line = frame.Line
		}
		text.WriteString(frame.Function + "(...)\n\t" + scriptName + ":" + strconv.Itoa(frame.Line) + "\n")
	}
	return line, text.String()
}
