package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// TestMeterGivesWay checks that a warning replaces the line of progress.
func TestMeterGivesWay(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	m := &progressWriter{out: write}
	s := progressStage{what: "indexed", things: "files", counted: "17 of 300 files", done: 17, total: 300}
	m.showStage(s)
	fmt.Fprintln(m, "a warning")
	m.showStage(s)
	m.clearLine()
	if err := write.Close(); err != nil {
		t.Fatal(err)
	}
	written, err := io.ReadAll(read)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(written), "indexed 17 of 300 files") {
		t.Errorf("no progress is shown: %q", written)
	}
	if lines := onScreen(string(written)); len(lines) != 2 || lines[0] != "a warning" || lines[1] != "" {
		t.Errorf("the screen shows %q, after %q", lines, written)
	}
}

// TestRemovalIsTold checks that while documents are removed, that is shown as the stage, not the
// files that are done.
func TestRemovalIsTold(t *testing.T) {
	s := stageOf(progress.State{Phase: progress.Indexing, FilesDone: 5000, FilesTotal: 5000, RemoveDone: 256, RemoveTotal: 3000}, message.English)
	if got, want := s.text(), "removed 256 of 3000 documents whose files are gone"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	if got, want := s.line(40), "removed 256 of 3000 documents"; got != want {
		t.Errorf("in a short line %q, want %q", got, want)
	}
}

// TestRecognitionIsTold checks that the time left for recognising scans is estimated from pages
// that were really recognised.
func TestRecognitionIsTold(t *testing.T) {
	s := stageOf(progress.State{Phase: progress.Ready, PagesToRecognise: progress.PagesToRecognise{Left: 9, Total: 2000, TimePerPage: 3 * time.Second}}, message.English)
	if got, want := s.text(), "recognised 1991 of 2000 pages, 27s left"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}

// onScreen returns the lines that a terminal shows of a text without escape sequences: what follows
// a carriage return overwrites the line.
func onScreen(text string) (lines []string) {
	for line := range strings.SplitSeq(text, "\n") {
		var cells []rune
		at := 0
		for _, r := range line {
			if r == '\r' {
				at = 0
				continue
			}
			if at == len(cells) {
				cells = append(cells, ' ')
			}
			cells[at] = r
			at++
		}
		lines = append(lines, strings.TrimRight(string(cells), " "))
	}
	return lines
}

// TestTimeLeft checks that the time left is in the same language as the rest.
func TestTimeLeft(t *testing.T) {
	s := progressStage{what: message.New("embedded"), counted: message.New("%d of %d passages", 3, 9), perSecond: 0.5, left: 99 * time.Second}
	for language, want := range map[message.Language]string{message.English: "embedded 3 of 9 passages, 1m39s left", message.Chinese: "已向量化 3 / 9 个段落，还需 1 分 39 秒"} {
		if s.language = language; s.text() != want {
			t.Errorf("it says %q, want %q", s.text(), want)
		}
	}
}

// TestProgressSaysWhatIsNew checks that without a terminal a stage is printed only when it has
// advanced.
func TestProgressSaysWhatIsNew(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	p := &program{stderr: &progressWriter{out: write}}
	show, _ := p.progressDisplay()
	s := progressStage{what: "indexed", things: "files", counted: "0 of 14 files", total: 14}
	for _, counted := range []message.Message{"0 of 14 files", "0 of 14 files", "9 of 14 files"} {
		s.counted = counted
		show(s)
	}
	if err := write.Close(); err != nil {
		t.Fatal(err)
	}
	printed, err := io.ReadAll(read)
	if err != nil || strings.Count(string(printed), "\n") != 2 || strings.Count(string(printed), "0 of 14") != 1 {
		t.Errorf("it prints %q, %v", printed, err)
	}
}
