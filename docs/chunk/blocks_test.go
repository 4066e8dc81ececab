package chunk

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// blockText shows blocks as "kind: text", and headings as "level title: text".
func blockText(src string, blocks []block) []string {
	var s []string
	for _, b := range blocks {
		name := [...]string{prose: "prose", list: "list", rows: "rows", matter: "matter"}
		what := fmt.Sprint(b.level, " ", b.title)
		if b.kind != heading {
			what = name[b.kind]
		}
		s = append(s, what+": "+src[b.start:b.end])
	}
	return s
}

// checkBlocks verifies what holds for the blocks of any text.
func checkBlocks(t *testing.T, src string, blocks []block) {
	t.Helper()
	if blocks == nil {
		t.Fatal("blocks are nil")
	}
	at := 0
	for _, b := range blocks {
		if b.start < at || b.end <= b.start || b.end > len(src) {
			t.Fatalf("block %+v is empty, out of order or out of range, after %d", b, at)
		}
		if lost := strings.TrimSpace(src[at:b.start]); lost != "" {
			t.Fatalf("lost before %+v: %.80q", b, lost)
		}
		if strings.TrimSpace(src[b.start:b.end]) == "" {
			t.Fatalf("block %+v is blank", b)
		}
		if n := b.start - 1 - strings.LastIndexByte(src[:b.start], '\n'); 0 < n && n <= maxPadding {
			t.Fatalf("block %+v does not start with a line", b)
		}
		if rest, _, _ := strings.Cut(src[b.end:], "\n"); src[b.end-1] == '\n' || rest != "" && len(rest) <= maxPadding {
			t.Fatalf("block %+v does not end with a line", b)
		}
		if b.kind == heading && (b.level < 1 || b.title != shortenTitle(b.title)) {
			t.Fatalf("heading %+v has a level or title it must not have", b)
		}
		at = b.end
	}
	if lost := strings.TrimSpace(src[at:]); lost != "" {
		t.Fatalf("lost at the end: %.80q", lost)
	}
}

// Each line is looked at a few times at most, however the text is made.
func TestLineFormatsTakeLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	const size = 128 << 10 // so little that a slow machine is not taken for a slow parser
	for _, unit := range []string{
		"#+begin_src\n", "#+begin_quote\n", "\\begin{a}\n", ":PROPERTIES:\n", "* a\n", "- a\n\n", "a\n\n", "#+NAME: x\n", "*", " ",
		"== ==\n", "== ==\n\n", "== ==\nx\n\n", "a::\n\n b\n\n", ".. code::\n\n", "====\n", "a\n====\n", "====\na\n", "+-+\n", ".. a\n",
		":a: b\n", "| a\n", "a\n b\n", "=", "= ", "`a <", ":a", ":a`", "..  ", "|a| ", "\t", "a ",
	} {
		src := strings.Repeat(unit, size/len(unit))
		for name, parse := range map[string]func(string) []block{"org": orgBlocks, "rst": rstBlocks} {
			begin := time.Now()
			blocks := parse(src)
			if took := time.Since(begin); took > 10*time.Second {
				t.Errorf("%s: %q, repeated, takes %v", name, unit, took)
			}
			checkBlocks(t, src, blocks)
		}
	}
}

func TestBlocksAreLimited(t *testing.T) {
	src := strings.Repeat("a\n\n", maxBlocks+10)
	blocks := rstBlocks(src)
	checkBlocks(t, src, blocks)
	if len(blocks) != maxBlocks+1 {
		t.Errorf("%d blocks", len(blocks))
	}
}
