// Package extracttest helps to test readers: it checks that they fulfil the contract of an
// extract.Reader, and builds files for them.
package extracttest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"vademecum/docs/extract"
)

// Tar returns a tar file. The arguments are alternately a name and a content.
func Tar(t testing.TB, namesAndContents ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(namesAndContents); i += 2 {
		name, content := namesAndContents[i], namesAndContents[i+1]
		if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(content)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Zip returns a zip file. The arguments are alternately a name and a content.
func Zip(t testing.TB, namesAndContents ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(namesAndContents); i += 2 {
		w, err := z.Create(namesAndContents[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, namesAndContents[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// WantSkip fails the test unless err is an *extract.SkipError with that reason.
func WantSkip(t *testing.T, err error, reason string) {
	t.Helper()
	var s *extract.SkipError
	if !errors.As(err, &s) || s.Error() != reason {
		t.Errorf("error %v, want %q", err, reason)
	}
}

// CheckContent fails the test unless the result of a reader fulfils the contract of an
// extract.Reader.
func CheckContent(t testing.TB, c extract.Content, err error) {
	t.Helper()
	if err != nil {
		if !errors.As(err, new(*extract.SkipError)) {
			t.Fatalf("the error is %T: %v", err, err)
		}
		return
	}
	if !utf8.ValidString(c.Text) {
		t.Error("the text is not UTF-8")
	}
	if !utf8.ValidString(c.Title) || strings.Contains(c.Title, "\n") {
		t.Errorf("the title is %q", c.Title)
	}
	last := 0
	for _, p := range c.Parts {
		if p.StartByte < last || p.StartByte >= len(c.Text) || p.StartByte > 0 && c.Text[p.StartByte-1] != '\n' {
			t.Fatalf("part %+v after %d in %q", p, last, c.Text)
		}
		last = p.StartByte
	}
}
