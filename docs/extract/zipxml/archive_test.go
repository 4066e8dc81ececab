package zipxml

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

func TestArchiveNames(t *testing.T) {
	raw := extracttest.Zip(t, "/Word/Document.xml", "a", `docProps\core.xml`, "b", "../../evil.txt", "c", "x.txt", "first", "X.TXT", "second")
	a, err := Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Word/Document.xml":    "a",
		"word/document.xml":    "a",
		"/word/document.xml":   "a",
		"docProps/core.xml":    "b",
		"./word/../X.TXT":      "second",
		"x.txt":                "first",
		"x.Txt":                "first",
		`docprops\..\evil.txt`: "c",
	} {
		got, err := a.ReadFile(name)
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	if _, err := a.Open("nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if !a.HasFile("x.txt") || a.HasFile("x") || !a.HasFolder("word/") || a.HasFolder("ppt/") {
		t.Error("holds or holdsFolder is wrong")
	}
}

func TestArchiveLimits(t *testing.T) {
	raw := extracttest.Zip(t, "a", "12345", "b", "67890")
	a, err := Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	a.remainingBytes = 8
	if _, err := a.ReadFile("a"); err != nil {
		t.Fatal(err)
	}
	_, err = a.ReadFile("b")
	extracttest.WantSkip(t, err, extract.ErrUnpackedTooLarge.Error())

	a.remainingBytes = 3
	a.findFile("b").UncompressedSize64 = 1 // a wrong size in the directory
	_, err = a.ReadFile("b")
	var s *extract.SkipError
	if !errors.As(err, &s) {
		t.Errorf("lying size: %v", err)
	}
}

func TestArchiveManyEntries(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute under the race detector, on one goroutine")
	}
	var files []string
	for i := range extract.MaxArchiveEntries + 1 {
		files = append(files, fmt.Sprint(i), "")
	}
	_, err := Open(extracttest.Zip(t, files...))
	extracttest.WantSkip(t, err, extract.ErrTooManyFiles.Error())
	if _, err := Open(extracttest.Zip(t, files[2:]...)); err != nil {
		t.Errorf("as many as are allowed: %v", err)
	}
}

func TestArchiveDamaged(t *testing.T) {
	raw := extracttest.Zip(t, "a.txt", strings.Repeat("some text ", 100))
	for name, raw := range map[string][]byte{
		"empty": nil, "no zip": []byte("PK\x03\x04 and no more"), "truncated": raw[:len(raw)/2],
	} {
		if _, err := Open(raw); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			extracttest.WantSkip(t, err, extract.ErrDamagedZip.Error())
		}
	}
	at := bytes.Index(raw, []byte("a.txt")) + len("a.txt") + 4
	broken := bytes.Clone(raw)
	broken[at] ^= 0xFF
	a, err := Open(broken)
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.ReadFile("a.txt")
	extracttest.WantSkip(t, err, extract.ErrDamagedZip.Error())
}

// TestArchiveCutBehindStoredArchive reads truncated zip files whose last member is an uncompressed
// zip file: the only directory that is left is that of the inner file.
func TestArchiveCutBehindStoredArchive(t *testing.T) {
	inner := extracttest.Zip(t, "a.txt", "of the inner one")
	empty := extracttest.Zip(t)
	for _, tt := range []struct {
		name, inner string
	}{{"documents", string(inner)}, {"nothing", string(empty)}} {
		raw := storedZip(t, "first.txt", "words", "inner.zip", tt.inner)
		if a, err := Open(raw); err != nil || len(a.Files) != 2 {
			t.Fatalf("whole, with %s: %v", tt.name, err)
		}
		behind := bytes.Index(raw, []byte(tt.inner)) + len(tt.inner)
		for _, more := range []int{0, 20} { // with nothing, and with a part, of the directory
			_, err := Open(raw[:behind+more])
			extracttest.WantSkip(t, err, extract.ErrDamagedZip.Error())
		}
	}
}

// TestArchiveWithDeletedEntry opens a zip file whose first entry is no longer in the directory.
func TestArchiveWithDeletedEntry(t *testing.T) {
	raw := extracttest.Zip(t, "old.txt", "old", "new.txt", "new")
	first := bytes.Index(raw, []byte("PK\x01\x02"))
	second := first + 1 + bytes.Index(raw[first+1:], []byte("PK\x01\x02"))
	end := bytes.LastIndex(raw, []byte(endSignature))
	binary.LittleEndian.PutUint16(raw[end+8:], 1)
	binary.LittleEndian.PutUint16(raw[end+10:], 1)
	binary.LittleEndian.PutUint32(raw[end+12:], uint32(end-second))
	binary.LittleEndian.PutUint32(raw[end+16:], uint32(second))
	a, err := Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := a.ReadFile("new.txt"); err != nil || string(text) != "new" || a.HasFile("old.txt") {
		t.Errorf("%q, %v", text, err)
	}
}

// storedZip returns a zip file of uncompressed files, given as alternating names and contents.
func storedZip(t *testing.T, files ...string) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: files[i], Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestArchiveEncrypted(t *testing.T) {
	raw := extracttest.Zip(t, "a.txt", "secret")
	raw[bytes.Index(raw, []byte("PK\x01\x02"))+8] |= 1
	a, err := Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.ReadFile("a.txt")
	extracttest.WantSkip(t, err, extract.ErrPasswordProtected.Error())
}
