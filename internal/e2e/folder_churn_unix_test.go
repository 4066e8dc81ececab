//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"vademecum/docs"
)

// churnTime names the variable with the duration of a long TestChurn, see .ci/churn.
const churnTime = "VADEMECUM_CHURN"

// churn is three servers on a folder in which all kinds of things happen, to the
// servers too.
type churn struct {
	*editor
	file    string // path of the index that the servers share
	outside string // a folder that is not served
	servers []*client
	stopped map[*client]bool
	counts  map[string]int // how often each operation was done
}

func newChurn(t *testing.T) *churn {
	c := &churn{editor: newEditor(t, manyNotes(t, 12)), file: indexFile(t), outside: t.TempDir(), stopped: make(map[*client]bool), counts: make(map[string]int)}
	c.write(filepath.Join(c.dir, ".gitignore"), "ignored/\n*.skip.md\n")
	for range 3 {
		c.add()
	}
	return c
}

func (c *churn) add() {
	c.servers = append(c.servers, connect(c.t, vademecum(c.t, "serve", c.dir, "--index", c.file)))
}

// some returns the path of a file in the folder other than the ignore file.
func (c *churn) some() string {
	files := slices.DeleteFunc(c.files(), func(f string) bool { return filepath.Base(f) == ".gitignore" })
	return files[c.rng.IntN(len(files))]
}

// fileOperations are what may happen to files. Each gets the path of an existing file.
var fileOperations = []struct {
	name string
	do   func(c *churn, some, text string)
}{
	{"create", func(c *churn, _, text string) { c.save(c.fresh(), text) }},
	{"create", func(c *churn, _, text string) { c.write(c.fresh("deep", fmt.Sprint(c.rng.IntN(3))), text) }},
	{"edit", func(c *churn, some, text string) { c.save(some, text) }},
	{"edit", func(c *churn, some, text string) { c.overwrite(some, text) }},
	{"delete", func(c *churn, some, _ string) { c.check(os.Remove(some)) }},
	{"rename", func(c *churn, some, _ string) { c.move(some, c.fresh("moved")) }},
	{"rename folder", func(c *churn, some, _ string) { c.renameFolder(filepath.Dir(some)) }},
	{"change case", func(c *churn, some, _ string) {
		name := filepath.Base(some)
		stem := strings.TrimSuffix(name, filepath.Ext(name))
		if stem == strings.ToUpper(stem) {
			stem = strings.ToLower(stem)
		} else {
			stem = strings.ToUpper(stem)
		}
		c.move(some, filepath.Join(filepath.Dir(some), stem+filepath.Ext(name)))
	}},
	{"compose", func(c *churn, some, _ string) {
		name := filepath.Base(some)
		switch {
		case norm.NFD.String(name) != name:
			name = norm.NFD.String(name)
		case norm.NFC.String(name) != name:
			name = norm.NFC.String(name)
		default:
			c.serial++
			name = fmt.Sprintf("Été %d é.md", c.serial)
		}
		c.move(some, filepath.Join(filepath.Dir(some), name))
	}},
	{"hide", func(c *churn, some, _ string) {
		name := filepath.Base(some)
		if visible, hidden := strings.CutPrefix(name, "."); hidden {
			name = visible
		} else {
			name = "." + name
		}
		c.move(some, filepath.Join(filepath.Dir(some), name))
	}},
	{"ignore", func(c *churn, some, _ string) { c.move(some, c.fresh("ignored")) }},
	{"change what is ignored", func(c *churn, _, _ string) {
		all := []string{"ignored/\n*.skip.md\n", "*.skip.md\n", "deep/\n", "moved/\nignored/\n"}
		c.save(filepath.Join(c.dir, ".gitignore"), all[c.rng.IntN(len(all))])
	}},
	{"link", func(c *churn, some, _ string) { c.check(os.Symlink(some, c.fresh())) }},
	{"link to nothing", func(c *churn, some, _ string) { c.check(os.Symlink(some+".none", c.fresh())) }},
	{"link outside", func(c *churn, _, text string) {
		file := filepath.Join(c.outside, fmt.Sprintf("%d.md", c.serial))
		c.write(file, text)
		c.check(os.Symlink(file, c.fresh()))
	}},
	{"replace by the same size", func(c *churn, some, _ string) {
		info, err := os.Lstat(some)
		c.check(err)
		had, err := os.ReadFile(some)
		if err != nil || !info.Mode().IsRegular() {
			return
		}
		c.serial++
		now := marker.ReplaceAllString(string(had), word(c.serial))
		c.past = append(c.past, now)
		c.save(some, now)
		if c.rng.IntN(2) == 0 {
			c.check(os.Chtimes(some, info.ModTime(), info.ModTime()))
		}
	}},
}

// overwrite writes a file but follows no link, as the target may be someone else's file.
func (c *churn) overwrite(path, text string) {
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		c.write(path, text)
	}
}

// step does something to a file, and at times to a server.
func (c *churn) step() {
	c.t.Helper()
	text, _ := c.text()
	op := fileOperations[c.rng.IntN(len(fileOperations))]
	if files := len(c.files()); files > 40 {
		op = fileOperations[4]
	} else if files < 8 {
		op = fileOperations[0]
	}
	op.do(c, c.some(), text)
	c.counts[op.name]++
	at := c.rng.IntN(len(c.servers))
	s := c.servers[at]
	switch c.rng.IntN(40) {
	case 0:
		s.kill() // a stopped server can be killed, too
		delete(c.stopped, s)
		c.servers = slices.Delete(c.servers, at, at+1)
		c.add()
		c.counts["kill"]++
	case 1:
		if len(c.stopped) < len(c.servers)-1 && !c.stopped[s] {
			s.signal(c.t, syscall.SIGSTOP)
			c.stopped[s] = true
			c.counts["stop"]++
		}
	case 2:
		c.goOn(s)
	case 3, 4, 5:
		if !c.stopped[s] {
			_, err := s.retrieve(questions[c.rng.IntN(len(questions))])
			c.check(err)
		}
	}
}

func (c *churn) goOn(s *client) {
	if c.stopped[s] {
		s.signal(c.t, syscall.SIGCONT)
		delete(c.stopped, s)
	}
}

// stopMost stops all servers but one, for long enough that this one has to take over
// their work.
func (c *churn) stopMost() {
	c.t.Helper()
	left := c.rng.IntN(len(c.servers))
	c.goOn(c.servers[left])
	for i, s := range c.servers {
		if i != left && !c.stopped[s] {
			s.signal(c.t, syscall.SIGSTOP)
			c.stopped[s] = true
			c.counts["stop"]++
		}
	}
	text, unique := c.text()
	c.save(c.fresh(), text)
	s := c.servers[left]
	if _, err := s.await(time.Now(), unique, func(f found) bool { return f.holds(unique) }); err == nil {
		return
	}
	// A server may have been stopped in a transaction: then no other can write, and answers
	// say so.
	f, err := s.retrieve(unique)
	c.check(err)
	if notes := strings.Join(f.Notes, "\n"); !f.holds(unique) && !strings.Contains(notes, "Not found anywhere in what is indexed so far") {
		c.t.Fatalf("while the others are stopped process %d answers\n%s", s.cmd.Process.Pid, f)
	}
	c.counts["stop in a transaction"]++
}

// compare returns how the answers of the servers differ from those of a fresh index,
// while nothing changes.
func (c *churn) compare() {
	c.t.Helper()
	for _, s := range c.servers {
		c.goOn(s)
	}
	fresh := connect(c.t, vademecum(c.t, "serve", c.dir, "--index", indexFile(c.t)))
	defer fresh.kill()
	_, err := fresh.tool("index_docs", `{}`)
	c.check(err)
	want, err := fresh.resources()
	c.check(err)
	here, gone := c.markers(want)
	for _, s := range append(slices.Clone(c.servers), fresh) {
		var wrong error
		if !poll(longestWait, func() bool { wrong = s.differsFrom(want, here, gone); return wrong == nil }) {
			c.t.Fatalf("after %s process %d: %v", longestWait, s.cmd.Process.Pid, wrong)
		}
	}
}

// markers returns the unique words of the documents that are listed, and some of those that are in
// no document.
func (c *churn) markers(listed []string) (here map[string]string, gone []string) {
	c.t.Helper()
	here = make(map[string]string)
	served, err := filepath.EvalSymlinks(c.dir)
	c.check(err)
	names := make(map[string]string)
	for _, f := range c.files() {
		rel, err := filepath.Rel(c.dir, f)
		c.check(err)
		names[docs.FileURI(filepath.Join(served, rel))], names[docs.FileURI(f)] = f, f
	}
	for _, uri := range listed {
		text, err := os.ReadFile(names[uri])
		if err != nil {
			c.t.Fatalf("%s is listed: %v", uri, err)
		}
		if m := marker.FindString(string(text)); m != "" {
			here[m] = uri
		}
	}
	for n := range min(len(c.past), 15) {
		if m := marker.FindString(c.past[len(c.past)-1-n]); m != "" && here[m] == "" {
			gone = append(gone, m)
		}
	}
	return here, gone
}

// TestChurn compares three servers with a fresh index at every quiet point of a
// folder that is changed in all ways, while servers are killed and stopped.
func TestChurn(t *testing.T) {
	t.Parallel()
	long, _ := time.ParseDuration(os.Getenv(churnTime))
	c := newChurn(t)
	rounds := 0
	for start := time.Now(); rounds < 3 || time.Since(start) < long; rounds++ {
		for i, last := 0, 10+c.rng.IntN(60); i < last; i++ {
			if rounds%3 == 1 && i == last/2 {
				c.stopMost()
			}
			c.step()
		}
		c.compare()
	}
	t.Logf("%d comparisons, %v", rounds, c.counts)
}
