package child

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"vademecum/docs/extract"
	"vademecum/internal/base/message"
)

// requestWithFile is a request with the content of its file.
type requestWithFile struct {
	request
	raw []byte
}

// serveParent reads and draws files for the parent until it closes in or ends.
func serveParent(in io.Reader, out io.Writer, functionsOf func(format string) FormatFunctions) {
	debug.SetMaxStack(64 << 20)
	// One thread can watch while a reader is busy; more than four do not help.
	runtime.GOMAXPROCS(min(max(2, runtime.GOMAXPROCS(0)), 4))
	_, identity, err := programIdentity()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	r := &answerSender{out: gob.NewEncoder(out)}
	memory := watchMemory()
	received := make(chan requestWithFile)
	go receiveRequests(in, received)
	r.sendAnswer(answer{Kind: greeting, Program: identity})
	for w := range received {
		memory.setLimit(w.Memory)
		r.handle(w, functionsOf(w.Format))
	}
}

// receiveRequests forwards the parent's requests, and ends the process when the parent ends, even
// while a reader is busy.
func receiveRequests(in io.Reader, received chan<- requestWithFile) {
	buffered := bufio.NewReader(in)
	requests := gob.NewDecoder(buffered)
	for {
		var w requestWithFile
		if err := requests.Decode(&w.request); err != nil {
			os.Exit(0)
		}
		w.raw = make([]byte, w.Size)
		if _, err := io.ReadFull(buffered, w.raw); err != nil {
			os.Exit(0)
		}
		received <- w
	}
}

// An answerSender sends the answers to the parent's requests, one request after the other. It is also
// the ProgressReporter of the readers.
type answerSender struct {
	out   *gob.Encoder
	text  int // bytes of the text already sent
	parts int // number of parts already sent
}

func (r *answerSender) sendAnswer(a answer) {
	a.Spent = processorTime()
	if err := r.out.Encode(a); err != nil { // the parent has ended
		os.Exit(0)
	}
}

// ReportPreparation tells the parent to stop the time limit of the file until finished is called.
func (r *answerSender) ReportPreparation() (finished func()) {
	r.sendAnswer(answer{Kind: preparing})
	return func() { r.sendAnswer(answer{Kind: prepared}) }
}

// ReportPage sends the text and the parts that were added to c since the previous call.
func (r *answerSender) ReportPage(c *extract.Content, page, pages int) {
	a := answer{Kind: progress, Title: c.Title, Text: c.Text[r.text:], Parts: c.Parts[r.parts:], Page: page, Pages: pages}
	r.text, r.parts = len(c.Text), len(c.Parts)
	r.sendAnswer(a)
}

// handle reads or draws the file of one request and sends the answers.
func (r *answerSender) handle(w requestWithFile, by FormatFunctions) {
	r.text, r.parts = 0, 0
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(os.Stderr, "panic: %v\n%s", p, debug.Stack())
			r.sendAnswer(answer{Kind: panicked})
		}
	}()
	var c extract.Content
	var picture []byte
	var err error
	switch {
	case w.Draw != nil && by.Draw != nil:
		picture, err = by.Draw(w.raw, *w.Draw, r)
	case w.Draw == nil && by.Read != nil:
		c, err = by.Read(w.raw, r)
	default:
		err = fmt.Errorf("a child was asked for what it has no tool for: %s", w.Format)
	}
	var skipErr *extract.SkipError
	switch {
	case errors.As(err, &skipErr):
		r.sendAnswer(answer{Kind: skipped, Reason: skipErr.Reason})
	case err != nil:
		r.sendAnswer(answer{Kind: failed, Reason: message.FromError(err)})
	default:
		r.sendFinal(c, picture)
	}
}

// sendFinal sends the text and the parts of c that were not sent yet, and the picture.
func (r *answerSender) sendFinal(c extract.Content, picture []byte) {
	rest := c.Text[r.text:]
	for len(rest) > 0 {
		n := min(len(rest), pieceSize)
		r.sendAnswer(answer{Kind: more, Text: rest[:n]})
		rest = rest[n:]
	}
	parts := c.Parts[r.parts:]
	c.Text, c.Parts = "", nil
	r.sendAnswer(answer{Kind: done, Parts: parts, Content: &c, Picture: picture})
}
