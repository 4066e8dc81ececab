package index

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// FuzzRequest decodes rows as anyone may have written them.
func FuzzRequest(f *testing.F) {
	for _, row := range []string{"", "null", "{}", `{"Areas":null}`, `{"Areas":[{"Base":"..","Glob":""}]}`, `{"Areas":[{"Base":"a/../../b"}]}`,
		`{"Areas":[{"Base":"a","Glob":"[a"}],"Force":true}`, `{"Areas":[` + strings.Repeat(`{},`, 3) + `{}]}`, `{"Areas":7}`, "\x00\xff", `{"Areas":[{"Base":"/etc"}]}`} {
		f.Add(row)
	}
	f.Fuzz(func(t *testing.T, row string) {
		r := decodeRequest(row)
		if r.fault != nil {
			if len(r.Areas) > 0 || isDamaged(r.fault) {
				t.Errorf("%q: %+v", row, r)
			}
			return
		}
		for _, a := range r.areas(0) {
			if a.base != "" && !filepath.IsLocal(filepath.FromSlash(a.base)) {
				t.Errorf("%q leaves the folder: %q", row, a.base)
			}
		}
	})
}

// TestOddRequestsAreAnswered puts rows into the mailbox that nobody can mean: each
// gets an answer, and the index is none the worse.
func TestOddRequestsAreAnswered(t *testing.T) {
	n := newNotes(t, map[string]string{"a.md": "alpha"})
	file := filepath.Join(t.TempDir(), "x.db")
	ix, err := New(Options{Folders: []string{n.dir}, Files: []string{file}, Embedder: newCounting(t), Logger: quietLog})
	if err != nil {
		t.Fatal(err)
	}
	keepRunning(t, ix)
	c, err := openCatalogue(t.Context(), ix.folders[0].index, ix.embedder.Model())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.close(); err != nil {
			t.Error(err)
		}
	}()
	for _, row := range []string{"{", `{"Areas":[{"Base":"../.."}]}`, strings.Repeat(" ", longestRequest) + "{}", `{"Areas":[` + strings.Repeat("{},", mostRequested) + "{}]}"} {
		done, err := c.write.Exec("INSERT INTO requests (request, answer) VALUES (?, '')", row)
		if err != nil {
			t.Fatal(err)
		}
		number, err := done.LastInsertId()
		if err != nil {
			t.Fatal(err)
		}
		for start := time.Now(); ; {
			a, ok, err := c.answered(t.Context(), number)
			if err != nil {
				t.Fatal(err)
			}
			if ok {
				if !strings.Contains(a.Error, "request") {
					t.Errorf("%.40q is answered with %+v", row, a)
				}
				break
			}
			if time.Since(start) > seconds {
				t.Fatalf("%.40q is not answered", row)
			}
			time.Sleep(askEvery)
		}
	}
	if ix.lost.Load() > 0 || ix.store.catalogue(0).suspect.Load() {
		t.Error("the index is taken for damaged")
	}
}
