package bridge

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

// maxMessage is the maximum size of a message in bytes.
const maxMessage = 64 << 20

var errTooLong = fmt.Errorf("a message is longer than %d MB", maxMessage>>20)

// readLine reads up to the next line end, and returns the line without it.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxMessage {
			return nil, errTooLong
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), err
		}
	}
}

// eventReader reads the server-sent events of a stream.
type eventReader struct {
	lines *bufio.Reader
	last  string        // ID of the last event; "" if the events have no IDs
	retry time.Duration // pause that the server requests before the stream is resumed
	begun func()        // called when the server has opened the stream; may be nil
}

func newEventReader(r io.Reader) *eventReader {
	return &eventReader{lines: bufio.NewReaderSize(r, 64<<10)}
}

// next returns the data of the next event that has data. The error is io.EOF at the end of the
// stream.
func (e *eventReader) next() ([]byte, error) {
	var data []byte
	for {
		line, err := readLine(e.lines)
		if err != nil {
			return nil, err // an event without its final empty line is dropped
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch {
		case len(line) == 0 && len(data) > 0:
			return data, nil
		case string(field) == "data":
			if len(data)+len(value) > maxMessage {
				return nil, errTooLong
			}
			data = append(append(data, value...), '\n')
		case string(field) == "id":
			e.last = string(value)
		case string(field) == "retry":
			if n, err := strconv.Atoi(string(value)); err == nil {
				e.retry = min(time.Duration(max(n, 0))*time.Millisecond, longestPause)
			}
		}
	}
}
