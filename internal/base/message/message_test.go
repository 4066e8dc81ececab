package message

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"testing"

	"golang.org/x/text/feature/plural"
)

func TestNew(t *testing.T) {
	inner := New("damaged mail")
	for _, c := range []struct {
		message          Message
		english, chinese string
	}{
		{"", "", ""},
		{"plain", "plain", "plain"},
		{New("empty"), "empty", "空文件"},
		{New("100 %"), "100 %", "100 %"},
		{New("%d documents", 1), "1 document", "1 篇文档"},
		{New("%d documents", 2), "2 documents", "2 篇文档"},
		{New("%d things", 2), "2 things", "2 things"},
		{New("only pages 1 to %d of %d: %v", 3, 9, inner), "only pages 1 to 3 of 9: damaged mail", "共 9 页，只读取了第 1–3 页：已损坏的邮件"},
		{New("%s is not indexed: %v", "a; empty", inner), "a; empty is not indexed: damaged mail", "a; empty 未索引：已损坏的邮件"},
		{New("cannot be read: %v", fs.ErrPermission), "cannot be read: permission denied", "无法读取：没有权限"},
		{New("%s cannot be read: %v", "x\x1ey", Message("why")), "x\uFFFDy cannot be read: why", "无法读取 x\uFFFDy：why"},
		{Join("", inner, "", New("empty"), "plain"), "damaged mail; empty; plain", "已损坏的邮件；空文件；plain"},
		{Join(), "", ""},
		{inner.WithCode("mail"), "damaged mail", "已损坏的邮件"},
		{Message("plain").WithCode("p"), "plain", "plain"},
	} {
		if e, z, other := c.message.InLanguage(English), c.message.InLanguage(Chinese), c.message.InLanguage("fr"); e != c.english || z != c.chinese || other != e {
			t.Errorf("%q, %q and %q, want %q and %q", e, z, other, c.english, c.chinese)
		}
		var text string
		if blob, err := json.Marshal(c.message); err != nil || json.Unmarshal(blob, &text) != nil || text != c.english || fmt.Sprint(c.message) != c.english {
			t.Errorf("%q: in JSON %s (%v), printed %v", c.english, blob, err, c.message)
		}
		if again := Message(string(c.message)); again != c.message {
			t.Errorf("%q is stored as %q", c.message, again)
		}
	}
}

func TestCode(t *testing.T) {
	m := New("cannot be read: %v", fs.ErrPermission)
	if code := m.WithCode("unread").Code(); code != "unread" {
		t.Errorf("the code is %q", code)
	}
	for _, without := range []Message{"", "plain", m, Join(m.WithCode("unread"), m)} {
		if code := without.Code(); code != "" {
			t.Errorf("%q has the code %q", without, code)
		}
	}
}

// TestOldIndex: what an index of version 20 or before holds, English and Chinese, is read.
func TestOldIndex(t *testing.T) {
	m := Message("empty\x1e空文件\x1eno text")
	if m.InLanguage(English) != "empty" || m.InLanguage(Chinese) != "空文件" || m.Code() != "no text" {
		t.Errorf("%q, %q, %q", m.InLanguage(English), m.InLanguage(Chinese), m.Code())
	}
	if m = m.WithCode("other"); m.Code() != "other" || m.InLanguage(Chinese) != "空文件" {
		t.Errorf("%q", m)
	}
}

func TestMap(t *testing.T) {
	mark := func(text string) string { return "<" + text + ">" }
	m := New("cannot be read: %v", New("%s is not indexed: %v", "a.md", errors.New("why"))).WithCode("one").MapForeignTexts(mark)
	if m.InLanguage(English) != "cannot be read: <a.md> is not indexed: <why>" || m.InLanguage(Chinese) != "无法读取：<a.md> 未索引：<why>" || m.Code() != "one" {
		t.Errorf("%q", m)
	}
	if m := Message("a text").MapForeignTexts(mark); m != "<a text>" {
		t.Errorf("%q", m)
	}
}

// FuzzDecode: whatever an index holds is a text in each language, and a record is read as it
// was written.
func FuzzDecode(f *testing.F) {
	f.Add(string(New("%s: %v", "a", New("%d documents", 1)).WithCode("c")))
	f.Add("\x1e0:99:x")
	f.Add("a\x1eb\x1ec")
	f.Fuzz(func(t *testing.T, text string) {
		m := Message(text)
		_, _, _ = m.InLanguage(English), m.InLanguage(Chinese), m.Code()
		if r, kind := m.decode(); kind == isRecord {
			if again, _ := r.encode().decode(); again.format != r.format || len(again.args) != len(r.args) {
				t.Errorf("%q is read again as %q", r, again)
			}
		}
	})
}

func TestErrors(t *testing.T) {
	_, missing := os.ReadFile(t.TempDir() + "/none")
	told := Errorf("the index cannot be used yet: %v", missing)
	if !errors.Is(told, fs.ErrNotExist) {
		t.Errorf("%v does not wrap its cause", told)
	}
	for _, c := range []struct {
		err              error
		english, chinese string
	}{
		{nil, "", ""},
		{errors.New("as it is"), "as it is", "as it is"},
		{missing, missing.Error(), "open " + missing.(*fs.PathError).Path + ": 没有这样的文件或文件夹"},
		{told, told.Error(), "索引暂时无法使用：open " + missing.(*fs.PathError).Path + ": 没有这样的文件或文件夹"},
		{fmt.Errorf("read a.md: %w", NewError(New("empty"))), "read a.md: empty", "read a.md: 空文件"},
	} {
		if m := FromError(c.err); m.InLanguage(English) != c.english || m.InLanguage(Chinese) != c.chinese {
			t.Errorf("%v is %q and %q, want %q and %q", c.err, m.InLanguage(English), m.InLanguage(Chinese), c.english, c.chinese)
		}
	}
}

func TestLanguageOf(t *testing.T) {
	for locale, want := range map[string]Language{"": English, "C": English, "en_GB.UTF-8": English, "zh_CN.UTF-8": Chinese, "zh-Hans": Chinese, "ZH": Chinese, "fr": English} {
		if got := LanguageOf(locale); got != want {
			t.Errorf("%q is %q, want %q", locale, got, want)
		}
	}
}

// TestThirdLanguage: another language is a row and its entries, with plurals of its own; what
// it lacks is English.
func TestThirdLanguage(t *testing.T) {
	counted := func() plurals {
		return plurals{
			"%d documents": plural.Selectf(1, "%d", "=1", "%d dokument", plural.Few, "%d dokumenty", plural.Many, "%d dokumentów", plural.Other, "%d dokumentu"),
			"%d files":     plural.Selectf(1, "%d", "=1", "%d plik", plural.Few, "%d pliki", plural.Many, "%d plików", plural.Other, "%d pliku"),
		}
	}
	polish := func() []entries {
		return []entries{{
			"empty":                        "pusty",
			"password needed":              "potrzebne hasło",
			"contains no text":             "nie zawiera tekstu",
			"damaged zip":                  "uszkodzony zip",
			"permission denied":            "brak uprawnień",
			"cannot be read: %v":           "nie można odczytać: %v",
			"%s is not indexed: %v":        "nie zindeksowano %s: %v",
			"only pages 1 to %d of %d: %v": "z %[2]d stron tylko 1–%[1]d: %[3]v",
		}}
	}
	before := languages
	defer func() { languages = before }()
	languages = append(slices.Clone(languages), newLanguage("pl", "pl", "polski", counted, polish))
	for want, m := range map[string]Message{
		"1 dokument":                             New("%d documents", 1),
		"3 dokumenty":                            New("%d documents", 3),
		"5 dokumentów":                           New("%d documents", 5),
		"2 pliki":                                New("%d files", 2),
		"nie zindeksowano a.zip: uszkodzony zip": New("%s is not indexed: %v", "a.zip", New("damaged zip")),
		"nie można odczytać: brak uprawnień":     New("cannot be read: %v", fs.ErrPermission),
		"z 9 stron tylko 1–3: pusty":             New("only pages 1 to %d of %d: %v", 3, 9, New("empty")),
		"damaged mail":                           New("damaged mail"),
	} {
		if got := m.InLanguage(LanguageOf("pl_PL.UTF-8")); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if Language("pl").Name() != "polski" || Language("pl").Tag() != "pl" || len(Languages()) != len(before)+1 {
		t.Error("it is not among the languages")
	}
}

// BenchmarkIn shows what a text costs in each language, beside fmt.Sprintf.
func BenchmarkIn(b *testing.B) {
	m := New("%s is not indexed: %v", "a.zip", New("damaged zip"))
	b.Run("Sprintf", func(b *testing.B) {
		for b.Loop() {
			_ = fmt.Sprintf("%s is not indexed: %v", "a.zip", "damaged zip")
		}
	})
	for _, l := range []Language{English, Chinese} {
		b.Run(string(l), func(b *testing.B) {
			for b.Loop() {
				_ = m.InLanguage(l)
			}
		})
	}
}
