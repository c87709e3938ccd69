package ptc

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"
)

// largestStack lets an endless recursion be told as that before it has taken all memory.
const largestStack = 64 << 20

var (
	host       *channel
	scriptName = scriptFile
	// ownGoroutines is how many there are before the script starts any: main's and the kit's.
	ownGoroutines = 1
)

// The script's package is initialised after this one, so even its variables may be made of tools' results.
func init() {
	read, write, ok := strings.Cut(os.Getenv("PTC_CHANNEL"), ",")
	from, err := strconv.Atoi(read)
	to, err2 := strconv.Atoi(write)
	if !ok || err != nil || err2 != nil {
		fmt.Fprintln(os.Stderr, "This program is started by PTC Studio.")
		os.Exit(2)
	}
	prepareProcess(from, to)
	host = newChannel(uintptr(from), uintptr(to))
	hello := appendString([]byte(`{"type":"hello","protocol":1,"token":`), os.Getenv("PTC_TOKEN"))
	host.send(append(hello, '}', '\n'), false)
	if descriptor, err := strconv.Atoi(os.Getenv("PTC_REPORT")); err == nil {
		reportOnRequest(descriptor)
	}
	for _, name := range []string{"PTC_CHANNEL", "PTC_TOKEN", "PTC_REPORT"} {
		os.Unsetenv(name)
	}
	ownGoroutines = runtime.NumGoroutine()
	debug.SetMaxStack(largestStack)
	start, err := host.receive()
	if err != nil {
		os.Exit(1)
	}
	if start.filename != "" {
		scriptName = start.filename
	}
	if start.directory != "" {
		_ = os.Chdir(start.directory)
	}
}

// End is deferred in main before anything else: it tells the host how the script ended.
func End() {
	if problem := recover(); problem != nil {
		finish(uncaught(problem))
	}
	finish(ending{})
}

// Catch is deferred in every goroutine of the script: a panic in it ends the script as one in main does.
func Catch() {
	if problem := recover(); problem != nil {
		finish(uncaught(problem))
	}
}

// Guard gives a function that does the same and has Catch deferred: what a go statement starts.
func Guard[F any](function F) F {
	inner := reflect.ValueOf(function)
	if inner.Kind() != reflect.Func || inner.IsNil() {
		return function
	}
	guarded := reflect.MakeFunc(inner.Type(), func(arguments []reflect.Value) []reflect.Value {
		defer Catch()
		if inner.Type().IsVariadic() {
			return inner.CallSlice(arguments)
		}
		return inner.Call(arguments)
	})
	return guarded.Interface().(F)
}

// Exit stands for os.Exit in the script, so that the host learns where it was.
func Exit(code int) {
	if code &= 0xff; code == 0 {
		finish(ending{})
	}
	finish(exitedWith(code, fmt.Sprintf("exit status %d", code)))
}

// Fatal stands for log.Fatal and log.Fatalln: it takes what prints, and ends the script with the message.
func Fatal(print func(...any)) func(...any) {
	return func(values ...any) {
		print(values...)
		finish(exitedWith(1, strings.TrimSuffix(fmt.Sprintln(values...), "\n")))
	}
}

// Fatalf stands for log.Fatalf.
func Fatalf(print func(string, ...any)) func(string, ...any) {
	return func(format string, values ...any) {
		print(format, values...)
		finish(exitedWith(1, fmt.Sprintf(format, values...)))
	}
}

func exitedWith(code int, message string) ending {
	line, frames := scriptFrames()
	return ending{code: code, kind: "SystemExit", message: message, traceback: frames, line: line}
}

var finishing sync.Mutex

// finish sends the last frame and waits: the host ends this process, and all that it started. The lock is kept, since
// an ending in another goroutine comes too late.
func finish(end ending) {
	finishing.Lock()
	line := strconv.AppendInt([]byte(`{"type":"done","value":null,"code":`), int64(end.code), 10)
	line = append(line, `,"error":`...)
	if end.kind == "" {
		line = append(line, "null"...)
	} else {
		line = appendError(line, end)
	}
	host.send(append(line, '}', '\n'), true)
	go func() {
		time.Sleep(time.Minute)
		os.Exit(end.code)
	}()
	host.reading <- struct{}{}
	for {
		if _, err := host.receive(); err != nil {
			os.Exit(end.code)
		}
	}
}

func appendError(to []byte, end ending) []byte {
	to = appendString(append(to, `{"type":`...), end.kind)
	to = appendString(append(to, `,"message":`...), end.message)
	to = appendString(append(to, `,"traceback":`...), end.traceback)
	to = append(to, `,"line":`...)
	if end.line == 0 {
		to = append(to, "null"...)
	} else {
		to = strconv.AppendInt(to, int64(end.line), 10)
	}
	return append(to, '}')
}
