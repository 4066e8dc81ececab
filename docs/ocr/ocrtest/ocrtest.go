// Package ocrtest provides fake tesseract programs for tests, both working and broken ones.
package ocrtest

import (
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// WorkingWordBox is the box, in pixels, of the first word that Working reads on a page.
var WorkingWordBox = image.Rect(100, 200, 500, 260)

// TSVHeader is the header of tesseract's TSV output.
const TSVHeader = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"

// Names of the fake programs.
const (
	Working              = "tesseract-good"     // supports English, Chinese and German
	WindowsVersion       = "tesseract-windows"  // prints the version line of Windows
	GermanOnly           = "tesseract-german"   // lacks the preferred languages
	LowConfidence        = "tesseract-unsure"   // is not confident of any page
	OldVersion           = "tesseract-old"      // is version 3
	OtherProgram         = "tesseract-other"    // is another program
	NoLanguages          = "tesseract-bare"     // has no languages
	Crashing             = "tesseract-crash"    // crashes on any non-empty page
	AlwaysFailing        = "tesseract-broken"   // fails on any page
	InvalidOutput        = "tesseract-nonsense" // does not write a table
	EndlessOutput        = "tesseract-endless"  // writes more output than the limit
	ManyLanguagesGerman  = "tesseract-germans"  // has many languages; every page is German
	ManyLanguagesRussian = "tesseract-russians" // has many languages; every page is Russian
	KillOnce             = "tesseract-killonce" // is killed on the first picture
	AlwaysKilled         = "tesseract-killed"   // is killed on every picture
	Hanging              = "tesseract-hang"     // prints its process ID and never ends
)

// PrebuiltVariable is the environment variable with the path of a prebuilt fake program, for example for
// another system.
const PrebuiltVariable = "VADEMECUM_TEST_TESSERACT"

// built is the fake program. It is built separately, without the race detector: a test binary takes
// seconds to start on a slow machine, and this is started for every page.
var built = sync.OnceValues(func() ([]byte, error) {
	if file := os.Getenv(PrebuiltVariable); file != "" {
		return os.ReadFile(file)
	}
	dir, err := os.MkdirTemp("", "tesseract")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "tesseract.exe")
	build := exec.Command("go", "build", "-o", file, "vademecum/docs/ocr/ocrtest/tesseract")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the tesseract of tests: %w: %s", err, out)
	}
	return os.ReadFile(file)
})

// Program writes a fake program and returns its path.
func Program(t testing.TB, name string) string {
	t.Helper()
	content, err := built()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(t.TempDir(), name)
	syscall.ForkLock.RLock() // a process forked meanwhile would keep the file open for writing
	err = os.WriteFile(path, content, 0o700)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Read lists the pictures that a fake program has read, each by the word that Good reads on it.
func Read(t testing.TB, program string) []string { return noted(t, program+".log") }

// Languages lists the languages in which a fake program has read, one entry per picture.
func Languages(t testing.TB, program string) []string { return noted(t, program+".languages") }

func noted(t testing.TB, file string) []string {
	t.Helper()
	list, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Fields(string(list))
}
