package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestResolve(t *testing.T) {
	const text = "one\ntwo\n三三\n\nfive\n"
	tests := []struct {
		fragment, want string
		lines          [2]int
	}{
		{"line=0,1", "one", [2]int{1, 1}},
		{"line=1,3", "two\n三三", [2]int{2, 3}},
		{"line=3,4", "", [2]int{4, 4}},
		{"line=2,", "三三\n\nfive", [2]int{3, 5}},
		{"line=,2", "one\ntwo", [2]int{1, 2}},
		{"line=4,99999999999999999999999", "five", [2]int{5, 5}},
		{"line=9,12", "", [2]int{6, 6}},
		{"line=1", "", [2]int{2, 2}},
		{"line=0,1;length=20,UTF-8", "one", [2]int{1, 1}},
		{"line=0,1;md5=d41d8cd98f00b204e9800998ecf8427e", "one", [2]int{1, 1}},
		{"L1", "one", [2]int{1, 1}},
		{"L2-3", "two\n三三", [2]int{2, 3}},
		{"L2-L3", "two\n三三", [2]int{2, 3}},
		{"L4", "", [2]int{4, 4}},
		{"L5-99999999999999999999999", "five", [2]int{5, 5}},
		{"L9-12", "", [2]int{6, 6}},
		{"char=0,3", "one", [2]int{1, 1}},
		{"char=7,9", "\n三", [2]int{2, 3}},
		{"char=8,9", "三", [2]int{3, 3}},
		{"char=12,", "five\n", [2]int{5, 5}},
		{"char=,4", "one\n", [2]int{1, 1}},
		{"char=3", "", [2]int{1, 1}},
		{"char=16,99", "\n", [2]int{5, 5}},
	}
	for _, tt := range tests {
		s, err := resolveFragment(text, tt.fragment)
		if err != nil {
			t.Errorf("%s: %v", tt.fragment, err)
			continue
		}
		if got := text[s.StartByte:s.EndByte]; got != tt.want || s.StartLine != tt.lines[0] || s.EndLine != tt.lines[1] {
			t.Errorf("%s: got %q, lines %d to %d, want %q, lines %v", tt.fragment, got, s.StartLine, s.EndLine, tt.want, tt.lines)
		}
	}
}

func TestResolveRejects(t *testing.T) {
	for _, fragment := range []string{
		"", "line", "line=", "line=,", "line=a,b", "line=-1,2", "line=3,1", "page=3", "line=1,2,3", "line= 1,2", "LINE=1,2", "L", "L0", "L-3", "L3-", "L3-2", "Lx", "l3", "L 3", "L1,2",
		"char=\n\x1b[31m", strings.Repeat("x", 1000),
	} {
		_, err := resolveFragment("text", fragment)
		if err == nil {
			t.Errorf("%q: no error", fragment)
			continue
		}
		if strings.ContainsAny(err.Error(), "\n\x1b") || len(err.Error()) > 400 || !strings.Contains(err.Error(), "L12-40") {
			t.Errorf("%q: error is %q", fragment, err)
		}
	}
}

func TestFragment(t *testing.T) {
	const text = "one\ntwo\n三\n\nfive"
	tests := []struct {
		start, end int
		want       string
	}{
		{0, 3, "L1"},
		{0, len(text), "L1-5"},
		{4, 11, "L2-3"},
		{0, 12, "L1-4"}, // up to the end of the empty line
		{12, 12, "L4"},
		{0, 4, "char=0,4"},
		{1, 3, "char=1,3"},
		{8, 12, "L3-4"},
		{13, 15, "char=11,13"},
		{3, 3, "char=3,3"},
	}
	for _, tt := range tests {
		s := Span{StartByte: tt.start, EndByte: tt.end}
		got := s.fragment(text)
		if got != tt.want {
			t.Errorf("[%d,%d): got %s, want %s", tt.start, tt.end, got, tt.want)
		}
		back, err := resolveFragment(text, got)
		if err != nil || back.StartByte != tt.start || back.EndByte != tt.end {
			t.Errorf("[%d,%d): %s resolves to %+v, %v", tt.start, tt.end, got, back, err)
		}
	}
}

func TestLineSpan(t *testing.T) {
	const text = "one\ntwo\n三\nfour\n"
	tests := []struct {
		start, end int
		want       string
		lines      [2]int
	}{
		{1, 1, "one", [2]int{1, 1}},
		{2, 3, "two\n三", [2]int{2, 3}},
		{3, 0, "三\nfour", [2]int{3, 4}},
		{0, 0, "one\ntwo\n三\nfour", [2]int{1, 4}},
		{4, 4, "four", [2]int{4, 4}},
		{-5, 1, "one", [2]int{1, 1}},
		{4, 1 << 40, "four", [2]int{4, 4}},
	}
	for _, tt := range tests {
		s, err := LineSpan(text, tt.start, tt.end)
		if err != nil {
			t.Errorf("%d to %d: %v", tt.start, tt.end, err)
			continue
		}
		if got := text[s.StartByte:s.EndByte]; got != tt.want || s.StartLine != tt.lines[0] || s.EndLine != tt.lines[1] {
			t.Errorf("%d to %d: got %q, %+v", tt.start, tt.end, got, s)
		}
	}
	for _, bad := range [][2]int{{5, 0}, {5, 9}, {3, 2}, {1 << 40, 0}} {
		if s, err := LineSpan(text, bad[0], bad[1]); err == nil {
			t.Errorf("%v: got %+v, want an error", bad, s)
		}
	}
	if _, err := LineSpan(text, 5, 0); err == nil || err.Error() != "line 5: the text has 4 lines" {
		t.Errorf("error is %v", err)
	}
}

func FuzzResolve(f *testing.F) {
	for _, s := range []string{"L1", "line=1,", "char=,2", "char=3", "L2;length=9", "page=3", "L10-1"} {
		f.Add("one\n二\n\nx\n", s, 1, 5)
	}
	f.Fuzz(func(t *testing.T, text, fragment string, start, end int) {
		text = strings.ToValidUTF8(text, "?")
		if s, err := resolveFragment(text, fragment); err == nil {
			checkSpan(t, text, s)
		} else if strings.ContainsAny(err.Error(), "\r\n\x1b") {
			t.Errorf("error is %q", err)
		}
		if s, err := LineSpan(text, start, end); err == nil {
			checkSpan(t, text, s)
		}
		if 0 <= start && start <= end && end <= len(text) && isPosition(text, start) && isPosition(text, end) {
			checkSpan(t, text, SpanOf(text, start, end))
		}
	})
}

// checkSpan verifies that s lies in text and that its fragment reads it back.
func checkSpan(t *testing.T, text string, s Span) {
	t.Helper()
	if s.StartByte < 0 || s.StartByte > s.EndByte || s.EndByte > len(text) || s.StartLine < 1 || s.StartLine > s.EndLine {
		t.Fatalf("%q: bad span %+v", text, s)
	}
	if !isPosition(text, s.StartByte) || !isPosition(text, s.EndByte) {
		t.Fatalf("%q: %+v splits a character", text, s)
	}
	fragment := s.fragment(text)
	got, err := resolveFragment(text, fragment)
	if err != nil || got.StartByte != s.StartByte || got.EndByte != s.EndByte {
		t.Fatalf("%q: %+v has fragment %s, which is %+v, %v", text, s, fragment, got, err)
	}
}

// isPosition reports whether RFC 5147 can address the offset i of text.
func isPosition(text string, i int) bool {
	return i == len(text) || utf8.RuneStart(text[i])
}
