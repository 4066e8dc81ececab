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

// look is how somebody looks at pages; the zero value is an English browser on a
// desk by day.
type look struct {
	language string // as Accept-Language has it
	agent    string // as User-Agent has it
	noScript bool
	dark     bool
	width    int64 // of the window in pixels
	height   int64
}

// tab is a tab of its own browser: no test sees the cookies of another. Whatever a
// page complains of fails the test.
type tab struct {
	t   testing.TB
	ctx context.Context

	mu      sync.Mutex
	faults  []string
	allowed []string // words of complaints that the test is about
}

// open opens a tab.
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

// wear has the tab look at pages in some way.
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

// listen collects complaints.
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

// allow expects a complaint with some words, such as of a page that is refused.
func (b *tab) allow(words string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.allowed = append(b.allowed, words)
}

// complain fails the test by what was not expected.
func (b *tab) complain() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fault := range b.faults {
		if !slices.ContainsFunc(b.allowed, func(words string) bool { return strings.Contains(fault, words) }) {
			b.t.Errorf("the browser complains: %s", fault)
		}
	}
}

// call has the browser do something, by a command of its protocol.
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

// do takes steps.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, longest)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// get takes a step that has a result.
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

// eval is what an expression comes to on the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	return get(b, chromedp.Evaluate[T](expression))
}

// visit goes to a page and returns its status, 0 for one without.
func (b *tab) visit(url string) int {
	b.t.Helper()
	if answer := get(b, chromedp.NavigateResponse(url)); answer != nil {
		return int(answer.Status)
	}
	return 0
}

// until waits for an expression to become true on the page, all of which is there: what is
// typed into one that is still coming may be lost.
func (b *tab) until(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, longest)
	defer cancel()
	var err error
	isSo := poll(func() (ok bool) { // also while one page takes the place of another
		ok, err = chromedp.Run(ctx, chromedp.Evaluate[bool]("document.readyState == 'complete' && ("+expression+")"))
		return ok
	})
	if !isSo {
		b.t.Fatalf("it never comes to %s (%v); the page is:\n%s", expression, err, b.text())
	}
}

// poll waits until ok, and reports whether it was so in time. Nothing but looking again tells
// of what a page shows and a program has saved.
func poll(ok func() bool) bool {
	for start := time.Now(); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Since(start) > longest {
			return false
		}
	}
	return true
}

// text is what people read on the page.
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

// save leaves a picture of all of the page in the folder for pictures, if there is one.
func (b *tab) save(name string) {
	b.t.Helper()
	b.keep(name, chromedp.FullScreenshot(100))
}

// saveWindow leaves one of what is seen without moving down.
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
