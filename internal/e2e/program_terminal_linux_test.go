package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"vademecum/docs/extract/extracttest"
	"vademecum/docs/ocr/ocrtest"
)

// TestProgressOnATerminal: at the end nothing is left of the progress line, however
// narrow the terminal.
func TestProgressOnATerminal(t *testing.T) {
	t.Parallel()
	dir := manyNotes(t, 30)
	for _, columns := range []int{8, 20, 30, 40, 60, 80, 200} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			t.Parallel()
			model, seen := newProvider(t), make(chan struct{})
			model.replyWith(func(*call) reply {
				return func(p *provider, w http.ResponseWriter, r *http.Request, c *call) bool {
					<-seen
					return answerRight(p, w, r, c)
				}
			})
			term := newTerminal(t, columns)
			c := vademecum(t, "index", dir, "--index", indexFile(t), "--embed", model.spec("m"))
			c.Stdout, c.Stderr = term.slave, term.slave
			go func() {
				defer close(seen)
				poll(longestWait, func() bool {
					return strings.Count(term.text(), "0 %")+strings.Count(term.text(), "embedded 0 of 30") > 2
				})
			}()
			got := term.run(t, c)
			if !strings.Contains(got, "0 %") && !strings.Contains(got, "0 of 30") {
				t.Errorf("no progress was shown: %q", got)
			}
			if shown := strings.ReplaceAll(strings.Join(screen(got, columns), ""), " ", ""); shown != "Indexed30documents;30intotal." {
				t.Errorf("the screen shows %q, after %q", shown, got)
			}
		})
	}
}

func TestPassagesOnATerminal(t *testing.T) {
	t.Parallel()
	const text = "Warfarin needs regular blood tests and a steady diet, for instance with spinach; see https://example.org/an/address/that/is/wider/than/that.\n\n" +
		"华法林需要定期验血，饮食要稳定（例如“菠菜”的量），换药之前一定要先问医生，不要自己停药。\n\nA red \uFFFD[31mline\uFFFD[0m.\n" // as it is shown
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte(strings.ReplaceAll(text, "\uFFFD", "\x1b")), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"search", dir, "warfarin 华法林", "--index", indexFile(t)}
	piped, err := vademecum(t, args...).Output()
	if want := "1. a.md, lines 1-5 (score 1.00)\n\n   " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n   ") + "\n\n"; err != nil || string(piped) != want {
		t.Errorf("%v\nwithout a terminal it prints\n%q, want\n%q", err, piped, want)
	}
	for _, columns := range []int{20, 33, 40, 60} {
		term := newTerminal(t, columns)
		c := vademecum(t, args...)
		c.Stdout = term.slave
		got := strings.ReplaceAll(term.run(t, c), "\r\n", "\n")
		if strings.Contains(got, "\x1b") || !strings.Contains(got, "�[31mline") {
			t.Errorf("%d columns: the document commands the terminal: %q", columns, got)
		}
		if joined := strings.Join(strings.Fields(got), ""); joined != strings.Join(strings.Fields(strings.ReplaceAll(string(piped), "\x1b", "�")), "") {
			t.Errorf("%d columns: the text is another: %q", columns, got)
		}
		for line := range strings.Lines(got) {
			line = strings.TrimSuffix(line, "\n")
			taken := 0
			for _, r := range line {
				if taken++; unicode.Is(unicode.Han, r) || strings.ContainsRune("，。（）", r) {
					taken++
				}
			}
			long := strings.Contains(line, "https:")
			if taken > columns && !long {
				t.Errorf("%d columns: %q takes %d", columns, line, taken)
			}
			if first := strings.TrimLeft(line, " "); strings.HasPrefix(first, "，") || strings.HasPrefix(first, "。") || strings.HasSuffix(line, "（") {
				t.Errorf("%d columns: punctuation is parted: %q", columns, line)
			}
		}
		for word := range strings.FieldsSeq("Warfarin needs regular instance spinach; 31mline") {
			if !strings.Contains(got, word) {
				t.Errorf("%d columns: %q is broken in\n%s", columns, word, got)
			}
		}
	}
}

// TestServeOnATerminal: a user who starts by hand what a host should start gets a hint,
// and stdout stays reserved for the protocol.
func TestServeOnATerminal(t *testing.T) {
	t.Parallel()
	term, dir := newTerminal(t, 80), manyNotes(t, 1)
	c := vademecum(t, "serve", dir, "--index", indexFile(t))
	var stdout, stderr bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = term.slave, &stdout, &stderr
	if _, err := term.master.WriteString("\x04"); err != nil { // Ctrl-D
		t.Fatal(err)
	}
	term.run(t, c)
	if said := stderr.String(); strings.Count(said, "\n") != 3 || !strings.Contains(said, "waiting for an MCP host") || !strings.Contains(said, "vademecum search "+dir) {
		t.Errorf("it says %q", said)
	}
	for line := range strings.Lines(stdout.String()) {
		if !strings.HasPrefix(line, "{") {
			t.Errorf("stdout has %q", line)
		}
	}
}

// TestInterrupted: an interrupted command has the exit code of its signal.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	for signal, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		model, asked := newProvider(t), make(chan struct{}, 100)
		model.replyWith(func(*call) reply {
			return func(p *provider, _ http.ResponseWriter, _ *http.Request, _ *call) bool {
				asked <- struct{}{}
				<-p.done
				return false
			}
		})
		c := vademecum(t, "index", manyNotes(t, 3), "--index", indexFile(t), "--embed", model.spec("m"))
		var stderr bytes.Buffer
		c.Stderr = &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		<-asked
		_ = c.Process.Signal(signal)
		err := c.Wait()
		if ended := new(exec.ExitError); !errors.As(err, &ended) || ended.ExitCode() != code || stderr.String() != "vademecum: interrupted; what was indexed or fetched is kept\n" {
			t.Errorf("%v: %v, want %d; it says %q", signal, err, code, &stderr)
		}
	}
}

// TestInterruptedRecognising: so does a command that is interrupted during OCR, without further
// output.
func TestInterruptedRecognising(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ language, said string }{
		{"en", "vademecum: interrupted; what was indexed or fetched is kept\n"},
		{"zh", "vademecum：已中断；已索引或下载的内容会保留\n"},
	} {
		dir, program := t.TempDir(), ocrtest.Program(t, ocrtest.Hanging)
		if err := os.WriteFile(filepath.Join(dir, "scan.pdf"), extracttest.PDF("", extracttest.PDFScan(10)), 0o644); err != nil {
			t.Fatal(err)
		}
		c := vademecum(t, "index", dir, "--index", indexFile(t), "--ocr", program, "--lang", test.language)
		cache := cacheWithEngine(t)
		c.Env = append(c.Env, "XDG_CACHE_HOME="+cache, "HOME="+cache)
		var stderr bytes.Buffer
		c.Stderr = &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		await(t, "a page is recognised", func() bool { return len(ocrtest.Read(t, program)) > 0 })
		_ = c.Process.Signal(syscall.SIGINT)
		err := c.Wait()
		lines := slices.DeleteFunc(strings.SplitAfter(stderr.String(), "\n"), func(line string) bool {
			return slices.ContainsFunc([]string{"indexed ", "recognised ", "已索引", "已识别"}, func(progress string) bool { return strings.HasPrefix(line, progress) })
		}) // progress, on a slow machine
		if ended := new(exec.ExitError); !errors.As(err, &ended) || ended.ExitCode() != 130 || strings.Join(lines, "") != test.said {
			t.Errorf("%v; it says %q", err, &stderr)
		}
	}
}

// TestReaderGone checks that a reader that closes the pipe early causes no error.
func TestReaderGone(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := vademecum(t, "completion", "bash")
	var stderr bytes.Buffer
	c.Stdout, c.Stderr = writer, &stderr
	_ = reader.Close()
	err = c.Run()
	_ = writer.Close()
	ended := new(exec.ExitError)
	if !errors.As(err, &ended) || ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGPIPE || stderr.Len() > 0 {
		t.Errorf("%v; it says %q", err, &stderr)
	}
}

// TestNamesCommandNothing checks that control characters in names and texts of files, and in what
// was typed, reach neither a terminal nor a pipe.
func TestNamesCommandNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"red \x1b[31m\ndocuments:  999.md":           "# Warfarin \u009b2J \u202eadieh\n\nThe \x1b]0;owned\x07 dose of warfarin.\n",
		"bad \u2028 \x1b[2J\nindexer:    nobody.pdf": "%PDF-1.4",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	index := indexFile(t)
	for _, args := range [][]string{
		{"index", dir}, {"search", dir, "warfarin"}, {"status", dir}, {"search", dir, "warfarin", "--path", "x\x1b[31m\ny"}, {"search", dir + "\x1b[31m\nnone", "warfarin"},
	} {
		for _, onTerminal := range []bool{false, true} {
			c := vademecum(t, append(args, "--index", index)...)
			var out string
			if onTerminal {
				term := newTerminal(t, 120)
				c.Stdout, c.Stderr = term.slave, term.slave
				_ = term.wait(t, c) // some of these fail with a message
				out = strings.ReplaceAll(term.text(), "\r\n", "\n")
			} else {
				piped, _ := c.CombinedOutput()
				out = string(piped)
			}
			if strings.ContainsAny(out, "\x1b\x07\u009b\u202e\u2028") {
				t.Errorf("%q, on a terminal %v: %q", args, onTerminal, out)
			}
			for line := range strings.Lines(out) {
				if strings.HasPrefix(line, "documents:  999") || strings.HasPrefix(line, "indexer:    nobody") {
					t.Errorf("%q, on a terminal %v: a name forges the line %q", args, onTerminal, line)
				}
			}
		}
	}
}
