package child

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"vademecum/docs/extract"
)

// TestMain lets the test binary run as its own child process, with formats that exist only for
// tests.
func TestMain(m *testing.M) {
	RunIfChild(func(format string) FormatFunctions {
		return FormatFunctions{Read: testReaders[strings.TrimPrefix(format, ".")], Draw: testDrawers[strings.TrimPrefix(format, ".")]}
	})
	if os.Getenv(orphanVariable) != "" {
		leaveOrphan()
	}
	os.Exit(m.Run())
}

var testReaders = map[string]extract.Reader{
	"test-pid": func([]byte, extract.ProgressReporter) (extract.Content, error) {
		return extract.Content{Text: strconv.Itoa(os.Getpid())}, nil
	},
	"test-echo": func(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
		return extract.Content{Text: string(raw), Form: extract.Markdown, ExtractionNote: "as it was"}, nil
	},
	"test-skip": func([]byte, extract.ProgressReporter) (extract.Content, error) {
		return extract.Content{}, extract.Skip("not worth it")
	},
	"test-fail": func([]byte, extract.ProgressReporter) (extract.Content, error) {
		return extract.Content{}, errors.New("no luck")
	},
	"test-spin": func([]byte, extract.ProgressReporter) (extract.Content, error) { spin(); return extract.Content{}, nil },
	"test-once": readTestOnce,
	"test-half": func(raw []byte, report extract.ProgressReporter) (extract.Content, error) {
		go func() {
			for processorTime() < time.Second/2 { // half of the time limit
			}
		}()
		return readTestOnce(raw, report)
	},
	"test-kill": readTestKill,
	"test-hang": func([]byte, extract.ProgressReporter) (extract.Content, error) {
		<-make(chan int)
		return extract.Content{}, nil
	},
	"test-panic": func([]byte, extract.ProgressReporter) (extract.Content, error) { panic("at the first byte") },
	"test-exit": func([]byte, extract.ProgressReporter) (extract.Content, error) {
		os.Exit(3)
		return extract.Content{}, nil
	},
	"test-deep": func([]byte, extract.ProgressReporter) (extract.Content, error) {
		return extract.Content{Text: strconv.Itoa(deepen(1))}, nil
	},
	"test-hoard": func([]byte, extract.ProgressReporter) (extract.Content, error) {
		return extract.Content{Text: strconv.Itoa(hoard())}, nil
	},
	"test-engine": func(_ []byte, p extract.ProgressReporter) (extract.Content, error) {
		p.ReportPreparation()
		<-make(chan int)
		return extract.Content{}, nil
	},
	"test-pages": readTestPages,
}

var testDrawers = map[string]extract.Drawer{
	"test-echo": func(raw []byte, what extract.DrawingRequest, _ extract.ProgressReporter) ([]byte, error) {
		return fmt.Appendf(nil, "%s: %v", raw, what), nil
	},
	"test-skip": func([]byte, extract.DrawingRequest, extract.ProgressReporter) ([]byte, error) {
		return nil, extract.Skip("no such page")
	},
	"test-spin": func([]byte, extract.DrawingRequest, extract.ProgressReporter) ([]byte, error) {
		spin()
		return nil, nil
	},
	"test-panic": func([]byte, extract.DrawingRequest, extract.ProgressReporter) ([]byte, error) {
		panic("at the first line")
	},
	"test-hoard": func([]byte, extract.DrawingRequest, extract.ProgressReporter) ([]byte, error) {
		hoard()
		return nil, nil
	},
}

// deepen calls itself until the stack overflows.
func deepen(depth int) int {
	if depth < 0 {
		return 0
	}
	return deepen(depth+1) + 1
}

// hoard allocates memory far above the limit of any test.
func hoard() int {
	var all [][]byte
	for {
		b := make([]byte, 1<<20)
		for i := range b {
			b[i] = byte(i)
		}
		all = append(all, b)
		if len(all) > 8<<10 {
			return len(all)
		}
	}
}

// spin keeps a processor busy without end.
func spin() {
	for n := 1; n != 0; n |= 1 {
	}
}

// readTestOnce hangs the first time it is called: it creates the file whose path is raw, and
// returns if that exists already.
func readTestOnce(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	if _, err := os.Stat(string(raw)); err == nil {
		return extract.Content{Text: "at last"}, nil
	}
	if err := os.WriteFile(string(raw), nil, 0o600); err != nil {
		return extract.Content{}, err
	}
	<-make(chan int)
	return extract.Content{}, nil
}

// readTestKill ends the process as if the system had killed it.
func readTestKill([]byte, extract.ProgressReporter) (extract.Content, error) {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		return extract.Content{}, err
	}
	<-make(chan int)
	return extract.Content{}, nil
}

// readTestPages reports two of three pages and then does what raw says.
func readTestPages(raw []byte, p extract.ProgressReporter) (extract.Content, error) {
	c := extract.Content{Title: "Three pages"}
	for n := 1; n <= 2; n++ {
		c.Parts = append(c.Parts, extract.Part{Kind: extract.Page, Number: n, StartByte: len(c.Text)})
		c.Text += fmt.Sprintf("page %d\n", n)
		p.ReportPage(&c, n, 3)
	}
	switch string(raw) {
	case "hang":
		<-make(chan int)
	case "spin":
		spin()
	case "exit":
		os.Exit(3)
	case "hoard":
		hoard()
	}
	c.Text += "page 3\n"
	return c, nil
}

// testLimits returns limits that are short where tests wait for them, and long elsewhere.
func testLimits() limits {
	return limits{children: 2, start: time.Minute, file: time.Minute, most: time.Minute, patience: 2, retire: time.Hour, idle: time.Minute, memory: 400 << 20}
}

func testPool(t *testing.T, l limits) *pool {
	p := newPool(l)
	t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, c := range p.idle {
			c.expiry.Stop()
			c.kill()
		}
	})
	return p
}

func (p *pool) readTest(ctx context.Context, name, raw string) (extract.Content, error) {
	c, _, err := p.handle(ctx, request{Format: "." + name}, []byte(raw))
	return c, err
}

func TestRead(t *testing.T) {
	p := testPool(t, testLimits())
	for _, text := range []string{"short", "", strings.Repeat("Über 1 MB ", 1<<18)} {
		c, err := p.readTest(t.Context(), "test-echo", text)
		if err != nil || c.Text != text || c.Form != extract.Markdown || c.ExtractionNote.String() != "as it was" {
			t.Errorf("%d bytes came back as %d, form %v, note %q, error %v", len(text), len(c.Text), c.Form, c.ExtractionNote, err)
		}
	}
	if _, err := p.readTest(t.Context(), "test-fail", ""); err == nil || errors.As(err, new(*extract.SkipError)) || err.Error() != "no luck" {
		t.Errorf("a failure that is not of the file: %v", err)
	}
}

func TestReadSkips(t *testing.T) {
	short := testLimits()
	short.file = time.Second
	short.patience = 40 // 0.75 s of processor time in 40 s is then enough, which even a busy machine gives
	impatient := testLimits()
	impatient.file = time.Second
	for _, test := range []struct {
		format, raw string
		limits      limits
		reason      string
		text, note  string
	}{
		{format: "test-skip", limits: testLimits(), reason: "not worth it"},
		{format: "test-panic", limits: testLimits(), reason: "damaged: the reader of .test-panic failed"},
		{format: "test-exit", limits: testLimits(), reason: "damaged: the reader of .test-exit failed"},
		{format: "test-deep", limits: testLimits(), reason: "damaged: the reader of .test-deep failed"},
		{format: "test-hoard", limits: testLimits(), reason: "takes too much memory to read"},
		{format: "test-spin", limits: short, reason: "takes too long to read (over 1 s)"},
		{format: "test-pages", limits: testLimits(), text: "page 1\npage 2\npage 3\n"},
		{format: "test-pages", raw: "exit", limits: testLimits(), text: "page 1\npage 2\n", note: "only pages 1 to 2 of 3: the rest is damaged"},
		{format: "test-pages", raw: "hoard", limits: testLimits(), text: "page 1\npage 2\n", note: "only pages 1 to 2 of 3: the rest takes too much memory to read"},
		{format: "test-pages", raw: "spin", limits: short, text: "page 1\npage 2\n", note: "only pages 1 to 2 of 3: reading took too long"},
		{format: "test-pages", raw: "hang", limits: impatient, text: "page 1\npage 2\n", note: "only pages 1 to 2 of 3: reading took too long"},
	} {
		t.Run(test.format+" "+test.raw, func(t *testing.T) {
			t.Parallel()
			p := testPool(t, test.limits)
			c, err := p.readTest(t.Context(), test.format, test.raw)
			var reason string
			if s := (*extract.SkipError)(nil); errors.As(err, &s) {
				reason = s.Error()
			} else if err != nil {
				t.Fatal(err)
			}
			if reason != test.reason || c.Text != test.text || c.ExtractionNote.String() != test.note {
				t.Errorf("got reason %q, text %q, note %q", reason, c.Text, c.ExtractionNote)
			}
			if test.text != "" && (c.Title != "Three pages" || len(c.Parts) != 2 || c.Parts[1].StartByte != len("page 1\n")) {
				t.Errorf("got title %q, parts %v", c.Title, c.Parts)
			}
			if c, err := p.readTest(t.Context(), "test-echo", "next"); err != nil || c.Text != "next" {
				t.Errorf("the file after it: %q, %v", c.Text, err)
			}
		})
	}
}

func TestReadReusesChildren(t *testing.T) {
	p := testPool(t, testLimits())
	pid := func() string {
		t.Helper()
		c, err := p.readTest(t.Context(), "test-pid", "")
		if err != nil {
			t.Fatal(err)
		}
		return c.Text
	}
	first := pid()
	if again := pid(); again != first {
		t.Errorf("read by %s, then by %s", first, again)
	}
	if _, err := p.readTest(t.Context(), "test-panic", ""); err == nil {
		t.Error("no error")
	}
	if after := pid(); after == first {
		t.Error("the child that failed was used again")
	}
	p.mu.Lock()
	last := p.idle[0]
	p.mu.Unlock()
	_ = last.command.Process.Kill()
	waitUntil(t, "the child has ended", func() bool { _, open := <-last.answers; return !open })
	if c, err := p.readTest(t.Context(), "test-echo", "text"); err != nil || c.Text != "text" {
		t.Errorf("after the idle child was killed: %q, %v", c.Text, err)
	}
}

func TestTiredChildrenEnd(t *testing.T) {
	t.Parallel()
	l := testLimits()
	l.retire = time.Nanosecond
	p := testPool(t, l)
	if _, err := p.readTest(t.Context(), "test-echo", "text"); err != nil {
		t.Fatal(err)
	}
	if len(p.idle) != 0 {
		t.Error("a child was kept that has used up its time")
	}
}

func TestReadIsPatient(t *testing.T) {
	t.Parallel()
	l := testLimits()
	l.file = time.Second
	p := testPool(t, l)
	for _, format := range []string{"test-once", "test-half"} { // the first attempt gets no processor time, or half of it
		c, err := p.readTest(t.Context(), format, filepath.Join(t.TempDir(), "seen"))
		if err != nil || c.Text != "at last" {
			t.Errorf("%s: a file that did not get enough processor time once: %q, %v", format, c.Text, err)
		}
	}
	if _, err := p.readTest(t.Context(), "test-hang", ""); err == nil || errors.As(err, new(*extract.SkipError)) {
		t.Errorf("a file that never got the processor: %v, want an error that does not blame the file", err)
	}
	if len(p.slots) != 0 || len(p.slow) != 0 {
		t.Errorf("%d files are being read, %d of them with patience, want none", len(p.slots), len(p.slow))
	}
}

func TestReadLimitsChildren(t *testing.T) {
	t.Parallel()
	p := testPool(t, testLimits())
	var pids sync.Map
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			c, err := p.readTest(t.Context(), "test-pid", "")
			if err != nil {
				t.Error(err)
			}
			pids.Store(c.Text, true)
		})
	}
	wg.Wait()
	n := 0
	pids.Range(func(any, any) bool { n++; return true })
	if n > 2 {
		t.Errorf("%d children at the same time, want at most 2", n)
	}
}

func TestIdleChildrenEnd(t *testing.T) {
	l := testLimits()
	l.idle = time.Millisecond
	p := testPool(t, l)
	if _, err := p.readTest(t.Context(), "test-echo", "text"); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "no child is idle", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.idle) == 0
	})
}

func TestReadObeysContext(t *testing.T) {
	p := testPool(t, testLimits())
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := p.readTest(ctx, "test-hang", ""); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while a child reads: %v", err)
	}
	if _, err := p.readTest(ctx, "test-echo", ""); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("before a child starts: %v", err)
	}
	p.slots <- struct{}{}
	p.slots <- struct{}{}
	if _, err := p.readTest(ctx, "test-echo", ""); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while all children are busy: %v", err)
	}
}

func TestEngineThatDoesNotStart(t *testing.T) {
	l := testLimits()
	p := testPool(t, l)
	if _, err := p.readTest(t.Context(), "test-echo", "text"); err != nil { // starts a child process
		t.Fatal(err)
	}
	p.limits.start = 10 * time.Millisecond
	if _, err := p.readTest(t.Context(), "test-engine", ""); err == nil || errors.As(err, new(*extract.SkipError)) {
		t.Errorf("got %v, want an error that does not blame the file", err)
	}
}

func TestChildThatCannotBe(t *testing.T) {
	known := program
	defer func() { program = known }()
	p := testPool(t, testLimits())
	program.identity = "another"
	if _, err := p.readTest(t.Context(), "test-echo", ""); err == nil || !strings.Contains(err.Error(), "replaced") {
		t.Errorf("a replaced program: %v", err)
	}
	program.path = ""
	if _, err := p.readTest(t.Context(), "test-echo", ""); !errors.Is(err, errNoChild) {
		t.Errorf("a program without children: %v", err)
	}
	for err, path := range map[error]string{nil: filepath.Join(t.TempDir(), "gone"), fs.ErrNotExist: ""} {
		program.path, program.err = path, err
		if _, err := p.readTest(t.Context(), "test-echo", ""); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a program that is gone: %v, want an error that does not say so of the document", err)
		}
	}
}

func TestPagesEarnTime(t *testing.T) {
	r := reading{child: &process{}, patience: 1, limits: limits{file: 8 * time.Second, page: 250 * time.Millisecond, blank: 25 * time.Millisecond, most: 12 * time.Second}}
	r.startTimer()
	for _, step := range []struct {
		text string
		want time.Duration
	}{{"text", 8250 * time.Millisecond}, {"", 8275 * time.Millisecond}} {
		if r.addAnswer(answer{Kind: progress, Text: step.text}); r.until.Sub(r.begun) != step.want {
			t.Errorf("after a page with text %q: %v, want %v", step.text, r.until.Sub(r.begun), step.want)
		}
	}
	for range 100 {
		r.addAnswer(answer{Kind: progress, Text: "text"})
	}
	if got := r.until.Sub(r.begun); got != 12*time.Second {
		t.Errorf("after many pages: %v", got)
	}
}

// waitUntil waits until is returns true, which another process brings about.
func waitUntil(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within 30 s: %s", what)
		}
	}
}

const orphanVariable = "VADEMECUM_TEST_ORPHAN"

// leaveOrphan starts a busy child process, prints its process ID and waits to be killed.
func leaveOrphan() {
	c, err := startProcess(context.Background(), testLimits())
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	if err := c.requests.Encode(request{Format: ".test-hang", Memory: 1 << 30}); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(c.command.Process.Pid)
	select {}
}
