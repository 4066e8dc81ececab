package webtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// look is the browser and screen of a user; the zero value is an English browser on a desktop by
// day.
type look struct {
	language string // value of Accept-Language
	agent    string // value of User-Agent
	noScript bool
	dark     bool
	width    int64 // of the window, in pixels
	height   int64
}

// tab is a tab in a browser of its own, so that tests share no cookies. An error that a page
// reports fails the test.
type tab struct {
	t   testing.TB
	ctx context.Context

	mu      sync.Mutex
	faults  []string
	allowed []string // words of errors that the test expects
}

// open opens a tab with a look.
func open(t testing.TB, as look) *tab {
	t.Helper()
	if browser == nil {
		t.Skip("there is no browser")
	}
	b := &tab{t: t}
	ctx, closeTab := chromedp.NewContext(browser, chromedp.WithNewBrowserContext(), chromedp.WithListener(b.listen))
	b.ctx = ctx
	t.Cleanup(func() {
		if t.Failed() {
			b.save("failed-" + strings.ReplaceAll(t.Name(), "/", "-") + ".png")
		}
		closeTab()
		b.complain()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	b.wear(as)
	return b
}

// wear changes the look of the tab.
func (b *tab) wear(as look) {
	b.t.Helper()
	scheme := "light"
	if as.dark {
		scheme = "dark"
	}
	if as.width == 0 {
		as.width = 1100
	}
	if as.height == 0 {
		as.height = 800
	}
	if as.language == "" {
		as.language = "en-GB,en"
	}
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: as.width, Height: as.height, DeviceScaleFactor: 1})
	if as.agent == "" {
		as.agent = "webtest"
	}
	call(b, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: as.agent, AcceptLanguage: as.language})
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: as.noScript})
}

// listen records the errors that pages report.
func (b *tab) listen(event any) {
	var fault string
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		fault = "exception: " + e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			fault += " " + thrown.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type != runtime.ConsoleAPICalledTypeError && e.Type != runtime.ConsoleAPICalledTypeWarning {
			return
		}
		fault = "console:"
		for _, a := range e.Args {
			fault += " " + string(a.Value) + a.Description
		}
	case *log.EventEntryAdded:
		if e.Entry.Level != log.EntryLevelError && e.Entry.Level != log.EntryLevelWarning {
			return
		}
		fault = fmt.Sprintf("%s: %s (%s)", e.Entry.Source, e.Entry.Text, e.Entry.URL)
	default:
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = append(b.faults, fault)
}

// allow makes the test expect an error that contains some words, such as that of a refused page.
func (b *tab) allow(words string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.allowed = append(b.allowed, words)
}

// complain fails the test for errors that it does not expect.
func (b *tab) complain() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fault := range b.faults {
		if !slices.ContainsFunc(b.allowed, func(words string) bool { return strings.Contains(fault, words) }) {
			b.t.Errorf("the browser complains: %s", fault)
		}
	}
}

// call sends a command of the browser's protocol.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, longest)
	defer cancel()
	result, err := chromedp.Call(ctx, command, params)
	if err != nil {
		b.t.Fatalf("%s: %v", command.Method, err)
	}
	return result
}

// do runs some steps.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, longest)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// get runs a step and returns its result.
func get[T any](b *tab, step chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, longest)
	defer cancel()
	result, err := chromedp.Run(ctx, step)
	if err != nil {
		b.t.Fatal(err)
	}
	return result
}

// eval evaluates an expression on the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	return get(b, chromedp.Evaluate[T](expression))
}

// visit loads a page and returns its status; 0 if it has none.
func (b *tab) visit(url string) int {
	b.t.Helper()
	if answer := get(b, chromedp.NavigateResponse(url)); answer != nil {
		return int(answer.Status)
	}
	return 0
}

// until waits until the page has loaded and an expression is true on it: what is typed while a page
// loads may be lost.
func (b *tab) until(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, longest)
	defer cancel()
	var err error
	isSo := poll(func() (ok bool) { // fails while one page replaces another
		ok, err = chromedp.Run(ctx, chromedp.Evaluate[bool]("document.readyState == 'complete' && ("+expression+")"))
		return ok
	})
	if !isSo {
		b.t.Fatalf("it never comes to %s (%v); the page is:\n%s", expression, err, b.text())
	}
}

// poll waits until ok returns true, and reports whether it did in time. Nothing else signals what a
// page shows or a program has saved.
func poll(ok func() bool) bool {
	for start := time.Now(); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Since(start) > longest {
			return false
		}
	}
	return true
}

// text returns the visible text of the page.
func (b *tab) text() string { return eval[string](b, "document.body ? document.body.innerText : ''") }

// wantText fails unless the page shows some words.
func (b *tab) wantText(words ...string) {
	b.t.Helper()
	text := b.text()
	for _, w := range words {
		if !strings.Contains(text, w) {
			b.t.Errorf("%q is not on %s:\n%s", w, get(b, chromedp.Location()), text)
		}
	}
}

// press presses keys, one after the other.
func (b *tab) press(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// save saves a picture of the whole page in the folder for pictures, if there is one.
func (b *tab) save(name string) {
	b.t.Helper()
	b.keep(name, chromedp.FullScreenshot(100))
}

// saveWindow saves a picture of what is visible without scrolling.
func (b *tab) saveWindow(name string) {
	b.t.Helper()
	b.keep(name, chromedp.CaptureScreenshot())
}

func (b *tab) keep(name string, draw chromedp.Action[[]byte]) {
	b.t.Helper()
	dir := os.Getenv("VADEMECUM_SHOTS")
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(b.ctx, longest)
	defer cancel()
	picture, err := chromedp.Run(ctx, draw)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), picture, 0o600)
	}
	if err != nil {
		b.t.Error(err)
	}
}
