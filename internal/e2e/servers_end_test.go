package e2e

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"vademecum/docs"
)

func TestServeEndsWithItsHost(t *testing.T) {
	t.Parallel()
	dir := manyNotes(t, 3000)
	for name, end := range map[string]func(h *host){
		"stdin closed":             func(h *host) { h.initialize(); h.tool("list_docs", `{}`); _ = h.in.Close() },
		"stdin closed at once":     func(h *host) { _ = h.in.Close() },
		"closed while it indexes":  func(h *host) { h.initialize(); _ = h.in.Close() },
		"terminated while it does": func(h *host) { h.initialize(); _ = h.cmd.Process.Signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.HasPrefix(name, "terminated") {
				t.Skip("no SIGTERM on Windows")
			}
			t.Parallel()
			h := newHost(t, dir, "--index", indexFile(t))
			end(h)
			ended := make(chan error, 1)
			go func() {
				for h.lines.Scan() {
				}
				ended <- h.cmd.Wait()
			}()
			select {
			case err := <-ended:
				if err != nil {
					t.Errorf("ended with %v", err)
				}
			case <-time.After(longestWait):
				t.Error("still running")
			}
		})
	}
}

// TestServeEndsWithoutAReader checks that a host that hangs does not keep the server running.
func TestServeEndsWithoutAReader(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "long.txt"), []byte(strings.Repeat("A long line of text.\n", 50_000)), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, end := range map[string]func(h *host){
		"stdin closed": func(h *host) { _ = h.in.Close() },
		"terminated":   func(h *host) { _ = h.cmd.Process.Signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && name == "terminated" {
				t.Skip("no SIGTERM on Windows")
			}
			h := newHost(t, dir, "--index", indexFile(t))
			h.initialize()
			h.tool("list_docs", `{}`)
			h.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":99,"method":"resources/read","params":{"uri":%q}}`, docs.FileURI(filepath.Join(dir, "long.txt"))))
			end(h)
			ended := make(chan struct{})
			go func() { _, _ = h.cmd.Process.Wait(); close(ended) }()
			select {
			case <-ended:
			case <-time.After(longestWait):
				t.Error("still running")
			}
		})
	}
}

// TestServeAnswersWhatWasAsked checks that questions on a pipe that ends after them are answered,
// as people try a server in this way. The time for the responses is short, so nothing else runs in
// parallel.
func TestServeAnswersWhatWasAsked(t *testing.T) {
	c := vademecum(t, "serve", manyNotes(t, 20), "--index", indexFile(t))
	c.Stdin = strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":%s}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"resources/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"retrieve_docs","arguments":{"query":"visit number3"}}}`, initialize))
	out, err := c.Output()
	if err != nil || !strings.Contains(string(out), `"name":"0/3.md"`) || !strings.Contains(string(out), `"id":3`) || !strings.Contains(string(out), "0/3.md") {
		t.Errorf("%s, %v", out, err)
	}
}

// TestServersEnd ends the servers of a folder one by one, and checks that each ends at once,
// whether it indexes or not.
func TestServersEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		end  func(s *client) error
	}{
		{"stdin closed", func(s *client) error { return s.in.Close() }},
		{"terminated", func(s *client) error { return s.cmd.Process.Signal(syscall.SIGTERM) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && c.name == "terminated" {
				t.Skip("no SIGTERM on Windows")
			}
			t.Parallel()
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
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the host is a shell script")
	}
	for name, notes := range map[string]int{"idle": 1, "while it indexes": 3000} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
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
				_, err := io.Copy(io.Discard, o.errors) // ends when all writers have closed it
				return err
			})
		})
	}
}

// orphan is a server whose parent is a shell that will be killed. The test holds the
// other ends of its pipes.
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
