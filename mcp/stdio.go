package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"sync"
)

// maxLine bounds one message, in bytes. A client may send all its documents
// in one.
const maxLine = 64 << 20

// filterLines stands between the process's stdin and stdout and the SDK, which
// closes the session at the first line that is not a message. Here such a line
// is answered with an error, as JSON-RPC 2.0 asks, and left out.
func filterLines(in io.ReadCloser, out io.WriteCloser) (io.ReadCloser, io.WriteCloser) {
	w := &lineWriter{out: out}
	reader, passed := io.Pipe()
	go func() { passed.CloseWithError(passLines(in, passed, w)) }()
	return filteredReader{reader, in}, w
}

// filteredReader closes the source with the pipe.
type filteredReader struct {
	*io.PipeReader
	source io.Closer
}

func (r filteredReader) Close() error {
	return errors.Join(r.PipeReader.Close(), r.source.Close())
}

// passLines copies whole lines of valid JSON until in ends.
func passLines(in io.Reader, passed io.Writer, answers io.Writer) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		line, tooLong, err := readLine(lines)
		switch {
		case len(bytes.TrimSpace(line)) == 0 && !tooLong:
		case tooLong:
			answerError(answers, -32700, "Parse error: the message is longer than 64 MB")
		case !json.Valid(line):
			answerError(answers, -32700, "Parse error: the line is not valid JSON")
		case !isMessage(line):
			answerError(answers, -32600, "Invalid Request: a message is one object with jsonrpc 2.0, a method, and a text or whole number as id")
		default:
			if _, err := passed.Write(append(bytes.TrimSpace(line), '\n')); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
	}
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

// isMessage tells whether a line of valid JSON has the shape of a request, a
// notification or a response.
func isMessage(line []byte) bool {
	var m struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  *string         `json:"method"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(line, &m); err != nil || m.JSONRPC != "2.0" {
		return false
	}
	isResponse := m.ID != nil && (m.Result != nil || m.Error != nil)
	return isID(m.ID) && (m.Method != nil || isResponse)
}

// isID admits a text, a whole number or nothing.
func isID(id json.RawMessage) bool {
	if len(id) == 0 || id[0] == '"' || bytes.Equal(id, []byte("null")) {
		return true
	}
	_, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil
}

func answerError(w io.Writer, code int, message string) {
	answer, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil,
		"error": map[string]any{"code": code, "message": message},
	})
	if err == nil {
		_, _ = w.Write(append(answer, '\n')) // a client that is gone is noticed by the reader
	}
}

// lineWriter keeps the SDK's messages and ours apart.
type lineWriter struct {
	mu  sync.Mutex
	out io.WriteCloser
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}

func (w *lineWriter) Close() error { return w.out.Close() }
