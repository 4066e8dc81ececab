// Package ocrtest has the program of a test be a tesseract, good or bad, where none is
// installed.
package ocrtest

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// fake is a program that is called as tesseract.
type fake struct {
	version   string
	languages string
	stderr    string
	code      int                                    // with which it ends on a page that is not empty
	table     func(picture uint32, in string) string // what it writes of one, in some languages
	script    string                                 // that it sees on every page
	always    bool                                   // it does the same of an empty one
}

// GoodWord is where Good reads the first word of a page, in pixels.
var GoodWord = image.Rect(100, 200, 500, 260)

// Heading begins the table of words that tesseract writes.
const Heading = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"

// good reads two words on each page, of which the second says which picture it is, at the
// place GoodWord and right of it.
func good(picture uint32, _ string) string {
	return Heading + fmt.Sprintf("5\t1\t1\t1\t1\t1\t100\t200\t400\t60\t96.5\tMetoprolol\n5\t1\t1\t1\t1\t2\t520\t200\t600\t60\t95.5\t%s\n", nameOf(picture))
}

func unsure(picture uint32, _ string) string {
	return Heading + fmt.Sprintf("5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t70\t%s\n", nameOf(picture))
}

// german reads the same on each page, with umlauts where it knows them.
func german(_ uint32, in string) string {
	if strings.Contains(in, "deu") {
		return line("95", "Die Übung für das Gehör ist nicht mit der Höhe verbunden")
	}
	return line("88", "Die Ubung fur das Gehor ist nicht mit der Hohe verbunden")
}

// russian reads the same on each page, and nothing that makes sense where it knows no such letters.
func russian(_ uint32, in string) string {
	if strings.Contains(in, "rus") {
		return line("93", "Это не относится к работе на другом языке")
	}
	return line("45", "Sto He OTHOCHTC")
}

// line is the table of a page with one line.
func line(confidence, text string) string {
	var table strings.Builder
	table.WriteString(Heading)
	for i, word := range strings.Fields(text) {
		fmt.Fprintf(&table, "5\t1\t1\t1\t1\t%d\t%d\t200\t90\t60\t%s\t%s\n", i+1, 100*i, confidence, word)
	}
	return table.String()
}

func nameOf(picture uint32) string { return fmt.Sprintf("picture%08x", picture) }

// Fakes, by their names.
const (
	Good     = "tesseract-good"     // English, Chinese, German
	Windows  = "tesseract-windows"  // as it tells its version there
	German   = "tesseract-german"   // without the languages that are preferred
	Unsure   = "tesseract-unsure"   // of every page
	Old      = "tesseract-old"      // version 3
	Other    = "tesseract-other"    // another program
	Bare     = "tesseract-bare"     // without languages
	Crash    = "tesseract-crash"    // of any page that is not empty
	Broken   = "tesseract-broken"   // fails of any page
	Nonsense = "tesseract-nonsense" // writes no table
	Endless  = "tesseract-endless"  // writes more than anybody keeps
	Germans  = "tesseract-germans"  // many languages, and every page is in German
	Russians = "tesseract-russians" // many languages, and every page is in Russian
	Hang     = "tesseract-hang"     // writes the number of its process, and does not end
)

const (
	many  = "osd\nchi_sim\nchi_tra\ndeu\neng\nfra\njpn\nrus\n"
	latin = "Latin"
)

var fakes = map[string]fake{
	Good:     {version: "tesseract 5.3.0", languages: "osd\neng\nchi_sim\ndeu\n", table: good},
	Windows:  {version: "tesseract v5.4.0.20240606", languages: "eng\r\nosd\r\n", table: good},
	German:   {version: "tesseract 4.1.1", languages: "deu\nosd\n", table: good},
	Unsure:   {version: "tesseract 5.3.0", languages: "eng\n", table: unsure},
	Old:      {version: "tesseract 3.05.02", languages: "eng\n", table: good},
	Other:    {version: "GNU coreutils 9.1", languages: "eng\n", table: good},
	Bare:     {version: "tesseract 5.3.0", languages: "osd\n", table: good},
	Crash:    {version: "tesseract 5.3.0", languages: "eng\n", stderr: "Segmentation\x1b[31m fault\nmore", code: 139, table: good},
	Broken:   {version: "tesseract 5.3.0", languages: "eng\n", stderr: "no traineddata", code: 1, table: good, always: true},
	Nonsense: {version: "tesseract 5.3.0", languages: "eng\n", table: func(uint32, string) string { return "\x00\xff<html>" }},
	Endless:  {version: "tesseract 5.3.0", languages: "eng\n", table: func(uint32, string) string { return Heading + strings.Repeat("5\t1\t1\n", 6<<20) }},
	Germans:  {version: "tesseract 5.3.0", languages: many, table: german, script: latin},
	Russians: {version: "tesseract 5.3.0", languages: many, table: russian, script: "Cyrillic"},
	Hang:     {version: "tesseract 5.3.0", languages: "eng\n", table: hang},
}

// hang tells the process, and does not end. It sleeps, as a program whose only goroutine waits for
// nothing is ended as deadlocked.
func hang(uint32, string) string {
	fmt.Println(os.Getpid())
	for {
		time.Sleep(time.Hour)
	}
}

// Run must be called before anything else in the main function of tests: it does not return
// where the program was called by the name of a fake.
func Run() {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if f, ok := fakes[name]; ok {
		os.Exit(f.answer(os.Args[1:]))
	}
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
		fmt.Print(Heading)
		return 0
	}
	picture := crc32.ChecksumIEEE(input)
	in := args[slices.Index(args, "-l")+1]
	if err := note(".languages", in); err != nil {
		return 2
	}
	if in == "osd" && f.script == "" {
		fmt.Fprintln(os.Stderr, "Too few characters. Skipping this page")
		return 1
	}
	if in == "osd" {
		fmt.Printf("Page number: 0\nScript: %s\nScript confidence: 7.11\n", f.script)
		return 0
	}
	if err := note(".log", nameOf(picture)); err != nil {
		return 2
	}
	fmt.Fprintln(os.Stderr, f.stderr)
	fmt.Print(f.table(picture, in))
	return f.code
}

// note adds something to a list beside the program.
func note(ending, what string) error {
	list, err := os.OpenFile(os.Args[0]+ending, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(list, what); err != nil {
		return err
	}
	return list.Close()
}

// Program returns the path of a fake. The main function of the tests must call Run.
func Program(t testing.TB, name string) string {
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

// Read lists the pictures that a fake was given to read, each by the word that Good reads on it.
func Read(t testing.TB, program string) []string { return noted(t, program+".log") }

// Languages lists in which languages a fake was asked to read, one picture after the other.
func Languages(t testing.TB, program string) []string { return noted(t, program+".languages") }

func noted(t testing.TB, file string) []string {
	t.Helper()
	list, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Fields(string(list))
}
