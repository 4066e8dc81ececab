// Package ocrtest provides fake tesseract programs for tests, working and broken ones.
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

// GoodWord is the box of the first word that Good reads on a page, in pixels.
var GoodWord = image.Rect(100, 200, 500, 260)

// Heading begins the table of words that tesseract writes.
const Heading = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"

// Names of the fakes.
const (
	Good     = "tesseract-good"     // English, Chinese, German
	Windows  = "tesseract-windows"  // with the version line of Windows
	German   = "tesseract-german"   // without the languages that are preferred
	Unsure   = "tesseract-unsure"   // not confident of any page
	Old      = "tesseract-old"      // version 3
	Other    = "tesseract-other"    // another program
	Bare     = "tesseract-bare"     // without languages
	Crash    = "tesseract-crash"    // crashes on any page that is not empty
	Broken   = "tesseract-broken"   // fails on any page
	Nonsense = "tesseract-nonsense" // writes no table
	Endless  = "tesseract-endless"  // writes more than the limit
	Germans  = "tesseract-germans"  // many languages, and every page is in German
	Russians = "tesseract-russians" // many languages, and every page is in Russian
	KillOnce = "tesseract-killonce" // is killed at the first picture
	Killed   = "tesseract-killed"   // is killed at each picture
	Hang     = "tesseract-hang"     // writes its process ID, and does not end
)

// BuiltFile is the environment variable with a prebuilt program of the fakes, as for another
// system.
const BuiltFile = "VADEMECUM_TEST_TESSERACT"

// built is the program of the fakes. It is one of its own, without the race detector: the test
// binary takes seconds to start on a slow machine, and this is started for every page.
var built = sync.OnceValues(func() ([]byte, error) {
	if file := os.Getenv(BuiltFile); file != "" {
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

// Program writes a fake and returns its path.
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
	syscall.ForkLock.RLock() // a process forked meanwhile would hold the file open, and it could not be run
	err = os.WriteFile(path, content, 0o700)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Read lists the pictures that a fake has read, each by the word that Good reads on it.
func Read(t testing.TB, program string) []string { return noted(t, program+".log") }

// Languages lists the languages in which a fake has read, one picture after the other.
func Languages(t testing.TB, program string) []string { return noted(t, program+".languages") }

func noted(t testing.TB, file string) []string {
	t.Helper()
	list, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Fields(string(list))
}
