package ocr

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/docs/ocr/ocrtest"
	"vademecum/internal/base/external"
)

func picture(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 600, 400))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRecognise(t *testing.T) {
	for name, languages := range map[string]string{ocrtest.Working: "eng+chi_sim+deu", ocrtest.WindowsVersion: "eng", ocrtest.GermanOnly: "deu"} {
		r := New(Options{Program: ocrtest.Program(t, name), PagesDir: t.TempDir()})
		page, err := r.Recognise(t.Context(), picture(t), "")
		if err != nil || !strings.HasPrefix(page.Text, "Metoprolol picture") || page.ConfidencePercent != 96 || page.NoTextReason != "" {
			t.Errorf("%s reads %+v, %v", name, page, err)
		}
		if got := r.Languages(); got != languages {
			t.Errorf("%s reads %s, want %s", name, got, languages)
		}
	}
}

// TestChoose: languages are those that people installed on purpose, as far as these are few.
func TestChoose(t *testing.T) {
	for _, test := range []struct{ installed, first, others string }{
		{"eng osd snum", "eng", ""}, {"deu eng osd", "eng+deu", ""}, {"chi_sim deu eng fra equ", "eng+chi_sim", "deu fra"},
		{"afr deu fra ita osd", "afr+deu+fra", "ita"},
	} {
		got, err := choose("", strings.Fields(test.installed))
		if got.first != test.first || strings.Join(got.others, " ") != test.others || err != nil {
			t.Errorf("of %s it takes %+v, %v, want %s and %s", test.installed, got, err, test.first, test.others)
		}
	}
}

// TestProgramThatCannotBeUsed: one line says why.
func TestProgramThatCannotBeUsed(t *testing.T) {
	for _, test := range []struct{ name, languages, reason string }{
		{ocrtest.OldVersion, "", "tesseract 3.05.02 is too old: version 4 or later is needed"},
		{ocrtest.OtherProgram, "", "is not tesseract: it reports no version"},
		{ocrtest.NoLanguages, "", "tesseract has no language installed"},
		{ocrtest.Working, "eng+fra", "the language fra of tesseract is not installed; installed are: osd, eng, chi_sim, deu"},
		{ocrtest.AlwaysFailing, "", "tesseract failed (exit status 1): no traineddata"},
	} {
		r := New(Options{Program: ocrtest.Program(t, test.name), Languages: test.languages, PagesDir: t.TempDir()})
		_, err := r.Recognise(t.Context(), picture(t), "")
		if err == nil || !strings.Contains(err.Error(), test.reason) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", test.name, err, test.reason)
		}
	}
}

func TestNoProgram(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if external.FindProgram("tesseract") == "" {
		if err := New(Options{Program: AutoProgram}).Open(t.Context()); !errors.Is(err, ErrNotInstalled) {
			t.Errorf("none is there: %v", err)
		}
	}
	if err := New(Options{Program: "no-such-program"}).Open(t.Context()); err == nil || errors.Is(err, ErrNotInstalled) {
		t.Errorf("the one that is named is not there: %v", err)
	}
}

// TestPageThatFails: the program fails of one page, and works: there is no text of that.
func TestPageThatFails(t *testing.T) {
	for name, reason := range map[string]string{
		ocrtest.Crashing:      "tesseract failed (exit status 139): Segmentation",
		ocrtest.InvalidOutput: "tesseract returned no word table",
		ocrtest.EndlessOutput: "it writes more than 16 MB",
	} {
		page, err := New(Options{Program: ocrtest.Program(t, name), PagesDir: t.TempDir()}).Recognise(t.Context(), picture(t), "")
		if err != nil || page.Text != "" || !strings.Contains(page.NoTextReason.String(), reason) {
			t.Errorf("%s: %+v, %v, want %s", name, page, err, reason)
		}
	}
}

// TestKilled: a page of which the program is killed is tried again, and is none that has no text.
func TestKilled(t *testing.T) {
	once, always := ocrtest.Program(t, ocrtest.KillOnce), ocrtest.Program(t, ocrtest.AlwaysKilled)
	page, err := New(Options{Program: once, PagesDir: t.TempDir()}).Recognise(t.Context(), picture(t), "")
	if err != nil || page.Text == "" || len(ocrtest.Read(t, once)) != 2 {
		t.Errorf("killed once: %+v, %v, after %d runs", page, err, len(ocrtest.Read(t, once)))
	}
	if _, err := New(Options{Program: always, PagesDir: t.TempDir()}).Recognise(t.Context(), picture(t), ""); !IsTransient(err) || !strings.Contains(err.Error(), "tesseract was killed") {
		t.Errorf("killed each time: %v", err)
	}
}

func TestHang(t *testing.T) {
	p, err := open(t.Context(), Options{Program: ocrtest.Program(t, ocrtest.Hanging)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.table(t.Context(), picture(t), p.languages.first, 1); !errors.Is(err, ErrTooLittleCPU) { // it waits
		t.Errorf("it says %v", err)
	}
}

// TestSaved: what was recognised is known to the next process, also behind a line that was
// cut, by its languages.
func TestSaved(t *testing.T) {
	dir, program, file := t.TempDir(), ocrtest.Program(t, ocrtest.Working), [32]byte{1}
	opened := func(languages string) *Recogniser {
		r := New(Options{Program: program, Languages: languages, PagesDir: dir})
		if r.StoredPages(t.Context(), file) != nil {
			t.Error("pages are known before it is known in which languages")
		}
		if err := r.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := opened("")
	one, two := Page{Text: "one\n", ConfidencePercent: 90}, Page{ConfidencePercent: 12, NoTextReason: "unsure"}
	if err := r.Save(t.Context(), file, 1, one); err != nil {
		t.Fatal(err)
	}
	cut, err := os.OpenFile(directory(dir).fileOf(file, r.program.Load().languages.key()), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = cut.WriteString(`{"page":7,"te`)
	if err := errors.Join(err, cut.Close(), r.Save(t.Context(), file, 2, two)); err != nil {
		t.Fatal(err)
	}
	if got := opened("").StoredPages(t.Context(), file); len(got) != 2 || got[1] != one || got[2] != two {
		t.Errorf("there are %v", got)
	}
	if got := opened("deu").StoredPages(t.Context(), file); len(got) != 0 {
		t.Errorf("in another language there are %v", got)
	}
}

// TestDirectory holds the directory to what stores of pages promise.
func TestDirectory(t *testing.T) {
	dir := directory(filepath.Join(t.TempDir(), "pages"))
	ocrtest.CheckStore(t, func() ocrtest.Store { return dir })
}

// TestShared: machines know what others that share their pages have recognised, also before they did.
func TestShared(t *testing.T) {
	program, file, shared := ocrtest.Program(t, ocrtest.Working), [32]byte{1}, directory(t.TempDir())
	opened := func(dir string) *Recogniser {
		r := New(Options{Program: program, PagesDir: dir})
		if err := r.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		return r
	}
	save := func(r *Recogniser, number int, text string) {
		t.Helper()
		if err := r.Save(t.Context(), file, number, Page{Text: text, Languages: "eng"}); err != nil {
			t.Fatal(err)
		}
	}
	own := t.TempDir()
	before := opened(own)
	save(before, 1, "before")
	first, second := opened(own), opened(t.TempDir())
	first.SetSharedStore(shared)
	second.SetSharedStore(shared)
	save(first, 2, "after")
	if got := second.StoredPages(t.Context(), file); len(got) != 1 || got[2].Text != "after" {
		t.Errorf("the other machine knows %v", got)
	}
	if got := first.StoredPages(t.Context(), file); len(got) != 2 {
		t.Errorf("the machine itself knows %v", got)
	}
	if got := second.StoredPages(t.Context(), file); len(got) != 2 || got[1].Text != "before" || got[1].Languages != "eng" {
		t.Errorf("the other machine knows %v of what was recognised before", got)
	}
	first.SetSharedStore(brokenStore{})
	if got := first.StoredPages(t.Context(), file); len(got) != 2 {
		t.Errorf("where others cannot be asked, the machine knows %v", got)
	}
	if err := first.Save(t.Context(), file, 3, Page{}); !errors.Is(err, errBroken) {
		t.Errorf("a page that is not shared: %v", err)
	}
}

var errBroken = errors.New("broken")

type brokenStore struct{}

func (brokenStore) RecognisedPages(context.Context, [32]byte, string) (map[int][]byte, error) {
	return nil, errBroken
}

func (brokenStore) SaveRecognised(context.Context, [32]byte, string, int, []byte) error {
	return errBroken
}
