package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// awaitEnd waits for the end of a program, and for it to be in good order.
func awaitEnd(t *testing.T, what string, wait func() error) {
	t.Helper()
	start := time.Now()
	ended := make(chan error, 1)
	go func() { ended <- wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("%s: ended with %v", what, err)
		}
		t.Logf("%s: ended after %s", what, time.Since(start).Round(time.Millisecond))
	case <-time.After(longestWait):
		t.Errorf("%s: still running after %s", what, longestWait)
	}
}

// wait waits for the end of the program, whose output ends before.
func (s *talk) wait() error {
	<-s.ended
	return s.cmd.Wait()
}

// TestServersEnd ends the servers of a folder one by one, and each ends at
// once, whether it indexes or follows.
func TestServersEnd(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(s *talk) error
	}{
		{"stdin closed", func(s *talk) error { return s.in.Close() }},
		{"terminated", func(s *talk) error { return s.cmd.Process.Signal(syscall.SIGTERM) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && c.name == "terminated" {
				t.Skip("no SIGTERM on Windows")
			}
			servers := twoServers(t, manyNotes(t, 300))
			servers = append(servers, servers[0])[1:] // the one that follows first
			for _, s := range servers {
				if err := c.end(s); err != nil {
					t.Fatal(err)
				}
				awaitEnd(t, c.name, s.wait)
			}
		})
	}
}

// TestServerEndsWithItsParent kills a host that leaves stdin open, as when
// another process has inherited the pipe.
func TestServerEndsWithItsParent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the host is a shell script")
	}
	for name, notes := range map[string]int{"idle": 1, "while it indexes": 3000} {
		t.Run(name, func(t *testing.T) {
			o := startOrphan(t, manyNotes(t, notes))
			if _, err := fmt.Fprintf(o.in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":%s}`+"\n", initialize); err != nil {
				t.Fatal(err)
			}
			if answers := bufio.NewScanner(o.out); !answers.Scan() {
				t.Fatal("no answer")
			}
			if err := o.parent.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			awaitEnd(t, "parent killed", func() error {
				_, err := io.Copy(io.Discard, o.errors) // ends when nobody can write to it
				return err
			})
		})
	}
}

// orphan is a server whose parent is a shell that is to be killed. The test
// holds the other ends of its pipes.
type orphan struct {
	parent      *exec.Cmd
	in          io.Writer
	out, errors io.Reader
}

func startOrphan(t *testing.T, dir string) orphan {
	t.Helper()
	var near, far [3]*os.File // stdin, stdout, stderr
	for i := range near {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if near[i], far[i] = r, w; i == 0 {
			near[i], far[i] = w, r
		}
	}
	server := vademecum(t, "serve", dir, "--index", indexFile(t))
	parent := exec.CommandContext(t.Context(), "sh", append([]string{"-c", `"$@" <&3 & echo started >&2; wait`, "sh"}, server.Args...)...)
	parent.Env = server.Env
	parent.ExtraFiles, parent.Stdout, parent.Stderr = far[:1], far[1], far[2]
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = parent.Process.Kill()
		_ = parent.Wait()
		for _, f := range near {
			_ = f.Close() // a server that still runs ends of it
		}
	})
	for _, f := range far {
		_ = f.Close()
	}
	if _, err := io.ReadFull(near[2], make([]byte, len("started\n"))); err != nil {
		t.Fatal(err)
	}
	return orphan{parent, near[0], near[1], near[2]}
}

// TestNoFilesLeft kills a server as soon as there is a file in the index's
// folder that an undisturbed server does not leave, and starts the next.
func TestNoFilesLeft(t *testing.T) {
	const notes, kills = 400, 5
	dir := manyNotes(t, notes)
	undisturbed := indexFile(t)
	serveOnce(t, dir, undisturbed)
	file := indexFile(t)
	e, temporary := newEditor(t, dir), 0
	for range kills {
		for range 20 {
			e.step(notes)
		}
		s := startTalk(t, vademecum(t, "serve", dir, "--index", file))
		if extra := awaitExtra(s, file, undisturbed); len(extra) > 0 {
			temporary++
		}
		s.kill()
	}
	t.Logf("%d of %d kills came while there were temporary files", temporary, kills)
	left, mine := file+".snapshot.tmp-123", filepath.Join(filepath.Dir(file), "mine.tmp")
	for _, path := range []string{left, mine} {
		if err := os.WriteFile(path, []byte("not finished"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	serveOnce(t, dir, file)
	if extra := extraFiles(file, undisturbed); !slices.Equal(extra, []string{"mine.tmp"}) {
		t.Errorf("in the index's folder there is beside the index %q, not only what another program put there", extra)
	}
}

// serveOnce starts a server and ends it when it is up to date.
func serveOnce(t *testing.T, dir, file string) {
	t.Helper()
	s := startTalk(t, vademecum(t, "serve", dir, "--index", file))
	if _, err := s.tool("index_docs", `{}`); err != nil {
		t.Fatal(err)
	}
	_ = s.in.Close()
	awaitEnd(t, "stdin closed", s.wait)
}

// awaitExtra looks for a temporary file until the server is up to date.
func awaitExtra(s *talk, file, undisturbed string) []string {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = s.tool("index_docs", `{}`)
	}()
	for {
		if extra := extraFiles(file, undisturbed); len(extra) > 0 {
			return extra
		}
		select {
		case <-done:
			return nil
		default:
		}
	}
}

// mayBeThere is how the names of files end that may be beside an index.
var mayBeThere = []string{"-wal", "-shm", "-journal", ".snapshot", ".lock"}

// extraFiles are those beside the index that are not beside the other, and that
// should not be there for long.
func extraFiles(file, undisturbed string) []string {
	names := func(file string) []string {
		matches, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*"))
		for i, m := range matches {
			matches[i] = filepath.Base(m)
		}
		return matches
	}
	usual := names(undisturbed)
	return slices.DeleteFunc(names(file), func(name string) bool {
		return slices.Contains(usual, name) || slices.ContainsFunc(mayBeThere, func(end string) bool { return strings.HasSuffix(name, end) })
	})
}
