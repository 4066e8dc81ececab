package zipxml

import (
	"bytes"
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
	extracttest.WantSkip(t, err, extract.ErrUnpacksTooMuch.Error())

	a.remainingBytes = 3
	a.findFile("b").UncompressedSize64 = 1 // a directory that lies
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
	for i := range extract.MaxEntries + 1 {
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

func TestArchiveEncrypted(t *testing.T) {
	raw := extracttest.Zip(t, "a.txt", "secret")
	raw[bytes.Index(raw, []byte("PK\x01\x02"))+8] |= 1
	a, err := Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.ReadFile("a.txt")
	extracttest.WantSkip(t, err, extract.ErrPassword.Error())
}
