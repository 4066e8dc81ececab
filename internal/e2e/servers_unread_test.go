package e2e

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestUnreadStderr: a host that does not read stderr is answered all the same, and when
// it reads again gets how many lines were dropped, and the last.
func TestUnreadStderr(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	c := vademecum(t, "serve", "--log-level=info", "--log-queries", ownIndex(t), manyNotes(t, 3))
	c.Stderr = write
	s := connect(t, c)
	if err := write.Close(); err != nil {
		t.Fatal(err)
	}
	const calls = 100
	for i := range calls { // 6 MB, where a pipe takes 64 KB
		if _, err := s.tool("retrieve_docs", fmt.Sprintf(`{"query": "note %d %s"}`, i, strings.Repeat("word ", 800))); err != nil {
			t.Fatal(err)
		}
	}
	said := make(chan string)
	go func() {
		all, _ := io.ReadAll(read)
		said <- string(all)
	}()
	if err := s.in.Close(); err != nil {
		t.Fatal(err)
	}
	log := <-said
	if n := strings.Count(log, " lines were dropped here, as nobody read them"); n != 1 {
		t.Errorf("it is told %d times that lines were dropped", n)
	}
	if last := fmt.Sprintf("note %d ", calls-1); !strings.Contains(log, "note 0 ") || !strings.Contains(log, last) {
		t.Errorf("%d bytes without the first line, or the last", len(log))
	}
}

// TestUnreadStdout: a host that asks and reads no answers uses few resources, while
// another server on the folder answers with recently saved files.
func TestUnreadStdout(t *testing.T) {
	t.Parallel()
	dir, index := manyNotes(t, 50), ownIndex(t)
	c := vademecum(t, "serve", index, dir) // which indexes
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	fmt.Fprintf(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":%s}`+"\n", initialize)
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	s := connect(t, vademecum(t, "serve", index, dir))
	awaitAnswer(t, s, isWhole)
	var sent atomic.Int64
	go func() {
		ask := `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"retrieve_docs","arguments":{"query":"note %s"}}}` + "\n"
		for i := 1; ; i++ {
			if _, err := fmt.Fprintf(in, ask, i, strings.Repeat("x", 2000)); err != nil {
				return
			}
			sent.Add(1)
		}
	}()
	for i := range 10 {
		word := fmt.Sprintf("ocarina%d", i)
		writeText(t, filepath.Join(dir, "new.md"), "# New\n\nThe "+word+" plays.\n")
		await(t, "what was saved", func() bool {
			f, err := s.retrieve(word)
			return err == nil && len(f.Passages) > 0 && strings.Contains(f.Passages[0].Text, word)
		})
	}
	if n := sent.Load(); n < 100 || n > 500 { // 256, 100 that wait, and what the pipe holds
		t.Errorf("%d requests are taken", n)
	}
}
