package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// TestAsyncWriterDropsLines checks that lines that nobody reads block nobody, and that a reader who
// continues gets the first lines, the number of dropped ones, and the last.
func TestAsyncWriterDropsLines(t *testing.T) {
	read, write := io.Pipe() // a write blocks until it is read
	s := newAsyncWriter(write)
	const all = 20_000
	for i := range all {
		if _, err := fmt.Fprintf(s, "line %d of those that nobody reads\n", i); err != nil {
			t.Fatal(err)
		}
	}
	if s.flush(time.Millisecond) {
		t.Error("all is written")
	}
	go func() {
		fmt.Fprintln(s, "the end")
		s.flush(time.Minute)
		_ = write.Close()
	}()
	var got, told, dropped int
	last := ""
	for lines := bufio.NewScanner(read); lines.Scan(); last = lines.Text() {
		if n, _ := fmt.Sscanf(lines.Text(), "vademecum: %d lines were dropped here", &dropped); n == 1 {
			told++
			continue
		}
		got++
	}
	if told != 1 || got+dropped != all+1 || dropped < all/4 || last != "the end" {
		t.Errorf("%d lines came, %d were dropped, which was told %d times, and the last is %q", got, dropped, told, last)
	}
}

// TestAsyncWriterWritesAll checks that a reader in time gets all lines in order.
func TestAsyncWriterWritesAll(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	m := &progressWriter{out: write}
	m.startAsync()
	var want strings.Builder
	for i := range 1000 {
		fmt.Fprintf(m, "line %d\n", i)
		fmt.Fprintf(&want, "line %d\n", i)
	}
	go func() {
		m.flush()
		_ = write.Close()
	}()
	if got, err := io.ReadAll(read); err != nil || string(got) != want.String() {
		t.Errorf("%d bytes came, %v, want %d", len(got), err, want.Len())
	}
}

// TestAsyncWriterWithoutReader checks that a closed reader is not waited for.
func TestAsyncWriterWithoutReader(t *testing.T) {
	read, write := io.Pipe()
	_ = read.Close()
	s := newAsyncWriter(write)
	fmt.Fprintln(s, "for nobody")
	s.flush(time.Hour)
	if _, err := s.Write([]byte("nor this\n")); err == nil {
		t.Error("it takes more")
	}
}
