package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// accents are free-standing: without a letter below them. What Unicode's form
// NFKC leaves of them is a space and a combining mark.
var accents = []string{"(￣▽￣) haha", `¯\_(ツ)_/¯ well`, "´quoted´ word", "5¨ wide", "snake_\u0301_case"}

// writeAccents fills a folder with many notes on one word.
func writeAccents(t *testing.T, dir, word string) {
	t.Helper()
	for i := range 600 {
		text := fmt.Sprintf("%s %s%d\n", accents[i%len(accents)], word, i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.md", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFreeStandingAccentsAreIndexedTwice saves a snapshot after all that was in
// memory has gone.
func TestFreeStandingAccentsAreIndexedTwice(t *testing.T) {
	t.Parallel()
	dir, file := t.TempDir(), indexFile(t)
	writeAccents(t, dir, "first")
	for _, args := range [][]string{{"index", dir}, {"index", dir, "--force"}, {"index", dir, "--force"}} {
		out, err := vademecum(t, append(args, "--index", file)...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "600 in total") || strings.Contains(string(out), "error") {
			t.Fatalf("%v: %s, %v", args, out, err)
		}
	}
	if out, err := vademecum(t, "search", dir, "first123 haha", "--index", file).CombinedOutput(); err != nil || !strings.Contains(string(out), "123.md") {
		t.Errorf("%s, %v", out, err)
	}
}

// TestFreeStandingAccentsInServers edits all notes at once, twice, below two
// servers.
func TestFreeStandingAccentsInServers(t *testing.T) {
	t.Parallel()
	dir, file := t.TempDir(), indexFile(t)
	var servers []*client
	for range 2 {
		servers = append(servers, connect(t, vademecum(t, "serve", dir, "--index", file)))
	}
	for _, word := range []string{"first", "second", "third", "fourth"} {
		writeAccents(t, dir, word)
		awaitAll(t, time.Now(), servers, word+"599", func(f found) bool { return f.holds(word + "599") })
	}
	started := connect(t, vademecum(t, "serve", dir, "--index", file))
	awaitAll(t, time.Now(), append(servers, started), "fourth7", func(f found) bool { return f.holds("fourth7") })
}
