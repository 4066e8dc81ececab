package ocr

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestMain has this program be a tesseract where it is called by the name of a fake.
func TestMain(m *testing.M) {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if says, ok := fakes[name]; ok {
		os.Exit(says.answer(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// fake is a program that is called as tesseract.
type fake struct {
	version   string
	languages string
	table     string // of a page that is not empty
	stderr    string
	code      int  // with which it ends then
	hangs     bool // then
	always    bool // it does so of an empty page, too
}

const (
	row  = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
	good = row + "5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t96.5\tMetoprolol\n5\t1\t1\t1\t1\t2\t0\t0\t9\t9\t95.5\tevening\n"
)

var fakes = map[string]fake{
	"fake-good":     {version: "tesseract 5.3.0", languages: "osd\neng\nchi_sim\ndeu\n", table: good},
	"fake-windows":  {version: "tesseract v5.4.0.20240606", languages: "eng\r\nosd\r\n", table: good},
	"fake-german":   {version: "tesseract 4.1.1", languages: "deu\nosd\n", table: good},
	"fake-old":      {version: "tesseract 3.05.02", languages: "eng\n", table: good},
	"fake-other":    {version: "GNU coreutils 9.1", languages: "eng\n"},
	"fake-none":     {version: "tesseract 5.3.0", languages: "osd\n"},
	"fake-crash":    {version: "tesseract 5.3.0", languages: "eng\n", stderr: "Segmentation\x1b[31m fault\nmore", code: 139},
	"fake-broken":   {version: "tesseract 5.3.0", languages: "eng\n", stderr: "no traineddata", code: 1, always: true},
	"fake-nonsense": {version: "tesseract 5.3.0", languages: "eng\n", table: "\x00\xff<html>"},
	"fake-endless":  {version: "tesseract 5.3.0", languages: "eng\n", table: row + strings.Repeat("5\t1\t1\n", maxOutput/4)},
	"fake-hang":     {version: "tesseract 5.3.0", languages: "eng\n", hangs: true},
}

func (f fake) answer(args []string) int {
	switch args[0] {
	case "--version":
		fmt.Println(f.version)
		return 0
	case "--list-langs":
		fmt.Print("List of available languages (2):\n" + f.languages)
		return 0
	}
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 2
	}
	config, err := png.DecodeConfig(bytes.NewReader(input))
	if isEmpty := err == nil && config.Width == 100; isEmpty && !f.always {
		fmt.Print(row)
		return 0
	}
	if f.hangs {
		select {}
	}
	fmt.Fprintln(os.Stderr, f.stderr)
	fmt.Print(f.table)
	return f.code
}

// called returns the path of a fake.
func called(t *testing.T, name string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(t.TempDir(), name)
	if os.Link(program, path) == nil {
		return path
	}
	content, err := os.ReadFile(program)
	if err == nil {
		err = os.WriteFile(path, content, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func picture(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 600, 400))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRecognise(t *testing.T) {
	for name, languages := range map[string]string{"fake-good": "eng+chi_sim", "fake-windows": "eng", "fake-german": "deu"} {
		r := New(Options{Program: called(t, name), Dir: t.TempDir()})
		page, err := r.Recognise(t.Context(), picture(t))
		if err != nil || page != (Page{Text: "Metoprolol evening\n", Confidence: 96}) {
			t.Errorf("%s reads %+v, %v", name, page, err)
		}
		if got := r.Languages(); got != languages {
			t.Errorf("%s reads %s, want %s", name, got, languages)
		}
	}
}

// TestProgramThatCannotBeUsed: one line says why, and it is not started again to find out.
func TestProgramThatCannotBeUsed(t *testing.T) {
	for _, test := range []struct{ name, languages, reason string }{
		{"fake-old", "", "tesseract 3.05.02 is too old: version 4 or later is needed"},
		{"fake-other", "", "is not tesseract: it does not tell its version"},
		{"fake-none", "", "tesseract has no language installed"},
		{"fake-good", "eng+fra", "tesseract has not the language fra: installed are osd, eng, chi_sim, deu"},
		{"fake-broken", "", "tesseract failed (exit status 1): no traineddata"},
	} {
		r := New(Options{Program: called(t, test.name), Languages: test.languages, Dir: t.TempDir()})
		_, err := r.Recognise(t.Context(), picture(t))
		if err == nil || !strings.Contains(err.Error(), test.reason) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", test.name, err, test.reason)
		}
		if again := r.Open(t.Context()); !errors.Is(again, err) {
			t.Errorf("%s says next %v", test.name, again)
		}
	}
}

func TestNoProgram(t *testing.T) {
	if places() == nil {
		t.Setenv("PATH", t.TempDir())
		if err := New(Options{Program: Auto}).Open(t.Context()); !errors.Is(err, ErrNotFound) {
			t.Errorf("none is there: %v", err)
		}
	}
	if err := New(Options{Program: "no-such-program"}).Open(t.Context()); err == nil || errors.Is(err, ErrNotFound) {
		t.Errorf("the one that is named is not there: %v", err)
	}
}

// TestPageThatFails: the program fails of one page, and works: there is no text of that.
func TestPageThatFails(t *testing.T) {
	for name, reason := range map[string]string{
		"fake-crash":    "tesseract failed (exit status 139): Segmentation",
		"fake-nonsense": "tesseract wrote no table of words",
		"fake-endless":  "it writes more than 16 MB",
	} {
		page, err := New(Options{Program: called(t, name), Dir: t.TempDir()}).Recognise(t.Context(), picture(t))
		if err != nil || page.Text != "" || !strings.Contains(page.Why.String(), reason) {
			t.Errorf("%s: %+v, %v, want %s", name, page, err, reason)
		}
	}
}

func TestHang(t *testing.T) {
	p, err := open(t.Context(), Options{Program: called(t, "fake-hang")})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := within(t.Context(), 1)
	defer cancel()
	if _, err := p.table(ctx, picture(t)); err == nil || err.Error() != "tesseract does not come to an end" {
		t.Errorf("it says %v", err)
	}
}

// TestSaved: what was recognised is known to the next process, also behind a line that was
// cut, by its languages.
func TestSaved(t *testing.T) {
	dir, program, file := t.TempDir(), called(t, "fake-good"), [32]byte{1}
	opened := func(languages string) *Recogniser {
		r := New(Options{Program: program, Languages: languages, Dir: dir})
		if r.Known(file) != nil {
			t.Error("pages are known before it is known in which languages")
		}
		if err := r.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := opened("")
	one, two := Page{Text: "one\n", Confidence: 90}, Page{Confidence: 12, Why: "unsure"}
	if err := r.Save(file, 1, one); err != nil {
		t.Fatal(err)
	}
	cut, err := os.OpenFile(r.fileOf(r.program.Load(), file), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = cut.WriteString(`{"page":7,"te`)
	if err := errors.Join(err, cut.Close(), r.Save(file, 2, two)); err != nil {
		t.Fatal(err)
	}
	if got := opened("").Known(file); len(got) != 2 || got[1] != one || got[2] != two {
		t.Errorf("there are %v", got)
	}
	if got := opened("deu").Known(file); len(got) != 0 {
		t.Errorf("in another language there are %v", got)
	}
}
