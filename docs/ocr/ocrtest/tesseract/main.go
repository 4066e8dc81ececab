// Program tesseract is a fake tesseract for tests. Its behaviour depends on the name by which it is
// run.
package main

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vademecum/docs/ocr/ocrtest"
)

func main() {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	os.Exit(fakes[name].answer(os.Args[1:]))
}

// fake defines how the program behaves.
type fake struct {
	version   string
	languages string
	stderr    string
	code      int                                    // exit code for a non-empty page
	table     func(picture uint32, in string) string // output for a picture in given languages
	script    string                                 // script detected on every page
	always    bool                                   // whether an empty page is treated the same
	kills     int                                    // how many pictures it is killed on at first
}

// good reads two words on each page: one at GoodWord, and to the right of it one that identifies
// the picture.
func good(picture uint32, _ string) string {
	return ocrtest.TSVHeader + fmt.Sprintf("5\t1\t1\t1\t1\t1\t100\t200\t400\t60\t96.5\tMetoprolol\n5\t1\t1\t1\t1\t2\t520\t200\t600\t60\t95.5\t%s\n", nameOf(picture))
}

func unsure(picture uint32, _ string) string {
	return ocrtest.TSVHeader + fmt.Sprintf("5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t70\t%s\n", nameOf(picture))
}

// german reads the same text on each page, with umlauts if German is selected.
func german(_ uint32, in string) string {
	if strings.Contains(in, "deu") {
		return line("95", "Die Übung für das Gehör ist nicht mit der Höhe verbunden")
	}
	return line("88", "Die Ubung fur das Gehor ist nicht mit der Hohe verbunden")
}

// russian reads the same text on each page, and nonsense unless Russian is selected.
func russian(_ uint32, in string) string {
	if strings.Contains(in, "rus") {
		return line("93", "Это не относится к работе на другом языке")
	}
	return line("45", "Sto He OTHOCHTC")
}

// line returns the table for a page with one line.
func line(confidence, text string) string {
	var table strings.Builder
	table.WriteString(ocrtest.TSVHeader)
	for i, word := range strings.Fields(text) {
		fmt.Fprintf(&table, "5\t1\t1\t1\t1\t%d\t%d\t200\t90\t60\t%s\t%s\n", i+1, 100*i, confidence, word)
	}
	return table.String()
}

func nameOf(picture uint32) string { return fmt.Sprintf("picture%08x", picture) }

const (
	many  = "osd\nchi_sim\nchi_tra\ndeu\neng\nfra\njpn\nrus\n"
	latin = "Latin"
)

var fakes = map[string]fake{
	ocrtest.Working:              {version: "tesseract 5.3.0", languages: "osd\neng\nchi_sim\ndeu\n", table: good},
	ocrtest.WindowsVersion:       {version: "tesseract v5.4.0.20240606", languages: "eng\r\nosd\r\n", table: good},
	ocrtest.GermanOnly:           {version: "tesseract 4.1.1", languages: "deu\nosd\n", table: good},
	ocrtest.LowConfidence:        {version: "tesseract 5.3.0", languages: "eng\n", table: unsure},
	ocrtest.OldVersion:           {version: "tesseract 3.05.02", languages: "eng\n", table: good},
	ocrtest.OtherProgram:         {version: "GNU coreutils 9.1", languages: "eng\n", table: good},
	ocrtest.NoLanguages:          {version: "tesseract 5.3.0", languages: "osd\n", table: good},
	ocrtest.Crashing:             {version: "tesseract 5.3.0", languages: "eng\n", stderr: "Segmentation\x1b[31m fault\nmore", code: 139, table: good},
	ocrtest.AlwaysFailing:        {version: "tesseract 5.3.0", languages: "eng\n", stderr: "no traineddata", code: 1, table: good, always: true},
	ocrtest.InvalidOutput:        {version: "tesseract 5.3.0", languages: "eng\n", table: func(uint32, string) string { return "\x00\xff<html>" }},
	ocrtest.EndlessOutput:        {version: "tesseract 5.3.0", languages: "eng\n", table: func(uint32, string) string { return ocrtest.TSVHeader + strings.Repeat("5\t1\t1\n", 6<<20) }},
	ocrtest.ManyLanguagesGerman:  {version: "tesseract 5.3.0", languages: many, table: german, script: latin},
	ocrtest.ManyLanguagesRussian: {version: "tesseract 5.3.0", languages: many, table: russian, script: "Cyrillic"},
	ocrtest.KillOnce:             {version: "tesseract 5.3.0", languages: "eng\n", table: good, kills: 1},
	ocrtest.AlwaysKilled:         {version: "tesseract 5.3.0", languages: "eng\n", table: good, kills: math.MaxInt},
	ocrtest.Hanging:              {version: "tesseract 5.3.0", languages: "eng\n", table: hang},
}

// codeKilled is the exit code of a shell whose program was killed. It is used because not all
// systems have signals.
const codeKilled = 128 + 9

// hang prints its process ID and does not end. It sleeps, as the runtime ends a program whose only
// goroutine blocks for ever.
func hang(uint32, string) string {
	fmt.Println(os.Getpid())
	for {
		time.Sleep(time.Hour)
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
		fmt.Print(ocrtest.TSVHeader)
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
	if list, err := os.ReadFile(os.Args[0] + ".log"); err != nil || bytes.Count(list, []byte("\n")) <= f.kills {
		return codeKilled
	}
	fmt.Fprintln(os.Stderr, f.stderr)
	fmt.Print(f.table(picture, in))
	return f.code
}

// note appends an entry to a list beside the program.
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
