package cli

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// showProgress shows the progress of indexing until ctx is done: as a line that it redraws on a
// terminal, otherwise as a line from time to time. If the run ends at once, it shows nothing.
func (p *program) showProgress(ctx context.Context, ix *index.Index) {
	defer func() {
		// a bug in showing progress must not stop the work
		if fault := recover(); fault != nil {
			slog.Error("internal error", "doing", "show progress", "panic", fault, "stack", string(debug.Stack()))
		}
	}()
	show, every := p.progressDisplay()
	defer p.stderr.clearLine()
	tick := time.NewTicker(every)
	defer tick.Stop()
	var first progressStage
	var since time.Time
	var awaited message.Message // the last message about awaited folders that was printed
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			state := ix.State()
			s := stageOf(state, p.language())
			if s.what != first.what || s.done < first.done {
				first, since = s, time.Now()
			}
			if t := time.Since(since); s.perSecond == 0 && t > time.Second && s.done > first.done {
				s.perSecond = float64(s.done-first.done) / t.Seconds()
				s.left = time.Duration(float64(s.total-s.done)/s.perSecond) * time.Second
			}
			if state.WaitingFor != awaited {
				if awaited = state.WaitingFor; awaited != "" {
					fmt.Fprintln(p.stderr, p.translate(awaited))
				}
			}
			if s.total > 0 {
				show(s)
			}
		}
	}
}

// progressDisplay returns a function that shows a stage, by drawing on a terminal or otherwise by
// printing, and how often it is to be called.
func (p *program) progressDisplay() (show func(progressStage), every time.Duration) {
	if term.IsTerminal(int(p.stderr.out.Fd())) {
		return p.stderr.showStage, 200 * time.Millisecond
	}
	last := "" // the last line, which is not repeated
	return func(s progressStage) {
		if text := s.text(); text != last {
			fmt.Fprintln(p.stderr, text)
			last = text
		}
	}, 3 * time.Second
}

// progressStage is the progress of one stage of a run.
type progressStage struct {
	language     message.Language
	what, things message.Message // such as "indexed" and "files"
	counted      message.Message
	done, total  int
	perSecond    float64 // 0 if unknown
	left         time.Duration
}

func stageOf(s progress.State, l message.Language) progressStage {
	indexed := message.New("indexed")
	if s.RemoveTotal > 0 {
		return progressStage{language: l, what: message.New("removed"), things: message.NewIn("count", "documents"), counted: notice.DocumentsRemoved(s.RemoveDone, s.RemoveTotal), done: s.RemoveDone, total: s.RemoveTotal}
	}
	if s.FilesTotal > 0 {
		return progressStage{language: l, what: indexed, things: message.NewIn("count", "files"), counted: notice.FilesDone(s.FilesDone, s.FilesTotal), done: s.FilesDone, total: s.FilesTotal}
	}
	if s.VectorsToIndex > 0 {
		return indexingStage(s.VectorsIndexed, s.VectorsToIndex, l)
	}
	if s.PagesToRecognise.Left > 0 && s.EmbedTotal == 0 {
		return recognisingStage(s.PagesToRecognise, l)
	}
	perSecond, left := s.EmbedPace()
	counted := message.New("%d of %d passages", s.EmbedDone, s.EmbedTotal)
	return progressStage{l, message.New("embedded"), message.NewIn("count", "passages"), counted, s.EmbedDone, s.EmbedTotal, perSecond, left}
}

// indexingStage returns the progress of building a vector index.
func indexingStage(done, total int, l message.Language) progressStage {
	counted := message.New("%d of %d vectors", done, total)
	return progressStage{language: l, what: message.New("indexed"), things: message.NewIn("count", "vectors"), counted: counted, done: done, total: total}
}

// recognisingStage returns the progress of recognising scanned pages.
func recognisingStage(s progress.PagesToRecognise, l message.Language) progressStage {
	done := s.Total - s.Left
	counted := message.New("%d of %d pages", done, s.Total)
	perSecond := 0.0
	if s.TimePerPage > 0 {
		perSecond = 1 / s.TimePerPage.Seconds()
	}
	return progressStage{l, message.New("recognised"), message.NewIn("count", "pages"), counted, done, s.Total, perSecond, s.TimeLeft()}
}

func (s progressStage) text() string {
	switch {
	case s.perSecond == 0:
		return s.localise("%v %v", s.what, s.counted)
	case s.perSecond < 1:
		return s.localise("%v %v, %v left", s.what, s.counted, notice.FormatDuration(s.left))
	}
	return s.localise("%v %v, %.0f a second, %v left", s.what, s.counted, s.perSecond, notice.FormatDuration(s.left))
}

// count returns how much is done, in a short form.
func (s progressStage) count() string {
	return s.localise("%v %d of %d %v", s.what, s.done, s.total, s.things)
}

func (s progressStage) localise(format string, args ...any) string {
	return message.New(format, args...).InLanguage(s.language)
}

// line returns the most detailed form of the progress that fits into a number of columns.
func (s progressStage) line(columns int) string {
	bar := func(length int) string {
		full := min(length, length*s.done/s.total)
		return "[" + strings.Repeat("#", full) + strings.Repeat(" ", length-full) + "] "
	}
	percent := fmt.Sprintf("%d %%", 100*s.done/s.total)
	for _, line := range []string{bar(20) + s.text(), s.text(), bar(10) + s.count(), s.count(), s.localise("%v %s", s.what, percent), percent} {
		if len(line) <= columns {
			return line
		}
	}
	return ""
}

// progressWriter writes to stderr. On a terminal, the last line may show progress, and other output
// overwrites it.
type progressWriter struct {
	out *os.File

	mu    sync.Mutex
	drawn int          // width of the progress line that is shown; 0 for none
	async *asyncWriter // for a server, whose host may not read stderr; otherwise nil
}

// startAsync makes writes asynchronous unless stderr is a terminal, as a host may not read stderr.
func (m *progressWriter) startAsync() {
	if !term.IsTerminal(int(m.out.Fd())) {
		m.async = newAsyncWriter(m.out)
	}
}

// flush waits a moment until pending lines are written.
func (m *progressWriter) flush() {
	if m.async != nil {
		m.async.flush(finalWriteTimeout)
	}
}

func (m *progressWriter) Write(text []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.async != nil {
		return m.async.Write(text)
	}
	m.redrawLine("")
	return m.out.Write(text)
}

func (m *progressWriter) showStage(s progressStage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.redrawLine(s.line(m.columns()))
}

func (m *progressWriter) clearLine() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.redrawLine("")
}

// redrawLine draws a line of progress in place of the one that is shown.
func (m *progressWriter) redrawLine(line string) {
	if line != "" || m.drawn > 0 {
		fmt.Fprintf(m.out, "\r%s\r%s", strings.Repeat(" ", min(m.drawn, m.columns())), line)
		m.drawn = len(line)
	}
}

// columns returns the maximum width of a line of progress. The last column of the terminal stays
// free: otherwise the cursor would wrap, and the line could not be erased.
func (m *progressWriter) columns() int {
	if columns, _, err := term.GetSize(int(m.out.Fd())); err == nil && columns > 0 {
		return columns - 1
	}
	return 79
}
