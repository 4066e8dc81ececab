package docs

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"vademecum/docs/extract"
)

// testFolder makes a folder of the files, given by slash path and content. A
// path that ends with a slash is a directory.
func testFolder(t testing.TB, files map[string]string) *Folder {
	t.Helper()
	dir := t.TempDir()
	for p, content := range files {
		writeFile(t, dir, p, content)
	}
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func writeFile(t testing.TB, dir, p, content string) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(p))
	if strings.HasSuffix(p, "/") {
		if err := os.MkdirAll(full, 0o755); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "file", "x")
	for path, want := range map[string]string{
		filepath.Join(dir, "none"):      "open " + filepath.Join(dir, "none") + ": no such folder",
		filepath.Join(dir, "file"):      "open " + filepath.Join(dir, "file") + ": is a file, not a folder",
		filepath.Join(dir, "new\nline"): `open "` + strings.ReplaceAll(dir, `\`, `\\`),
	} {
		_, err := Open(path)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error is %q, want %q", err, want)
		}
	}
}

func TestOpenIsAbsolute(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	f, err := Open("./x/..")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if want, err := os.Getwd(); err != nil || f.Dir() != want {
		t.Errorf("got %s, want %s", f.Dir(), want)
	}
}

// read loads a file and turns it into a document.
func read(f *Folder, path string) (Document, error) {
	raw, err := f.Load(context.Background(), path)
	if err != nil {
		return Document{}, err
	}
	return raw.Document(context.Background(), nil)
}

func TestRead(t *testing.T) {
	raw := "\uFEFF# 高血压\r\n\r\n少盐。\r\n"
	f := testFolder(t, map[string]string{"笔记/a b.md": raw})
	d, err := read(f, "笔记/a b.md")
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(f.Dir(), "笔记", "a b.md"))
	if err != nil {
		t.Fatal(err)
	}
	if d.Path != "笔记/a b.md" || d.Title != "高血压" || d.MIME != "text/markdown" || d.Text != "# 高血压\n\n少盐。\n" ||
		d.Size != int64(len(raw)) || d.Hash != sha256.Sum256([]byte(raw)) || !d.ModTime.Equal(info.ModTime()) {
		t.Errorf("got %+v", d)
	}
	client := NewTextDocument("tutorial", "# 高血压\n\n少盐。")
	if d.TextHash() != client.TextHash() {
		t.Error("the text of a client that reads in text mode has another hash")
	}
}

func TestReadOtherEncodings(t *testing.T) {
	raw := "\xb8\xdf\xd1\xaa\xd1\xb9\r\n" // GB18030
	f := testFolder(t, map[string]string{"a.txt": raw, "b.txt": "\xff\xfeh\x00i\x00"})
	d, err := read(f, "a.txt")
	if err != nil || d.Text != "高血压\n" || d.Title != "高血压" || d.Encoding != "GB18030" || !d.IsEncodingGuessed ||
		d.Size != int64(len(raw)) || d.Hash != sha256.Sum256([]byte(raw)) {
		t.Errorf("got %+v, %v", d, err)
	}
	d, err = read(f, "b.txt")
	if err != nil || d.Text != "hi" || d.Encoding != "UTF-16LE" || d.IsEncodingGuessed {
		t.Errorf("got %+v, %v", d, err)
	}
}

const notText = "not text, or in an unknown encoding"

func TestReadSkips(t *testing.T) {
	f := testFolder(t, map[string]string{
		"empty.txt": "", "blank.txt": " \n", "a.png": "png", "a.vsd": "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\x00", "data": "\x00\x01\x02\x03", "folder/a.txt": "x",
		"late": strings.Repeat("text ", 5000) + strings.Repeat("\x00\x01\x02", 5000),
	})
	big, err := os.Create(filepath.Join(f.Dir(), "big.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(big.Truncate(extract.MaxFileBytes+1), big.Close()); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"empty.txt": "empty", "blank.txt": "empty", "a.png": "not a text format (.png)", "a.vsd": "Visio drawing (.vsd): export it as PDF",
		"data": notText, "late": notText, "folder": "not a regular file", "big.txt": "larger than 50 MB",
	} {
		_, err := read(f, path)
		var skip *extract.SkipError
		if !errors.As(err, &skip) || skip.Error() != want {
			t.Errorf("%s: error is %v, want %s", path, err, want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	f := testFolder(t, map[string]string{"a.txt": "x"})
	_, err := read(f, "none.txt")
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "read none.txt: ") {
		t.Errorf("error is %v", err)
	}
	for _, path := range []string{"../a.txt", "/etc/passwd", "a.txt/b", ""} {
		if d, err := read(f, path); err == nil {
			t.Errorf("%s: read %q", path, d.Text)
		}
	}
}

// TestFileSwappedForAPipe swaps a file for a pipe all the time while it is read:
// neither reading nor scanning may wait for the other end.
func TestFileSwappedForAPipe(t *testing.T) {
	f := testFolder(t, map[string]string{"a.txt": "x", ".gitignore": "*.log", "in/b.txt": "x"})
	on := func(p string) string { return filepath.Join(f.Dir(), filepath.FromSlash(p)) }
	if err := mkfifo(on("pipe")); err != nil {
		t.Skip("no pipes here")
	}
	done := make(chan struct{})
	var group sync.WaitGroup
	for i, p := range []string{"a.txt", ".gitignore"} {
		group.Go(func() {
			pipe, kept := on(fmt.Sprint("pipe", i)), on(fmt.Sprint("kept", i))
			for {
				select {
				case <-done:
					return
				default:
				}
				_ = os.Link(on("pipe"), pipe) // it was renamed
				_ = os.Link(on(p), kept)
				_ = os.Rename(pipe, on(p))
				_ = os.Rename(kept, on(p))
			}
		})
	}
	walk := newTreeWalker(t.Context(), f.lastRoot(), readDirAndStat)
	for range 20_000 {
		if d, err := f.Load(t.Context(), "a.txt"); err == nil && d.Size != 1 {
			t.Errorf("read %+v", d)
		}
		walk.ignoreSetFor(everything, nil, []string{".gitignore"})
	}
	if _, err := readDirAndStat(f.lastRoot(), "pipe"); err == nil {
		t.Error("a pipe was read as a directory")
	}
	close(done)
	group.Wait()
}

func TestReadNeverWaitsOrLeaves(t *testing.T) {
	f := testFolder(t, map[string]string{"a.txt": "x"})
	outside := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(f.Dir(), "link.txt")); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(f.Dir(), "out")); err != nil {
		t.Fatal(err)
	}
	if err := mkfifo(filepath.Join(f.Dir(), "pipe.txt")); err != nil {
		t.Skip("no pipes here")
	}
	for _, path := range []string{"link.txt", "out/secret.txt", "pipe.txt"} {
		if d, err := read(f, path); err == nil {
			t.Errorf("%s: read %q", path, d.Text)
		}
	}
	if files := reasonsOf(t, f, "."); len(files) != 3 || files["a.txt"] != "" || files["out"] != reasonLinkOutside || files["link.txt"] != reasonLinkOutside {
		t.Errorf("scanned %v", files)
	}
	if files := scanned(t, f, "out/secret.txt"); len(files) != 0 {
		t.Errorf("scanned %v", files)
	}
}

func TestTitle(t *testing.T) {
	tests := []struct{ path, text, want string }{
		{"dir/notes.md", "```\n# no\n```\n", "notes"},
		{"dir/notes.v2.md", "text", "notes.v2"},
		{"dir/.md", "text", ".md"},
		{"dir/Roof.excalidraw.md", "text", "Roof"},
		{"dir/v1.5 notes", "Some text.", "v1.5 notes"},
		{"a.md", "---\ntitle: Matter\n---\n# One\n", "Matter"},
		{"a.txt", "This is a sentence.\n", "a"},
	}
	for _, tt := range tests {
		if d := NewTextDocument(tt.path, tt.text); d.Title != tt.want {
			t.Errorf("%s %.40q: got %q, want %q", tt.path, tt.text, d.Title, tt.want)
		}
	}
}

func TestMIME(t *testing.T) {
	for path, want := range map[string]string{
		"a.md": "text/markdown", "a.MARKDOWN": "text/markdown", "a.txt": "text/plain", "a": "text/plain", "a.csv": "text/csv", "text/12ab": "text/plain",
	} {
		if d := NewTextDocument(path, "x"); d.MIME != want {
			t.Errorf("%s: got %s, want %s", path, d.MIME, want)
		}
	}
}

func TestTextHash(t *testing.T) {
	same := []string{"a\nb", "a\r\nb\r\n", "\uFEFFa\rb", " \n a\nb\n\n"}
	first := NewTextDocument("x", same[0])
	for _, s := range same {
		if d := NewTextDocument("y", s); d.TextHash() != first.TextHash() {
			t.Errorf("%q has another hash than %q", s, same[0])
		}
	}
	for _, s := range []string{"a b", "a\n\nb", "A\nb"} {
		if d := NewTextDocument("x", s); d.TextHash() == first.TextHash() {
			t.Errorf("%q has the same hash as %q", s, same[0])
		}
	}
}

func TestNewRepairsText(t *testing.T) {
	if d := NewTextDocument("a.md", "a\xffb"); d.Text != "a\uFFFDb" || d.Size != 3 {
		t.Errorf("got %q, %d bytes", d.Text, d.Size)
	}
}

// An article in XML is prose; XML of no known schema is data.
func TestIsProse(t *testing.T) {
	for _, test := range []struct {
		d       Document
		isProse bool
	}{
		{Document{Path: "article.xml", TextMIME: "text/markdown"}, true},
		{Document{Path: "data.xml", TextMIME: "text/xml"}, false},
		{Document{Path: "data.json", TextMIME: "text/plain"}, false},
		{Document{Path: "article.xml", TextMIME: "text/markdown", IsGenerated: true}, false},
		{Document{Path: "notes.txt", TextMIME: "text/plain"}, true},
	} {
		if test.d.IsProse() != test.isProse {
			t.Errorf("%s (%s) is prose: %v", test.d.Path, test.d.TextMIME, !test.isProse)
		}
	}
}
