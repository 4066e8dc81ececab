// Package webtest looks at the pages of the program as people do: in a browser. It is
// a module of its own, so that nothing of what drives the browser is in the program.
//
// Without a browser its tests are skipped, unless VADEMECUM_BROWSER is 1.
// VADEMECUM_PROGRAM is the program to test, built from the sources if it is not given,
// VADEMECUM_AXE the file axe.min.js of axe-core, VADEMECUM_HOSTS the folder with the
// bundled scripts of .ci/browser/hosts, and VADEMECUM_SHOTS a folder in which pictures of
// the pages are left.
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

// browser is what tabs are opened in, nil where there is none.
var browser context.Context

// program is the file of what is tested, cache where it keeps indexes, and samplesAt
// the URL of a server of the documents that come with it.
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

// foreignHost is a name that leads to this machine as an attacker's may.
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
