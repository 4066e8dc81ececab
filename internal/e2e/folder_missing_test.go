package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// twoFolders creates two folders with a note each below dir. takeAway removes the first one, and
// bringBack restores it.
func twoFolders(t *testing.T) (dir string, first, second string, takeAway, bringBack func()) {
	t.Helper()
	dir = t.TempDir()
	first, second = filepath.Join(dir, "drive", "notes"), filepath.Join(dir, "other")
	for at, text := range map[string]string{first: "# Kyoto\n\nThe temple of Kyoto is golden.\n", second: "# Berlin\n\nThe wall of Berlin fell.\n"} {
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, "note.md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	drive := filepath.Dir(first)
	move := func(from, to string) func() {
		return func() {
			t.Helper()
			if err := os.Rename(from, to); err != nil && runtime.GOOS == "windows" {
				t.Skip("a folder that is served cannot be moved here")
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir, first, second, move(drive, drive+".away"), move(drive+".away", drive)
}

// mustSay fails unless the result of a tool contains some words, and is an error or not as given.
func (h *host) mustSay(isError bool, words, tool, arguments string) {
	h.t.Helper()
	if text, failed := h.tool(tool, arguments); failed != isError || !strings.Contains(text, words) {
		h.t.Errorf("%s says (error: %t, want %t)\n%s\nwant %s", tool, failed, isError, text, words)
	}
}

// TestStartWithoutFolder: a host that starts while the folder is missing gets its tools,
// which explain what to do, and work once the folder exists.
func TestStartWithoutFolder(t *testing.T) {
	t.Parallel()
	_, dir, _, takeAway, bringBack := twoFolders(t)
	takeAway()
	h := newHost(t, dir, "--index", indexFile(t))
	h.initialize()
	if m := h.call("tools/list", "{}"); !strings.Contains(string(m.Result), "retrieve_docs") {
		t.Errorf("the tools are %s, %+v", m.Result, m.Error)
	}
	if m := h.call("resources/list", "{}"); m.Error != nil || !strings.Contains(string(m.Result), `"resources":[]`) {
		t.Errorf("the resources are %s, %+v", m.Result, m.Error)
	}
	missing := "the folder " + dir + " is not there: connect its drive or network"
	for tool, arguments := range map[string]string{"retrieve_docs": `{"query":"golden temple"}`, "list_docs": `{}`, "read_doc": `{"path":"note.md"}`, "index_docs": `{}`} {
		h.mustSay(true, missing, tool, arguments)
	}
	bringBack()
	h.mustSay(false, "Kyoto is golden", "retrieve_docs", `{"query":"golden temple"}`)
	if text, _ := h.tool("list_docs", `{}`); strings.Contains(text, "not there") {
		t.Errorf("it says\n%s", text)
	}
}

// TestFolderComesAndGoes checks that of several folders those that exist are served, at the start
// and later, and that the documents of a missing folder are kept.
func TestFolderComesAndGoes(t *testing.T) {
	t.Parallel()
	dir, first, second, takeAway, bringBack := twoFolders(t)
	args := []string{first, second, "--index", filepath.Join(dir, "1.db"), "--index", filepath.Join(dir, "2.db")}
	missing := "The folder " + first + " is not there: "
	ask := func(h *host, word, also string) {
		t.Helper()
		query, _ := json.Marshal(word)
		h.mustSay(false, also, "retrieve_docs", fmt.Sprintf(`{"query":%s}`, query))
	}
	save := func(dir, word string) string {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, word+".md"), []byte("The word is "+word+".\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return word
	}
	var photo bytes.Buffer
	if err := png.Encode(&photo, image.NewGray(image.Rect(0, 0, 40, 30))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(first, "photo.png"), photo.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	takeAway()
	h := newHost(t, args...)
	h.initialize()
	ask(h, "golden temple", "None of its content is known yet.")
	ask(h, "wall of Berlin", "Berlin fell")
	ask(h, "wall of Berlin", missing)
	ask(h, save(second, "narwhal"), "The word is narwhal.")
	bringBack()
	ask(h, "golden temple", "Kyoto is golden")
	for _, word := range []string{"walrus", "beluga"} {
		ask(h, save(first, word), "The word is "+word)
		takeAway()
		ask(h, "golden temple", "Kyoto is golden")
		ask(h, word, missing)
		if text, _ := h.tool("read_doc", `{"path":"photo.png","as":"image"}`); !strings.Contains(text, missing) {
			t.Errorf("with a picture it says\n%s", text)
		}
		ask(h, save(second, word+"second"), "The word is "+word+"second.")
		h.mustSay(false, missing, "index_docs", `{}`)
		bringBack()
		if text, _ := h.tool("retrieve_docs", `{"query":"wall of Berlin"}`); strings.Contains(text, "not there") {
			t.Errorf("it says\n%s", text)
		}
	}
	takeAway()
	again := newHost(t, args...)
	again.initialize()
	ask(again, "beluga", "The word is beluga.")
	ask(again, "beluga", "What is known about it was read earlier.")
	bringBack()
	for _, server := range []*host{h, again} {
		ask(server, save(first, "orca"), "The word is orca.")
	}
}

// TestIndexInMissingFolder: the folder of the documents is never created for an index
// inside it: an empty one would look as if all were deleted.
func TestIndexInMissingFolder(t *testing.T) {
	t.Parallel()
	_, dir, _, takeAway, bringBack := twoFolders(t)
	args := []string{dir, "--index", filepath.Join(dir, ".index", "x.db")}
	for range 2 { // first without an index, then with one
		takeAway()
		h := newHost(t, args...)
		h.initialize()
		h.mustSay(true, "is not there", "index_docs", `{}`)
		if _, err := os.Stat(dir); err == nil {
			t.Fatal("the folder was made")
		}
		bringBack()
		h.mustSay(false, "Kyoto is golden", "retrieve_docs", `{"query":"golden temple"}`)
		_ = h.in.Close()
		awaitEnd(t, "the server", h.cmd.Wait)
	}
}

// TestStartMistakes checks that a server ends at once for an error that waiting cannot fix, even if
// a folder is missing.
func TestStartMistakes(t *testing.T) {
	t.Parallel()
	dir, first, second, takeAway, _ := twoFolders(t)
	takeAway()
	file := filepath.Join(second, "note.md")
	if err := os.Mkdir(filepath.Join(dir, "my notes"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{"is given twice", []string{first, first}},
		{"lies in", []string{first, dir}},
		{"lies in", []string{filepath.Join(first, "in"), first}},
		{"is a file, not a folder", []string{file}},
		{"no such folder", []string{filepath.Join(file, "sub")}},
		{"a name with spaces needs quotes", []string{filepath.Join(dir, "my"), "notes"}},
		{"no such folder", []string{"~nobody/notes"}},
		{"unknown flag --embd", []string{first, "--embd", "x"}},
		{"no such folder: " + first, []string{first, "--http=127.0.0.1:0"}},
		{"no such folder: " + first, []string{first, "--store", "postgres://127.0.0.1:1/none"}},
	} {
		out, err := vademecum(t, append([]string{"serve"}, c.args...)...).CombinedOutput()
		var ended *exec.ExitError
		if !errors.As(err, &ended) || ended.ExitCode() != 2 || !strings.Contains(string(out), c.says) {
			t.Errorf("%q: %v\n%s", c.args, err, out)
		}
	}
}
