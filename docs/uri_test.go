package docs

import (
	"path"
	"runtime"
	"strings"
	"testing"
)

func skipOnWindows(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths of Unix")
	}
}

func TestFileURI(t *testing.T) {
	skipOnWindows(t)
	tests := []struct{ path, want string }{
		{"/a/b.md", "file:///a/b.md"},
		{"/笔记/高 血压.md", "file:///%E7%AC%94%E8%AE%B0/%E9%AB%98%20%E8%A1%80%E5%8E%8B.md"},
		{"/a\nb#c?d%41", "file:///a%0Ab%23c%3Fd%2541"},
		{"/bad\xffname", "file:///bad%FFname"},
		{"/", "file:///"},
	}
	for _, tt := range tests {
		if got := FileURI(tt.path); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.path, got, tt.want)
		}
		if abs, fragment, err := ParseFileURI(tt.want + "#line=1,2"); abs != tt.path || fragment != "line=1,2" || err != nil {
			t.Errorf("%s: got %q, %q, %v", tt.want, abs, fragment, err)
		}
	}
}

// TestReadableURI: letters are as people write them, and all else stays encoded.
func TestReadableURI(t *testing.T) {
	skipOnWindows(t)
	for p, want := range map[string]string{
		"/笔记/高 血压.md": "file:///笔记/高%20血压.md", "/Žofie/naïve.md": "file:///Žofie/naïve.md", "/हिन्दी.md": "file:///हिन्दी.md",
		"/a b%41#?.md": "file:///a%20b%2541%23%3F.md", "/bad\xe9name\xe9\xab": "file:///bad%E9name%E9%AB",
		"/\u202egnp.md": "file:///%E2%80%AEgnp.md", "/a\u00a0b\u3000.md": "file:///a%C2%A0b%E3%80%80.md", "/😀.md": "file:///%F0%9F%98%80.md",
		"/caf\u00e9.md": "file:///caf\u00e9.md", "/cafe\u0301.md": "file:///cafe%CC%81.md",
	} {
		if got := ReadableURI(FileURI(p)); got != want {
			t.Errorf("%q: got %s, want %s", p, got, want)
		}
	}
	if got := ReadableURI("file:///%"); got != "file:///%" {
		t.Errorf("a percent sign alone becomes %s", got)
	}
}

// FuzzReadableURI: it leads where the URI leads.
func FuzzReadableURI(f *testing.F) {
	if runtime.GOOS == "windows" {
		f.Skip("paths of Unix")
	}
	for _, p := range []string{"笔记/a.md", "bad\xffname", "%E9%AB", "a\u0301", "😀"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		uri := FileURI(path.Clean("/" + p))
		want, _, err := ParseFileURI(uri)
		if got, _, readErr := ParseFileURI(ReadableURI(uri)); got != want || (err == nil) != (readErr == nil) {
			t.Errorf("%s leads to %q, %v, readable to %q, %v", uri, want, err, got, readErr)
		}
	})
}

func TestAppendFileURI(t *testing.T) {
	skipOnWindows(t)
	for _, dir := range []string{"/", "/a", "/笔记/b c"} {
		for _, p := range []string{"b.md", "*", "a/*", "高 血压.md", "c:d/e#f?g%41.md", "bad\xffname"} {
			want := "before " + FileURI(path.Join(dir, p))
			if got := AppendFileURI([]byte("before "), FileURI(dir), p); string(got) != want {
				t.Errorf("%q in %q: got %s, want %s", p, dir, got, want)
			}
		}
	}
}

func TestParseFileURIIsLenient(t *testing.T) {
	skipOnWindows(t)
	tests := []struct{ uri, path, fragment string }{
		{"file:///笔记/高 血压.md#line=0,1", "/笔记/高 血压.md", "line=0,1"},
		{"file:///%e7%ac%94%E8%AE%B0", "/笔记", ""},
		{"file://localhost/a", "/a", ""},
		{"FILE://LOCALHOST/a", "/a", ""},
		{"file:/a", "/a", ""},
		{"file:///a/../b/./c", "/b/c", ""},
		{"file:///what?.md#line%3D0%2C1", "/what?.md", "line=0,1"},
		{"file:///a%0Ab", "/a\nb", ""},
	}
	for _, tt := range tests {
		if abs, fragment, err := ParseFileURI(tt.uri); abs != tt.path || fragment != tt.fragment || err != nil {
			t.Errorf("%s: got %q, %q, %v", tt.uri, abs, fragment, err)
		}
	}
}

func TestParseFileURIRejects(t *testing.T) {
	skipOnWindows(t)
	for _, uri := range []string{
		"", "file:", "file://", "file://host", "file:a", "a.md", "/a.md", "http://x/a", "file://host/a", "file:///%zz", "file:///a%",
		"file:///a#%z", "file:///a\nb", "file:///a\x1b[31m", "file:///a%00", "file:///\u0085", strings.Repeat("x", 10_000),
	} {
		_, _, err := ParseFileURI(uri)
		if err == nil {
			t.Errorf("%q: no error", uri)
			continue
		}
		if msg := err.Error(); strings.ContainsAny(msg, "\n\x1b\u0085") || len(msg) > 400 {
			t.Errorf("%q: error is %q", uri, msg)
		}
	}
}
