package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// sharedFiles is a collection of real documents beside the repository, each with a sentence that
// must be extracted. Users do not have it.
const sharedFiles = repository + "/../shared/files"

// Memory that real documents may take at most, in kilobytes.
const (
	mostParent = 500 << 10
	mostChild  = 700 << 10
)

func TestRealDocuments(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	manifest, err := os.Open(filepath.Join(sharedFiles, "MANIFEST.tsv"))
	if err != nil {
		t.Skip("the collection is not here: ", err)
	}
	defer manifest.Close()
	h := newHost(t, sharedFiles, "--index", indexFile(t))
	peak := watchMemory(h.cmd.Process.Pid)
	h.initialize()
	h.settle()
	lines := bufio.NewScanner(manifest)
	for lines.Scan() {
		path, rest, _ := strings.Cut(lines.Text(), "\t")
		if path == "path" {
			continue
		}
		must := strings.Split(rest, "\t")[3]
		h.checkDocument(path, must)
	}
	parent, child := peak()
	t.Logf("peak memory: %d MB, of a child %d MB", parent>>10, child>>10)
	if parent > mostParent || child > mostChild {
		t.Errorf("too much memory: %d KB, of a child %d KB", parent, child)
	}
}

// checkDocument reads a document to its end, and checks that it contains the sentence, or that it
// is not indexed for that reason.
func (h *host) checkDocument(path, must string) {
	h.t.Helper()
	text, failed := h.document(path)
	if want, ok := strings.CutPrefix(must, "must fail cleanly: "); ok {
		if failed && !strings.Contains(text, "is not indexed: ") {
			h.t.Errorf("%s: want a reason (%s), got %.200s", path, want, text)
		}
		h.t.Logf("%s (%s): %.120q", path, want, text)
		return
	}
	if strings.HasPrefix(path, "md/") || strings.HasPrefix(path, "org/") || strings.HasPrefix(path, "rst/") {
		// The sentence is without the markup that the author wrote, and that stays.
		text, must = markup.Replace(text), markup.Replace(must)
	}
	if failed || !strings.Contains(plainLetters(text), plainLetters(must)) {
		h.t.Errorf("%s: %q is not in %.300q", path, must, text)
	}
}

var markup = strings.NewReplacer("[", "", "]", "", "/", "", "`", "", "*", "", "=", "", "~", "", "_", "")

var (
	openFence = regexp.MustCompile("^[^\n]*\n`{3,}\n")
	readOn    = regexp.MustCompile("\n`{3,}\n\\(cut here to keep the answer short: read on with uri (\\S+)\\)")
)

// document returns the text of a document, read part by part like a model does.
func (h *host) document(path string) (text string, failed bool) {
	part, failed := h.tool("read_doc", fmt.Sprintf(`{"path":%q}`, path))
	for !failed {
		body := part[len(openFence.FindString(part)):]
		next := readOn.FindStringSubmatch(body)
		if next == nil {
			return text + body, false
		}
		text += strings.TrimSuffix(body, next[0])
		part, failed = h.tool("read_doc", fmt.Sprintf(`{"uri":%q}`, next[1]))
	}
	return part, true
}

// plainLetters returns a text without what extraction may change: case, width, white space and soft
// hyphens.
func plainLetters(s string) string {
	s = cases.Fold().String(norm.NFKC.String(s))
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\u00AD' {
			return -1
		}
		return r
	}, s)
}

func TestHostileFolder(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	script := filepath.Join(sharedFiles, "make_hostile.sh")
	if _, err := os.Stat(script); err != nil {
		t.Skip("the maker of hostile files is not here: ", err)
	}
	around := t.TempDir()
	dir := filepath.Join(around, "in", "hostile")
	if out, err := exec.Command("sh", script, dir).CombinedOutput(); err != nil {
		t.Skipf("hostile files cannot be made here: %v, %s", err, out)
	}
	for i := range 10 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("good%d.md", i)), []byte(note(i)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	begin := time.Now()
	h := newHost(t, dir, "--index", indexFile(t))
	peak := watchMemory(h.cmd.Process.Pid)
	h.initialize()
	report := h.settle()
	parent, child := peak()
	t.Logf("through after %.1f s; peak memory: %d MB, of a child %d MB\n%s", time.Since(begin).Seconds(), parent>>10, child>>10, report)
	for i := range 10 {
		found, failed := h.tool("retrieve_docs", fmt.Sprintf(`{"query":"the visit number%d of the patient","top_k":1}`, i))
		if failed || !strings.Contains(found, fmt.Sprintf("good%d.md", i)) {
			t.Errorf("the good document %d is not found: %.200s", i, found)
		}
	}
	for _, evil := range []string{"/tmp/evil_traversal.txt", "/tmp/evil_abs.txt", filepath.Join(around, "evil_win.txt"), filepath.Join(around, "in", "evil_win.txt")} {
		if _, err := os.Stat(evil); err == nil {
			t.Errorf("%s was written", evil)
		}
	}
	if parent > mostParent || child > mostChild {
		t.Errorf("too much memory: %d KB, of a child %d KB", parent, child)
	}
}
