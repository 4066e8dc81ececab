package page

import (
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"vademecum/index"
)

// TestFingerprint checks that a text is found by its fingerprint wherever it is, even if its lines
// are wrapped differently, and the nearest of several.
func TestFingerprint(t *testing.T) {
	for _, tt := range []struct{ passage, text, want string }{
		{"one two", "one two", "one two"},
		{"one two", "zero\n\n  one\n  two\nthree", "one\n  two"},
		{"食盐 5克", "每天的食盐5克，", "食盐5克"},
		{"one", "two", ""},
		{"one", "", ""},
		{"aa", "baaab", "aa"},
		{"~~late. Newt.", "~~It is late.~~ Newt.", "late.~~ Newt."},
		{"é\xff", "x é \xff y", "é \xff"},
	} {
		found, ok := fingerprintOf(tt.passage).find(tt.text, 0)
		if got := tt.text[found.From:found.To]; got != tt.want || ok != (tt.want != "") {
			t.Errorf("%q in %q: %q, %v", tt.passage, tt.text, got, ok)
		}
	}
	text := strings.Repeat("same. ", 100)
	for _, near := range []int{0, 7, 100, 303, 599, 10_000} {
		found, _ := fingerprintOf("same.").find(text, near)
		if want := min((near+2)/6, 99) * 6; found.From != want {
			t.Errorf("near %d it is at %d, want %d", near, found.From, want)
		}
	}
}

// FuzzFingerprint checks that what is found equals the text except for white space and tildes, that every part
// of a text is found, and that no link causes a panic.
func FuzzFingerprint(f *testing.F) {
	f.Add("a b\nc b\n", 2, 3, "L1~1.0000000000")
	f.Fuzz(func(t *testing.T, text string, from, to int, at string) {
		if _, known := cutFingerprint(at); known.length > 0 {
			known.find(text, from)
		}
		if from < 0 || to > len(text) || from >= to || strings.ToValidUTF8(text, "") != text || strings.ToValidUTF8(text[from:to], "") != text[from:to] {
			return
		}
		known := fingerprintOf(text[from:to])
		if known.length == 0 {
			return
		}
		if fragment, again := cutFingerprint("L1" + known.String()); again != known || fragment != "L1" {
			t.Fatalf("%v is read as %q %v", known, fragment, again)
		}
		bare := func(s string) string {
			return strings.Map(func(c rune) rune {
				if c == '~' || unicode.IsSpace(c) {
					return -1
				}
				return c
			}, s)
		}
		if found, ok := known.find(text, from); !ok || bare(text[found.From:found.To]) != bare(text[from:to]) {
			t.Fatalf("%q is found as %v", text[from:to], found)
		}
	})
}

// TestMovedPassage checks that a link to a passage works after lines are inserted above it, says so
// if the passage is gone, and that a link with line numbers only leads to these lines.
func TestMovedPassage(t *testing.T) {
	var lines strings.Builder
	for i := range 400 {
		fmt.Fprintf(&lines, "## Part %d\n\nThe animal number %d of this list eats worms in the evening, and sleeps.\n\n", i, i)
	}
	long := strings.Repeat("An axolotl that lives in a long line eats worms in the evening. ", 90)
	s := open(t, map[string]string{"zoo.md": "# Zoo\n\n" + lines.String() + "## Newt\n\nThe unicorn is fed at noon.\n\n" + lines.String(), "line.txt": long + "The zebra is fed at nine. " + long}, nil)
	linkTo := func(question, path string) string {
		found := regexp.MustCompile(`href="(/doc\?[^"]*` + regexp.QuoteMeta(path) + `[^"]*)#passage"`).FindStringSubmatch(s.get("/search?q=" + question))
		if found == nil {
			t.Fatalf("no link to %s", path)
		}
		return html.UnescapeString(found[1])
	}
	change := func(path, text string) {
		if err := os.WriteFile(filepath.Join(s.dir, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.view.Library.(*index.Index).Sync(t.Context(), index.Scope{}); err != nil {
			t.Fatal(err)
		}
	}
	cited := func(to string) string {
		var all []string
		for _, in := range regexp.MustCompile(`<(?:span|mark) class="in[^"]*">([^<]*)<`).FindAllStringSubmatch(s.get(to), -1) {
			all = append(all, in[1])
		}
		return strings.Join(all, "")
	}
	unicorn, zebra := linkTo("unicorn", "zoo.md"), linkTo("zebra", "line.txt")
	if !strings.Contains(zebra, "char%3D") {
		t.Fatalf("the passage of a long line is all of it: %s", zebra)
	}
	before, ofZebra := cited(unicorn), cited(zebra)
	old := regexp.MustCompile(`~[0-9a-f.]+`).ReplaceAllString(unicorn, "")
	if !strings.Contains(before, "unicorn") || !strings.Contains(ofZebra, "zebra") || cited(old) != before {
		t.Fatalf("cited are %q and %q, and by lines %q", before, ofZebra, cited(old))
	}
	text := "# Zoo\n\nWritten\n\nabove.\n\n" + lines.String() + "## Newt\n\nThe unicorn is   fed\nat noon.\n\n" + lines.String()
	change("zoo.md", text)
	change("line.txt", "Above.\n\n"+long+long+"The zebra is fed at nine. "+long)
	if got := cited(unicorn); strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(before), "") {
		t.Errorf("cited is %q and was %q", got, before)
	}
	if got := cited(zebra); got != ofZebra {
		t.Errorf("cited is %q and was %q", got, ofZebra)
	}
	if got := cited(old); strings.Contains(got, "unicorn") && strings.Contains(got, "noon") {
		t.Errorf("a link without the text leads to other lines than it names: %q", got)
	}
	page := s.get(unicorn)
	if line := 1 + strings.Count(text[:strings.Index(text, "unicorn")], "\n"); strings.Contains(page, "has changed since") || !regexp.MustCompile(fmt.Sprintf(`lines? [\d,]*-?%d|lines? [\d,]+-%d`, line, line+1)).MatchString(page) {
		t.Errorf("the place is not said to be about line %d:\n%.3000s", line, page)
	}
	change("zoo.md", "# Zoo\n\n"+lines.String())
	if page := s.get(unicorn); !strings.Contains(page, "has changed since this link was made") {
		t.Errorf("nothing is said of what has gone:\n%.3000s", page)
	}
	change("zoo.md", "# Zoo\n\nShort.\n")
	if page := s.get(unicorn + "&lang=zh"); !strings.Contains(page, "此链接生成之后，文档已有改动") || !strings.Contains(page, "Short.") {
		t.Errorf("nothing is said where there are no such lines:\n%.3000s", page)
	}
	if page := s.get("/doc?path=zoo.md&at=" + url.QueryEscape("L1~7fffffff.0123456789")); !strings.Contains(page, "Short.") {
		t.Error("a long fingerprint is not told from the text")
	}
}
