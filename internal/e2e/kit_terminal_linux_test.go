package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unsafe"
)

// terminal is a terminal for a program, which records the output.
type terminal struct {
	master, slave *os.File
	ended         chan struct{} // closed when no process has it open any more

	mu      sync.Mutex
	written []byte
}

func newTerminal(t *testing.T, columns int) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	ioctl := func(request uintptr, argument unsafe.Pointer) {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(argument)); e != 0 {
			t.Fatal(e)
		}
	}
	var locked, number uint32
	size := [4]uint16{24, uint16(columns)}
	ioctl(syscall.TIOCSPTLCK, unsafe.Pointer(&locked))
	ioctl(syscall.TIOCGPTN, unsafe.Pointer(&number))
	ioctl(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{master: master, slave: slave, ended: make(chan struct{})}
	t.Cleanup(func() { _ = slave.Close(); <-term.ended; _ = master.Close() })
	go func() {
		defer close(term.ended)
		part := make([]byte, 4096)
		for {
			n, err := master.Read(part)
			term.mu.Lock()
			term.written = append(term.written, part[:n]...)
			term.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return term
}

// text returns the output so far.
func (term *terminal) text() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return string(term.written)
}

// run runs a command to its end, and returns all its output.
func (term *terminal) run(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	if err := term.wait(t, c); err != nil {
		t.Errorf("%v: %s", err, term.text())
	}
	return term.text()
}

// wait runs a command that may fail.
func (term *terminal) wait(t *testing.T, c *exec.Cmd) error {
	t.Helper()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = term.slave.Close() // now only the program has the terminal open
	err := c.Wait()
	<-term.ended
	return err
}

// screen returns the rows that a terminal with a number of columns shows in the end.
func screen(text string, columns int) (rows []string) {
	cells := [][]rune{nil}
	row, column := 0, 0
	down := func() {
		if row++; row == len(cells) {
			cells = append(cells, nil)
		}
	}
	for _, r := range text {
		switch {
		case r == '\r':
			column = 0
			continue
		case r == '\n':
			down()
			continue
		case column == columns: // terminals wrap only before the next character
			down()
			column = 0
		}
		for len(cells[row]) <= column {
			cells[row] = append(cells[row], ' ')
		}
		cells[row][column] = r
		column++
	}
	for _, c := range cells {
		rows = append(rows, strings.TrimRight(string(c), " "))
	}
	return rows
}
