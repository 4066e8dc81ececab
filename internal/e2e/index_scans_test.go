package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vademecum/docs/extract/extracttest"
	"vademecum/docs/ocr/ocrtest"
)

// TestWaitsForRecognition: a command that waits for another one's OCR says so in the user's
// language.
func TestWaitsForRecognition(t *testing.T) {
	t.Parallel()
	dir, file, program, cache := t.TempDir(), indexFile(t), ocrtest.Program(t, ocrtest.Hanging), cacheWithEngine(t)
	if err := os.WriteFile(filepath.Join(dir, "scan.pdf"), extracttest.PDF("", extracttest.PDFScan(10)), 0o644); err != nil {
		t.Fatal(err)
	}
	start := func(language string) (*exec.Cmd, *bufio.Scanner) {
		c := vademecum(t, "index", dir, "--index", file, "--ocr", program, "--lang", language)
		c.Env = append(c.Env, "XDG_CACHE_HOME="+cache, "LOCALAPPDATA="+cache, "HOME="+cache)
		said, err := c.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
		return c, bufio.NewScanner(said)
	}
	first, _ := start("en")
	await(t, "a page is recognised", func() bool { return len(ocrtest.Read(t, program)) > 0 })
	if err := os.WriteFile(filepath.Join(dir, "new.md"), []byte("alpha"), 0o644); err != nil {
		t.Fatal(err)
	}
	for language, want := range map[string]string{
		"en": "process %d indexes %s or recognises text in it: waiting for it",
		"zh": "进程 %d 正在为 %s 建立索引或识别文字，等待其完成",
	} {
		c, lines := start(language)
		var said []string // on a slow machine this includes progress
		late := time.AfterFunc(longestWait, func() { _ = c.Process.Kill() })
		for want := fmt.Sprintf(want, first.Process.Pid, dir); !slices.Contains(said, want); said = append(said, lines.Text()) {
			if !lines.Scan() {
				t.Fatalf("it says %q, want %q: %v, %v", said, want, lines.Err(), c.Wait())
			}
		}
		late.Stop()
	}
}

// TestKillWhileRecognising: an indexer that is killed repeatedly between pages of a scan
// finishes, and recognises no page twice.
func TestKillWhileRecognising(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it draws for long")
	}
	const pages = 6
	var scans []string
	for i := range pages {
		scans = append(scans, extracttest.PDFScan(40*i))
	}
	dir, cache, program := t.TempDir(), cacheWithEngine(t), ocrtest.Program(t, ocrtest.Working)
	if err := os.WriteFile(filepath.Join(dir, "scan.pdf"), extracttest.PDF("", scans...), 0o644); err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) *exec.Cmd {
		c := vademecum(t, append(args, "--ocr", program)...)
		c.Env = append(c.Env, "XDG_CACHE_HOME="+cache, "LOCALAPPDATA="+cache, "HOME="+cache)
		return c
	}
	saved := func() (lines []string) {
		files, err := filepath.Glob(filepath.Join(cache, "*", "recognised-1", "*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, strings.FieldsFunc(string(content), func(r rune) bool { return r == '\n' })...)
		}
		return lines
	}
	for done := 1; done < pages; done += 2 {
		c := command("index", dir)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if !poll(longestWait, func() bool { return len(saved()) >= done }) {
			t.Fatalf("after %v, there are %d pages, want %d", longestWait, len(saved()), done)
		}
		_ = c.Process.Kill() // the process may have ended already
		_ = c.Wait()
	}
	if out, err := command("index", dir).CombinedOutput(); err != nil || !strings.Contains(string(out), "1 in total.") {
		t.Fatalf("the run after the kills: %s %v", out, err)
	}
	lines := saved()
	if slices.Sort(lines); len(lines) != pages || len(slices.Compact(lines)) != pages {
		t.Errorf("kept are %q", lines)
	}
	read := ocrtest.Read(t, program)
	if slices.Sort(read); len(slices.Compact(read)) != pages || len(read) > pages+pages/2 { // at each kill, one page may not have been saved
		t.Errorf("read were %v", read)
	}
	if out, err := command("status", dir).CombinedOutput(); err != nil || !strings.Contains(string(out), "recognised: 1 (documents") {
		t.Errorf("it says %s %v", out, err)
	}
}

// TestLanguageThatIsNotInstalled: a command that names a language for existing scans reports by its
// exit code that it is not installed. Everything else is indexed, and questions are answered.
func TestLanguageThatIsNotInstalled(t *testing.T) {
	t.Parallel()
	dir, cache, program := t.TempDir(), cacheWithEngine(t), ocrtest.Program(t, ocrtest.Working)
	write := func(name string, content []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) (out, said string, code int) {
		var stdout, stderr strings.Builder
		c := vademecum(t, append(args, "--ocr", program, "--ocr-lang", "fra")...)
		c.Env = append(c.Env, "XDG_CACHE_HOME="+cache, "LOCALAPPDATA="+cache, "HOME="+cache)
		c.Stdout, c.Stderr = &stdout, &stderr
		if err := c.Run(); err != nil && c.ProcessState == nil {
			t.Fatal(err)
		}
		return stdout.String(), stderr.String(), c.ProcessState.ExitCode()
	}
	write("a.md", []byte("Ramipril once a day"))
	if _, said, code := run("index", dir); code != 0 {
		t.Errorf("without scans it exits %d: %s", code, said)
	}
	write("scan.pdf", extracttest.PDF("", extracttest.PDFScan(40)))
	write("b.md", []byte("Metoprolol twice a day"))
	const why = "the text of scanned pages is not recognised: the language fra of tesseract is not installed; installed are: osd, eng, chi_sim, deu"
	out, said, code := run("index", dir)
	if code != 1 || !strings.HasPrefix(out, "Indexed 1 document; 2 in total.") || strings.Count(said, "fra") != 1 || !strings.Contains(said, why) {
		t.Errorf("index exits %d: %s%s", code, out, said)
	}
	const unread = "The text of 1 scanned page is not recognised: the language fra of tesseract is not installed"
	if out, said, code := run("search", dir, "Metoprolol"); code != 0 || !strings.Contains(out, "twice a day") || !strings.Contains(said, unread) {
		t.Errorf("search exits %d: %s%s", code, out, said)
	}
	if out, said, code := run("find", dir, "Metoprolol"); code != 0 || !strings.Contains(out, "twice a day") || !strings.Contains(said, unread) {
		t.Errorf("find exits %d: %s%s", code, out, said)
	}
}

// TestStatusOfScans: status explains why waiting scans are not recognised.
func TestStatusOfScans(t *testing.T) {
	t.Parallel()
	dir, cache := t.TempDir(), cacheWithEngine(t)
	if err := os.WriteFile(filepath.Join(dir, "scan.pdf"), extracttest.PDF("", extracttest.PDFScan(40)), 0o644); err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) string {
		c := vademecum(t, args...)
		c.Env = append(c.Env, "XDG_CACHE_HOME="+cache, "LOCALAPPDATA="+cache, "HOME="+cache)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s %v", args, out, err)
		}
		return string(out)
	}
	command("index", dir, "--ocr", "off")
	for program, want := range map[string]string{
		ocrtest.Working:    "to recognise: scanned pages: 1, pictures: 0;",
		ocrtest.OldVersion: "not recognised: scanned pages: 1, pictures: 0: tesseract 3.05.02 is too old: version 4 or later is needed\n",
	} {
		found := ocrtest.Program(t, program)
		out := command("status", dir, "--ocr", found)
		for start := time.Now(); strings.Contains(out, "does not answer") && time.Since(start) < longestWait; { // on a slow machine the program may not answer in time for status
			out = command("status", dir, "--ocr", found)
		}
		if !strings.Contains(out, want) {
			t.Errorf("with %s it says %s, want %s", program, out, want)
		}
	}
}

// TestIndexKilled checks that if the OCR program is killed each time, scans are reported as
// waiting, and index fails.
func TestIndexKilled(t *testing.T) {
	t.Parallel()
	dir, cache := t.TempDir(), cacheWithEngine(t)
	for name, shade := range map[string]int{"one.pdf": 40, "two.pdf": 80} {
		if err := os.WriteFile(filepath.Join(dir, name), extracttest.PDF("", extracttest.PDFScan(shade)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := vademecum(t, "index", dir, "--ocr", ocrtest.Program(t, ocrtest.AlwaysKilled))
	c.Env = append(c.Env, "XDG_CACHE_HOME="+cache, "LOCALAPPDATA="+cache, "HOME="+cache)
	out, err := c.CombinedOutput()
	if code := c.ProcessState.ExitCode(); code != 1 {
		t.Errorf("it ends with %d, %v", code, err)
	}
	for _, want := range []string{
		"- a scan or picture waiting for text recognition: one.pdf, two.pdf\n",
		"vademecum: the text of scanned pages is not recognised: tesseract was killed, perhaps because memory ran out\n",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("it says %s, want %s", out, want)
		}
	}
}
