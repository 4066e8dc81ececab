package webtest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// longest ends a wait for what takes a moment.
const longest = time.Minute

// notes are a folder of a test.
type notes struct {
	t   testing.TB
	dir string
}

// newNotes creates a folder called Notes with some files.
func newNotes(t testing.TB, files map[string]string) notes {
	t.Helper()
	n := notes{t, filepath.Join(t.TempDir(), "Notes")}
	for path, text := range files {
		n.write(path, text)
	}
	return n
}

func (n notes) write(path, text string) {
	n.t.Helper()
	file := filepath.Join(n.dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		n.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		n.t.Fatal(err)
	}
}

// samples is the folder of sample documents that comes with the program.
var samples = filepath.Join("..", "..", "sample_docs")

// ofSamples returns the URL of a server of the samples, for all tests that change nothing.
func ofSamples(t testing.TB) string {
	t.Helper()
	if browser == nil {
		t.Skip("there is no browser")
	}
	return samplesAt
}

// serve serves a folder over HTTP at a free port until the test ends, and returns the URL without a
// path.
func serve(t testing.TB, dir string, args ...string) string {
	t.Helper()
	if browser == nil {
		t.Skip("there is no browser")
	}
	return started(t, "MCP at ", append([]string{"serve", "--http=127.0.0.1:0", dir}, args...)...)
}

// started is start with the program ended at the end of the test.
func started(t testing.TB, behind string, args ...string) string {
	t.Helper()
	at, stop, err := start(behind, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return at
}

// start starts the program, and returns the URL that it prints on stderr after some words, without
// the path of the MCP endpoint.
func start(behind string, args ...string) (url string, stop func(), err error) {
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache, "XDG_CONFIG_HOME="+cache, "HOME="+cache) // so that tests do not find the user's AI programs
	pipe, err := c.StderrPipe()
	if err != nil {
		return "", nil, err
	}
	if err := c.Start(); err != nil {
		return "", nil, err
	}
	stop = func() { _ = c.Process.Kill(); _ = c.Wait() }
	tells, said := make(chan string, 1), make(chan string, 1)
	go func() {
		var all strings.Builder
		defer func() { said <- all.String() }()
		for lines := bufio.NewScanner(pipe); lines.Scan(); {
			all.WriteString(lines.Text() + "\n")
			if _, at, ok := strings.Cut(lines.Text(), behind); ok {
				url, _, _ := strings.Cut(at, "/mcp")
				tells <- url
			}
		}
	}()
	select {
	case url = <-tells:
		return url, stop, nil
	case all := <-said:
		err = fmt.Errorf("%v ended: %s", args, all)
	case <-time.After(longest):
		err = fmt.Errorf("%v does not say where it serves", args)
	}
	stop()
	return "", nil, err
}
