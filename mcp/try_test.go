package mcp

import (
	"io/fs"
	"testing"
)

func TestLastLine(t *testing.T) {
	t.Parallel()
	var l lastLineWriter
	for _, text := range []string{"first\nsec", "ond\n", "third", " and last\n", ""} {
		if _, err := l.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if got := l.withLine(fs.ErrClosed).Error(); got != fs.ErrClosed.Error()+" (third and last)" {
		t.Error(got)
	}
	if got := new(lastLineWriter).withLine(fs.ErrClosed); got != fs.ErrClosed {
		t.Error(got)
	}
}
