package e2e

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestIndexInTheServedFolder runs two servers on a folder that contains their index, and
// one with another index there, and edits it: none may open index files as documents,
// which drops the locks on them, and their writes are no changes.
func TestIndexInTheServedFolder(t *testing.T) {
	t.Parallel()
	const notes = 50
	for _, name := range []string{"i.db", "0/notes.md", "README"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := manyNotes(t, notes)
			index := filepath.Join(dir, filepath.FromSlash(name))
			var logs []*bytes.Buffer
			start := func(file string) *client {
				c, log := vademecum(t, "serve", dir, "--index", file), new(bytes.Buffer)
				c.Stderr, logs = log, append(logs, log)
				return connect(t, c)
			}
			servers := []*client{start(index)}
			if _, err := servers[0].tool("index_docs", `{}`); err != nil {
				t.Fatal(err)
			}
			if err := os.Link(index+"-shm", filepath.Join(dir, "linked.md")); err != nil {
				t.Log(err) // the test goes on without one
			}
			servers = append(servers, start(index), start(filepath.Join(dir, "other.txt")))
			e := newEditor(t, dir)
			for range 5 {
				text, unique := e.text()
				e.save(e.fresh(), text)
				awaitAll(t, time.Now(), servers, unique, func(f found) bool { return f.holds(unique) })
			}
			for i, s := range servers {
				blocks, err := s.tool("list_docs", `{}`)
				if err != nil {
					t.Fatal(err)
				}
				if text := blocks[0].Text; strings.Count(text, ".md") < notes || i < 2 && strings.Contains(text, "linked") || strings.Contains(text, name) || strings.Contains(text, "other.txt") {
					t.Errorf("server %d lists %s", i, text)
				}
			}
			settled(t, dir)
			for i, s := range servers {
				s.kill()
				if text := logs[i].String(); strings.Contains(text, "I/O") || strings.Contains(text, "damaged") || strings.Contains(text, "level=ERROR") {
					t.Errorf("logged %s", text)
				}
			}
		})
	}
}

// settled waits until nothing in a folder changes for a while, apart from the heartbeats of a
// server on its locks.
func settled(t *testing.T, dir string) {
	t.Helper()
	look := func() string {
		var all strings.Builder
		_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.HasSuffix(p, ".lock") {
				if info, err := d.Info(); err == nil {
					fmt.Fprintln(&all, p, info.Size(), info.ModTime())
				}
			}
			return nil
		})
		return all.String()
	}
	last, since := look(), time.Now()
	isQuiet := func() bool {
		if now := look(); now != last {
			last, since = now, time.Now()
		}
		return time.Since(since) > 2*time.Second
	}
	if !poll(longestWait, isQuiet) {
		t.Fatalf("after %s the files still change", longestWait)
	}
}
