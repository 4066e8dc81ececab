package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// maxLine bounds one message, in bytes. A client may send all its documents
// in one.
const maxLine = 64 << 20

// filterLines stands between the process's stdin and stdout and the SDK, which
// closes the session at the first line that is not a message. Here such a line
// is answered with an error, as JSON-RPC 2.0 asks, and left out. When in ends,
// requests that were passed on are answered before the SDK hears of it.
func filterLines(in io.ReadCloser, out io.WriteCloser) *lineFilter {
	f := &lineFilter{in: in, lines: make(chan []byte, readAhead), ended: make(chan struct{})}
	f.answers = &lineWriter{out: out, idle: make(chan struct{}, 1)}
	reader, passed := io.Pipe()
	f.PipeReader = reader
	go f.read()
	go f.pass(passed)
	return f
}

const (
	readAhead = 1024                   // lines that wait for the SDK, so that the end of in is noticed
	lastWords = 500 * time.Millisecond // for the last answers after the end of in
)

// lineFilter is the reader that the SDK gets.
type lineFilter struct {
	*io.PipeReader
	in      io.ReadCloser
	answers *lineWriter
	lines   chan []byte
	ended   chan struct{} // closed when in has ended and the last answers had their time
}

func (f *lineFilter) Close() error {
	return errors.Join(f.PipeReader.Close(), f.in.Close())
}

// read takes lines of valid messages off in until it ends.
func (f *lineFilter) read() {
	defer close(f.lines)
	lines := bufio.NewReaderSize(f.in, 64<<10)
	for {
		line, tooLong, err := readLine(lines)
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 && !tooLong:
		case tooLong:
			answerError(f.answers, -32700, "Parse error: the message is longer than 64 MB")
		case !json.Valid(line):
			answerError(f.answers, -32700, "Parse error: the line is not valid JSON")
		case !isMessage(line):
			answerError(f.answers, -32600, "Invalid Request: a message is one object with jsonrpc 2.0, a method, and a text or whole number as id")
		default:
			if isRequest(line) {
				f.answers.expect()
			}
			f.lines <- append(line, '\n')
		}
		if err != nil {
			return
		}
	}
}

// pass gives the lines to the SDK, and at their end waits for the answers.
func (f *lineFilter) pass(to *io.PipeWriter) {
	for line := range f.lines {
		if _, err := to.Write(line); err != nil {
			for range f.lines { // until in ends
			}
			break
		}
	}
	f.answers.wait(lastWords)
	close(f.ended)
	_ = to.Close() // it never fails
}

// readLine reads to the next line end. What is over maxLine is thrown away.
func readLine(r *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			line, tooLong = nil, true
		}
		if !tooLong {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// envelope is the outside of a message.
type envelope struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  *string         `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// isMessage tells whether a line of valid JSON has the shape of a request, a
// notification or a response.
func isMessage(line []byte) bool {
	var m envelope
	if err := json.Unmarshal(line, &m); err != nil || m.JSONRPC != "2.0" {
		return false
	}
	isResponse := m.ID != nil && (m.Result != nil || m.Error != nil)
	return isID(m.ID) && (m.Method != nil || isResponse)
}

// isRequest tells whether a message asks for an answer.
func isRequest(line []byte) bool {
	var m envelope
	return json.Unmarshal(line, &m) == nil && m.Method != nil && len(m.ID) > 0 && *m.Method != methodListen
}

// isAnswer tells whether a message is a response.
func isAnswer(line []byte) bool {
	var m envelope
	return json.Unmarshal(line, &m) == nil && m.Method == nil
}

// isID admits a text, a whole number or nothing.
func isID(id json.RawMessage) bool {
	if len(id) == 0 || id[0] == '"' || bytes.Equal(id, []byte("null")) {
		return true
	}
	_, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil
}

func answerError(w *lineWriter, code int, message string) {
	answer, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil,
		"error": map[string]any{"code": code, "message": message},
	})
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.out.Write(append(answer, '\n')) // a client that is gone is noticed by the reader
}

// lineWriter keeps the SDK's messages and ours apart, and counts the answers
// that are due.
type lineWriter struct {
	mu   sync.Mutex // held while writing
	out  io.WriteCloser
	due  atomic.Int64
	idle chan struct{} // holds a token when an answer was written
}

func (w *lineWriter) expect() { w.due.Add(1) }

// wait blocks until all answers that are due are written, or for the limit.
func (w *lineWriter) wait(limit time.Duration) {
	end := time.After(limit)
	for w.due.Load() > 0 {
		select {
		case <-w.idle:
		case <-end:
			return
		}
	}
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	n, err := w.out.Write(p)
	w.mu.Unlock()
	if w.due.Load() > 0 && isAnswer(p) {
		w.due.Add(-1)
		select {
		case w.idle <- struct{}{}:
		default:
		}
	}
	return n, err
}

func (w *lineWriter) Close() error { return w.out.Close() }
