package index

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// crashProcess is a process that edits one of the two sub-folders.
type crashProcess struct {
	c    *crash
	sub  string
	born int // kills before it was started
	log  string
	cmd  *exec.Cmd
	in   io.Writer
	done chan struct{} // closed when all that it told is taken in

	mu      sync.Mutex
	mark    string        // what is waited for
	left    int           // how often it is still to be told
	reached chan struct{} // closed when it was
	last    string        // first word of the last line
	count   int           // of rounds
}

func (c *crash) start(sub string) *crashProcess {
	c.t.Helper()
	self, err := os.Executable()
	c.must(err)
	log, err := os.Create(filepath.Join(c.t.TempDir(), "log"))
	c.must(err)
	defer log.Close()
	p := &crashProcess{c: c, sub: sub, born: c.kills, log: log.Name(), cmd: exec.Command(self, "-test.run=^$"), done: make(chan struct{}), last: "start"}
	p.cmd.Env = append(os.Environ(), crashVariable+"="+strings.Join([]string{c.dir, c.file, sub, strconv.FormatUint(c.rng.Uint64(), 10)}, "|"))
	p.cmd.Stderr = log
	p.in, err = p.cmd.StdinPipe()
	c.must(err)
	out, err := p.cmd.StdoutPipe()
	c.must(err)
	c.must(p.cmd.Start())
	c.t.Cleanup(func() { _ = p.cmd.Process.Kill() }) // it may have ended
	go p.listen(out)
	return p
}

// tell sends a line; the process may have ended.
func (p *crashProcess) tell(line string) { _, _ = io.WriteString(p.in, line+"\n") }

// reaches returns a channel that is closed when n lines more have begun with
// mark.
func (p *crashProcess) reaches(mark string, n int) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mark, p.left, p.reached = mark, n, make(chan struct{})
	return p.reached
}

func (p *crashProcess) rounds() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count
}

func (p *crashProcess) over() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// listen takes in what a process tells. A line that was cut off does not
// count: what it would tell has not happened, or not been waited for.
func (p *crashProcess) listen(out io.Reader) {
	defer close(p.done)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		p.mu.Lock()
		p.last = word
		if word == "round" {
			p.count++
		}
		if word == p.mark {
			if p.left--; p.left == 0 {
				close(p.reached)
			}
		}
		p.mu.Unlock()
		p.hear(word, rest)
	}
}

// hear notes what a line says of a path.
func (p *crashProcess) hear(word, rest string) {
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	if word == "fault" {
		p.c.faults = append(p.c.faults, rest)
		return
	}
	path, hash, _ := strings.Cut(rest, " ")
	f := p.c.files[path]
	switch word {
	case "edit":
		if f == nil {
			f = &crashFile{}
			p.c.files[path] = f
		}
		f.touched = true
	case "ack":
		f.embedded = f.embedded && f.hash == hash && !f.touched
		f.hash, f.touched = hash, false
	case "drop":
		f.hash, f.touched = "", false
	case "vectors":
		f.embedded = f.hash == hash
	default:
		return
	}
	if f.told = append(f.told, fmt.Sprintf("%s %.8s (after kill %d)", word, hash, p.born)); len(f.told) > 12 {
		f.told = f.told[1:]
	}
}
