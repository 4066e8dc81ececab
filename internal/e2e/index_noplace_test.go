package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// homeless returns a command in an empty directory, with an environment that names no home and no
// cache folder, as under some service managers and hosts.
func homeless(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	c := vademecum(t, args...)
	c.Dir = dir
	c.Env = slices.DeleteFunc(c.Env, func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.ContainsFunc([]string{"HOME", "XDG_CACHE_HOME", "LocalAppData"}, func(n string) bool { return strings.EqualFold(n, name) })
	})
	return c
}

// TestWithoutAPlaceForTheIndex: what is possible without an index works, and the rest
// explains what to do. Nothing is written, neither to the working directory nor into the
// folder.
func TestWithoutAPlaceForTheIndex(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("PDFium is made into machine code several times, as nowhere can it be kept")
	}
	here, dir, pdfs := t.TempDir(), t.TempDir(), t.TempDir()
	pdf, err := os.ReadFile(filepath.Join("testdata", "formats", "sleep.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	before := map[string]string{ // the first two might be taken for parts of an index without a name
		filepath.Join(here, ".snapshot"): "mine",
		filepath.Join(here, ".damaged"):  "mine",
		filepath.Join(dir, "a.md"):       "Warfarin needs regular blood tests.",
		filepath.Join(dir, "b.md"):       "Insulin is kept cool.",
		filepath.Join(pdfs, "sleep.pdf"): string(pdf), // separate, as its reader takes seconds without a place for its machine code either
	}
	for file, text := range before {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const kept = "the index is kept in memory"

	t.Run("serve", func(t *testing.T) {
		var log strings.Builder
		c := homeless(t, here, "serve", dir)
		c.Stderr = &log
		s := connect(t, c)
		if _, err := s.tool("index_docs", `{}`); err != nil {
			t.Error(err)
		}
		awaitAll(t, time.Now(), []*client{s}, "warfarin tests", func(f found) bool { return f.holds("Warfarin needs regular blood tests.") })
		s.kill()
		if !strings.Contains(log.String(), kept) || !strings.Contains(log.String(), "--index") {
			t.Errorf("logged %s", log.String())
		}
	})
	for _, test := range []struct {
		args   []string
		ok     bool
		output []string
	}{
		{[]string{"search", dir, "warfarin"}, true, []string{"a.md, line 1", kept, "--index"}},
		{[]string{"search", pdfs, "snoring pillow"}, true, []string{"sleep.pdf, page", "A pillow under the upper body", kept}},
		{[]string{"index", dir, "--dry-run"}, true, []string{"files:     2"}},
		{[]string{"index", dir}, false, []string{"vademecum: there is no place for the index", "--index"}},
		{[]string{"status", dir}, false, []string{"vademecum: there is no place for the index", "--index"}},
		{[]string{"index", dir, "--index", filepath.Join(t.TempDir(), "x.db")}, true, []string{"Indexed 2 documents"}},
	} {
		t.Run(strings.Join(test.args[:1], " "), func(t *testing.T) {
			out, err := homeless(t, here, test.args...).CombinedOutput()
			if (err == nil) != test.ok {
				t.Errorf("ended with %v", err)
			}
			for _, want := range test.output {
				if !strings.Contains(string(out), want) {
					t.Errorf("says %s, want %s", out, want)
				}
			}
			if !test.ok && strings.Contains(string(out), kept) {
				t.Errorf("says %s", out)
			}
		})
	}
	for root, files := range map[string]int{here: 2, dir: 2, pdfs: 1} {
		entries, err := os.ReadDir(root)
		if err != nil || len(entries) != files {
			t.Errorf("%s holds %v, %v", root, entries, err)
		}
	}
	for file, text := range before {
		if now, err := os.ReadFile(file); err != nil || string(now) != text {
			t.Errorf("%s was changed, %v", file, err)
		}
	}
}

// TestIndexBelowAFile: where no file can be created, index fails after it has reported
// the findings.
func TestIndexBelowAFile(t *testing.T) {
	t.Parallel()
	dir := manyNotes(t, 1)
	out, err := vademecum(t, "index", dir, "--index", filepath.Join(dir, "0", "0.md", "x.db")).CombinedOutput()
	if text := string(out); err == nil || !strings.Contains(text, "Indexed 1 document") || !strings.Contains(text, "vademecum: the index of "+dir+" is not saved: ") {
		t.Errorf("%v, it says %s", err, text)
	}
}

// TestServeWithoutAUsableIndex checks that a server keeps its index in memory if it cannot create a
// file.
func TestServeWithoutAUsableIndex(t *testing.T) {
	t.Parallel()
	dir, log := manyNotes(t, 1), new(bytes.Buffer)
	c := vademecum(t, "serve", dir, "--index", filepath.Join(dir, "0", "0.md", "x.db"))
	c.Stderr = log
	s := connect(t, c)
	blocks, err := s.tool("retrieve_docs", `{"query": "visit"}`)
	if err != nil || !strings.Contains(blocks[0].Text, "0/0.md") {
		t.Errorf("answers %v, %v", blocks, err)
	}
	s.kill()
	if text := log.String(); !strings.Contains(text, "kept in memory") || !strings.Contains(text, "not a directory") && !strings.Contains(text, "cannot find the path") {
		t.Errorf("logged %s", text)
	}
}
