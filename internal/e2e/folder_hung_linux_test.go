package e2e

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var hangs = flag.Duration("hang", 5*time.Second, "how long the drive of TestHungDrive hangs")

// answerLimit is how long a question may take although the drive hangs.
const answerLimit = 4 * time.Second

// hungQuestions are requests of every kind that clients send.
func hungQuestions(dir string) map[string]string {
	return map[string]string{
		"retrieve_docs": `{"query":"whale number 7"}`,
		"list_docs":     `{}`,
		"read_doc":      fmt.Sprintf(`{"path":%q}`, filepath.Join(dir, "note7.md")),
		"index_docs":    `{}`,
	}
}

// askAll sends a server all requests and returns the text of the results. Errors of index_docs
// count as results.
func (s *client) askAll(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	for tool, arguments := range hungQuestions(dir) {
		began := time.Now()
		blocks, err := s.tool(tool, arguments)
		if took := time.Since(began); took > answerLimit {
			t.Errorf("%s took %v", tool, took)
		}
		if err != nil && tool != "index_docs" {
			t.Errorf("%s: %v", tool, err)
		}
		for _, b := range blocks {
			all.WriteString(b.Text + b.Resource.Text + "\n")
		}
		fmt.Fprintln(&all, err)
	}
	if _, err := s.call("resources/list", "{}"); err != nil {
		t.Error(err)
	}
	return all.String()
}

func (s *client) threads() int {
	status, _ := statusOf(s.cmd.Process.Pid)
	return status["Threads"]
}

// whaleNotes are documents for hungQuestions.
func whaleNotes() map[string]string {
	files := make(map[string]string)
	for i := range 20 {
		files[fmt.Sprintf("note%d.md", i)] = fmt.Sprintf("# Note %d\n\nThe whale number %d is blue.\n", i, i)
	}
	return files
}

// TestHungDrive serves a drive that hangs for a while: every server answers from the
// index meanwhile, also one that is started then, its number of threads stays limited,
// and it continues when the drive does.
func TestHungDrive(t *testing.T) {
	t.Parallel()
	d := mountDrive(t, whaleNotes())
	file := indexFile(t)
	start := func() *client { return connect(t, vademecum(t, "serve", "--index", file, d.dir)) }
	servers := []*client{start(), start()}
	awaitAll(t, time.Now(), servers, "whale number 7", func(f found) bool { return f.holds("number 7 ") && len(f.Notes) == 0 })
	before := 0
	for _, s := range servers {
		s.askAll(t, d.dir)
		before = max(before, s.threads())
	}

	d.hang()
	resume := sync.OnceFunc(d.resume)
	t.Cleanup(resume)
	for until := time.Now().Add(*hangs); time.Now().Before(until); {
		for i, s := range servers {
			text := s.askAll(t, d.dir)
			if !strings.Contains(text, "number 7 is blue") || !strings.Contains(text, "does not respond") {
				t.Fatalf("server %d says\n%s", i, text)
			}
			if n := s.threads(); n > before+12 {
				t.Errorf("server %d has %d threads, before there were %d", i, n, before)
			}
		}
		if len(servers) < 3 {
			servers = append(servers, start()) // which begins while the drive hangs
			out, err := vademecum(t, "search", "--index", file, d.dir, "whale number 7").CombinedOutput()
			if err != nil || !strings.Contains(string(out), "number 7 is blue") || !strings.Contains(string(out), "does not respond") {
				t.Errorf("search says (%v)\n%s", err, out)
			}
		}
	}

	d.write("new.md", "A narwhal was seen after the storm.\n")
	resume()
	awaitAll(t, time.Now(), servers, "narwhal storm", func(f found) bool { return f.holds("narwhal") && len(f.Notes) == 0 })
	for i, s := range servers {
		if text := s.askAll(t, d.dir); strings.Contains(text, "does not respond") {
			t.Errorf("server %d says afterwards\n%s", i, text)
		}
		if n := s.threads(); n > before+12 {
			t.Errorf("server %d has %d threads, before there were %d", i, n, before)
		}
	}
}

// TestOwnerEndsOnHungDrive: while a drive hangs, a server that is connected to the owner answers as the
// owner does, and from the index when the owner is killed; another folder is kept up to date, and the
// drive's when it continues.
func TestOwnerEndsOnHungDrive(t *testing.T) {
	t.Parallel()
	d := mountDrive(t, whaleNotes())
	other := manyNotes(t, 20)
	servers := sharingServers(t, d.dir, []string{other}, []string{other})
	second := servers[1]
	if holdsIndex(t, second) {
		t.Fatal("the second holds an index")
	}
	awaitAll(t, time.Now(), servers, "whale number 7", func(f found) bool { return f.holds("number 7 ") && len(f.Notes) == 0 })
	d.hang()
	resume := sync.OnceFunc(d.resume)
	t.Cleanup(resume)
	answers := func(when string) {
		t.Helper()
		if text := second.askAll(t, d.dir); !strings.Contains(text, "number 7 is blue") || !strings.Contains(text, "does not respond") {
			t.Fatalf("%s the second says\n%s", when, text)
		}
	}
	answers("beside the owner")
	if err := servers[0].cmd.Process.Kill(); err != nil { // the process ends, and releases its locks, only when the drive continues
		t.Fatal(err)
	}
	f, err := second.retrieve("whale number 7")
	if err != nil || !f.holds("number 7 ") {
		t.Fatalf("after a kill the second finds %v, %v", f, err)
	}
	answers("after a kill")
	if err := os.WriteFile(filepath.Join(other, "new.md"), []byte("A walrus was seen in the harbour.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	isOnlyHung := func(f found) bool { return len(f.Notes) == 1 && strings.Contains(f.Notes[0], "does not respond") }
	awaitAll(t, time.Now(), servers[1:], "walrus harbour", func(f found) bool { return f.holds("walrus") && isOnlyHung(f) })
	d.write("new.md", "A narwhal was seen after the storm.\n")
	resume()
	awaitAll(t, time.Now(), servers[1:], "narwhal storm", func(f found) bool { return f.holds("narwhal") && len(f.Notes) == 0 })
	if !holdsIndex(t, second) {
		t.Error("nobody holds the index")
	}
}
