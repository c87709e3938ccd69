package ptc

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
)

// report writes where every goroutine of the script is, main's last, in the form that the host reads.
func report(to *os.File) {
	all := make([]byte, 1<<20)
	all = all[:runtime.Stack(all, true)]
	frame := regexp.MustCompile(`(?m)^\t(?:.*/)?` + regexp.QuoteMeta(scriptFile) + `:(\d+)`)
	text := ""
	for _, goroutine := range strings.Split(string(all), "\n\n") {
		head, _, _ := strings.Cut(goroutine, "\n")
		part := fmt.Sprintf("Thread %s\n", head)
		for _, found := range frame.FindAllStringSubmatch(goroutine, -1) {
			part += fmt.Sprintf("  File %q, line %s\n", scriptName, found[1])
		}
		if strings.HasPrefix(head, "goroutine 1 ") {
			text += part
		} else {
			text = part + text
		}
	}
	_, _ = to.WriteString(text)
}
