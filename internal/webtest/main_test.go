// Package webtest tests the pages of the program in a browser, as people use them. It is a module
// of its own, so that the program does not depend on what drives the browser.
//
// Without a browser its tests are skipped, unless VADEMECUM_BROWSER is 1. VADEMECUM_PROGRAM is the
// program to test, which is built from the sources if it is not given, VADEMECUM_AXE the file
// axe.min.js of axe-core, VADEMECUM_HOSTS the folder with the bundled scripts of .ci/browser/hosts,
// and VADEMECUM_SHOTS a folder in which pictures of the pages are saved.
package webtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// browser is the browser in which tabs are opened; nil if there is none.
var browser context.Context

// program is the file of the program that is tested, cache the folder of its indexes, and samplesAt
// the URL of a server of the samples.
var program, cache, samplesAt string

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	file := findBrowser()
	if file == "" && os.Getenv("VADEMECUM_BROWSER") == "1" {
		return 0, errors.New("there is no browser: install chromium")
	}
	if file == "" {
		return m.Run(), nil
	}
	folder, err := os.MkdirTemp("", "webtest")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	cache = filepath.Join(folder, "cache")
	if err := findProgram(folder); err != nil {
		return 0, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(file), chromedp.UserDataDir(filepath.Join(folder, "profile")),
		chromedp.Flag("host-resolver-rules", "MAP "+foreignHost+" 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost"),
	)
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	first, end := chromedp.NewContext(allocator)
	defer end()
	if err := chromedp.Do(first); err != nil {
		return 0, fmt.Errorf("start %s: %w", file, err)
	}
	at, stopServer, err := start("MCP at ", "serve", "--http=127.0.0.1:0", samples)
	if err != nil {
		return 0, err
	}
	defer stopServer()
	browser, samplesAt = first, at
	return m.Run(), nil
}

// foreignHost is a host name that resolves to this machine, like that of an attacker.
const foreignHost = "evil.example.com"

func findBrowser() string {
	for _, name := range []string{"chromium", "chromium-headless-shell", "chromium-browser", "google-chrome"} {
		if file, err := exec.LookPath(name); err == nil {
			return file
		}
	}
	return ""
}

func findProgram(folder string) error {
	if program = os.Getenv("VADEMECUM_PROGRAM"); program != "" {
		return nil
	}
	program = filepath.Join(folder, "vademecum.exe")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = filepath.Join("..", "..")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return nil
}
