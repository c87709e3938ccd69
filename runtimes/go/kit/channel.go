package ptc

import (
	"bufio"
	"errors"
	"os"
	"sync"
)

const chunk = 1 << 16

var errClosed = errors.New("the channel is closed")

// channel is the guest's end of the two pipes. No goroutine of its own reads: whoever waits reads, for all. So a
// script of one goroutine pays for one write and one read per call, and the runtime still notices a deadlock.
type channel struct {
	input   *bufio.Reader
	output  *os.File
	writing sync.Mutex
	reading chan struct{}
	lock    sync.Mutex
	waiting map[int64]chan frame
	closed  bool
}

func newChannel(read, write uintptr) *channel {
	return &channel{
		input:   bufio.NewReaderSize(os.NewFile(read, "channel"), chunk),
		output:  os.NewFile(write, "channel"),
		reading: make(chan struct{}, 1),
		waiting: map[int64]chan frame{},
	}
}

// send writes one frame, which ends with a newline. After the last one it never returns: the script has ended, and the
// goroutine that calls outlived it for a moment.
func (c *channel) send(line []byte, last bool) {
	c.writing.Lock()
	if c.closed {
		select {}
	}
	c.closed = last
	if _, err := c.output.Write(line); err != nil {
		os.Exit(1)
	}
	c.writing.Unlock()
}

// receive waits for the next frame.
func (c *channel) receive() (frame, error) {
	line, err := c.input.ReadBytes('\n')
	if err != nil {
		return frame{}, errClosed
	}
	return parseFrame(line), nil
}

func (c *channel) idle() bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return len(c.waiting) == 0
}

// call sends a request and waits for its answer.
func (c *channel) call(id int64, request []byte) frame {
	ready := make(chan frame, 1)
	c.lock.Lock()
	c.waiting[id] = ready
	c.lock.Unlock()
	c.send(request, false)
	for {
		select {
		case answer := <-ready:
			return answer
		case c.reading <- struct{}{}:
			c.readUntil(ready)
			<-c.reading
		}
	}
}

// readUntil hands out answers until there is one for the reader itself.
func (c *channel) readUntil(ready chan frame) {
	for len(ready) == 0 {
		answer, err := c.receive()
		if err != nil {
			os.Exit(1)
		}
		c.lock.Lock()
		waiter := c.waiting[answer.id]
		delete(c.waiting, answer.id)
		c.lock.Unlock()
		if waiter != nil {
			waiter <- answer
		} else if answer.kind == "error" {
			os.Stderr.WriteString("ptc: " + answer.message + "\n")
		}
	}
}
