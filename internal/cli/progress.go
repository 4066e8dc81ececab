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
	"vademecum/internal/message"
)

// showProgress draws a line on a terminal, and otherwise prints one from time
// to time. A run that is through at once shows nothing.
func (p *program) showProgress(ctx context.Context, ix *index.Index) {
	defer func() {
		if fault := recover(); fault != nil { // no reason to stop what is shown
			slog.Error("internal error", "doing", "show progress", "panic", fault, "stack", string(debug.Stack()))
		}
	}()
	show, every := p.display()
	defer p.stderr.clear()
	tick := time.NewTicker(every)
	defer tick.Stop()
	var first stage
	var since time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s := stageOf(ix.State(), p.language())
			if s.what != first.what || s.done < first.done {
				first, since = s, time.Now()
			}
			if t := time.Since(since); s.perSecond == 0 && t > time.Second && s.done > first.done {
				s.perSecond = float64(s.done-first.done) / t.Seconds()
				s.left = time.Duration(float64(s.total-s.done)/s.perSecond) * time.Second
			}
			if s.total > 0 {
				show(s)
			}
		}
	}
}

// display returns how stages are shown, and how often: drawn on a terminal, else printed.
func (p *program) display() (show func(stage), every time.Duration) {
	if term.IsTerminal(int(p.stderr.out.Fd())) {
		return p.stderr.show, 200 * time.Millisecond
	}
	return func(s stage) { fmt.Fprintln(p.stderr, s.text()) }, 3 * time.Second
}

// stage is how far the work is that goes on now.
type stage struct {
	language     message.Language
	what, things message.Message // such as "indexed" and "files"
	counted      message.Message
	done, total  int
	perSecond    float64 // 0: not known
	left         time.Duration
}

func stageOf(s progress.State, l message.Language) stage {
	indexed := message.New("indexed", "已索引")
	if s.RemoveTotal > 0 {
		return stage{language: l, what: message.New("removed", "已移除"), things: message.New("documents", "篇文档"), counted: notice.DocumentsRemoved(s.RemoveDone, s.RemoveTotal), done: s.RemoveDone, total: s.RemoveTotal}
	}
	if s.Total > 0 {
		return stage{language: l, what: indexed, things: message.New("files", "个文件"), counted: notice.FilesDone(s.Done, s.Total), done: s.Done, total: s.Total}
	}
	if s.VectorsTotal > 0 {
		return indexingStage(s.VectorsDone, s.VectorsTotal, l)
	}
	if s.Scans.Left > 0 && s.EmbedTotal == 0 {
		return recognisingStage(s.Scans, l)
	}
	perSecond, left := s.EmbedPace()
	counted := message.New("%d of %d passages", "%d / %d 个段落", s.EmbedDone, s.EmbedTotal)
	return stage{l, message.New("embedded", "已向量化"), message.New("passages", "个段落"), counted, s.EmbedDone, s.EmbedTotal, perSecond, left}
}

// indexingStage is the making of an index of vectors.
func indexingStage(done, total int, l message.Language) stage {
	counted := message.New("%d of %d vectors", "%d / %d 个向量", done, total)
	return stage{language: l, what: message.New("indexed", "已索引"), things: message.New("vectors", "个向量"), counted: counted, done: done, total: total}
}

// recognisingStage is the recognition of scanned pages.
func recognisingStage(s progress.Scans, l message.Language) stage {
	done := s.Total - s.Left
	counted := message.New("%d of %d pages", "%d / %d 页", done, s.Total)
	return stage{language: l, what: message.New("recognised", "已识别"), things: message.New("pages", "页"), counted: counted, done: done, total: s.Total}
}

func (s stage) text() string {
	switch {
	case s.perSecond == 0:
		return s.say("%v %v", "%v %v", s.what, s.counted)
	case s.perSecond < 1:
		return s.say("%v %v, %s left", "%v %v，还需 %s", s.what, s.counted, s.left)
	}
	return s.say("%v %v, %.0f a second, %s left", "%v %v，每秒 %.0f 个，还需 %s", s.what, s.counted, s.perSecond, s.left)
}

// count is the text in fewer words.
func (s stage) count() string {
	return s.say("%v %d of %d %v", "%v %d / %d %v", s.what, s.done, s.total, s.things)
}

func (s stage) say(english, chinese string, args ...any) string {
	return message.New(english, chinese, args...).In(s.language)
}

// line says the most that fits in these columns.
func (s stage) line(columns int) string {
	bar := func(length int) string {
		full := min(length, length*s.done/s.total)
		return "[" + strings.Repeat("#", full) + strings.Repeat(" ", length-full) + "] "
	}
	percent := fmt.Sprintf("%d %%", 100*s.done/s.total)
	for _, line := range []string{bar(20) + s.text(), s.text(), bar(10) + s.count(), s.count(), s.say("%v %s", "%v %s", s.what, percent), percent} {
		if len(line) <= columns {
			return line
		}
	}
	return ""
}

// meter is stderr. On a terminal its last line may tell how far the work is;
// whatever else is written takes the place of that line.
type meter struct {
	out *os.File

	mu      sync.Mutex
	drawn   int    // columns of the line that stands there
	spooled *spool // of a server, whose stderr perhaps nobody reads; else nil
}

// spool has what is written wait for its reader, rather than the program. What is on a
// terminal somebody reads.
func (m *meter) spool() {
	if !term.IsTerminal(int(m.out.Fd())) {
		m.spooled = newSpool(m.out)
	}
}

// flush gives the last lines a moment to be read.
func (m *meter) flush() {
	if m.spooled != nil {
		m.spooled.flush(lastLines)
	}
}

func (m *meter) Write(text []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.spooled != nil {
		return m.spooled.Write(text)
	}
	m.draw("")
	return m.out.Write(text)
}

func (m *meter) show(s stage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.draw(s.line(m.columns()))
}

func (m *meter) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.draw("")
}

// draw puts a line in the place of what is drawn.
func (m *meter) draw(line string) {
	if line != "" || m.drawn > 0 {
		fmt.Fprintf(m.out, "\r%s\r%s", strings.Repeat(" ", min(m.drawn, m.columns())), line)
		m.drawn = len(line)
	}
}

// columns is how many a line may take now. The last one of the terminal stays
// free: the cursor would go to the next line, and the line could not be taken
// back.
func (m *meter) columns() int {
	if columns, _, err := term.GetSize(int(m.out.Fd())); err == nil && columns > 0 {
		return columns - 1
	}
	return 79
}
