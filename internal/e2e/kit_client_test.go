package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// client starts a server and queries it, also from several goroutines at once. Unlike a
// host it returns errors: its program may be killed.
type client struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	ended chan struct{} // closed when the program's output has ended

	mu      sync.Mutex
	next    int
	waiting map[string]chan serverMessage // channels for the responses, by the ID of the request
	strays  []string                      // lines that are no message, or a response that no call waits for
}

// longestCall is the time limit of a call.
const longestCall = time.Minute

// connect starts the command, which must serve, and initializes it.
func connect(t testing.TB, c *exec.Cmd) *client {
	t.Helper()
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
	s := &client{cmd: c, in: in, ended: make(chan struct{}), waiting: make(map[string]chan serverMessage)}
	go s.listen(out)
	t.Cleanup(s.kill)
	if _, err := s.call("initialize", initialize); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil {
		t.Fatal(err)
	}
	return s
}

// kill kills the program, like a crash, if it is running.
func (s *client) kill() {
	_ = s.cmd.Process.Kill()
	<-s.ended
	_ = s.cmd.Wait()
}

// listen passes each response to the call that waits for it.
func (s *client) listen(out io.Reader) {
	defer close(s.ended)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var m serverMessage
		isMessage := json.Unmarshal(lines.Bytes(), &m) == nil // otherwise its caller reports the missing answer
		s.mu.Lock()
		if c := s.waiting[string(m.ID)]; c != nil {
			c <- m
			delete(s.waiting, string(m.ID))
		} else if !isMessage || m.Method == "" {
			s.strays = append(s.strays, lines.Text())
		}
		s.mu.Unlock()
	}
}

// call sends a request and returns the result.
func (s *client) call(method, params string) (json.RawMessage, error) {
	answer, err := s.send(method, params)
	if err != nil {
		return nil, err
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		return m.Result, nil
	case <-s.ended:
		return nil, fmt.Errorf("%s: the server has ended", method)
	case <-time.After(longestCall):
		return nil, fmt.Errorf("%s: no answer in %s", method, longestCall)
	}
}

func (s *client) send(method, params string) (<-chan serverMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	id := strconv.Itoa(s.next)
	answer := make(chan serverMessage, 1)
	s.waiting[id] = answer
	_, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`+"\n", id, method, params)
	return answer, err
}

// content is a block of a tool's result.
type content struct {
	Type, Text string
	Resource   struct {
		URI, Text string
		Meta      struct {
			Score                   float64
			LexicalRank, VectorRank int
		} `json:"_meta"`
	}
}

func (s *client) tool(name, arguments string) ([]content, error) {
	raw, err := s.call("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments))
	if err != nil {
		return nil, err
	}
	return contents(name, raw)
}

// contents returns the blocks of a tool's result.
func contents(name string, raw json.RawMessage) ([]content, error) {
	var result struct {
		Content []content
		IsError bool
	}
	if err := json.Unmarshal(raw, &result); err != nil || len(result.Content) == 0 {
		return nil, fmt.Errorf("%s: %s, %w", name, raw, err)
	}
	if result.IsError {
		return nil, fmt.Errorf("%s: %s", name, result.Content[0].Text)
	}
	return result.Content, nil
}

// retrieve requests ten passages.
func (s *client) retrieve(query string) (found, error) {
	blocks, err := s.tool("retrieve_docs", fmt.Sprintf(`{"query":%q,"top_k":10}`, query))
	if err != nil {
		return found{}, err
	}
	return foundIn(blocks), nil
}

// foundIn returns the answer of retrieve_docs that is in the blocks of its result.
func foundIn(blocks []content) (f found) {
	for _, b := range blocks {
		if b.Type == "resource" {
			r := b.Resource
			f.Passages = append(f.Passages, foundPassage{r.URI, r.Text, r.Meta.Score, r.Meta.LexicalRank, r.Meta.VectorRank})
			continue
		}
		for line := range strings.Lines(b.Text) {
			if strings.HasPrefix(line, "Note: ") {
				f.Notes = append(f.Notes, strings.TrimSpace(line))
			}
		}
	}
	return f
}

// wait waits for the end of the program, after the end of its output.
func (s *client) wait() error {
	<-s.ended
	return s.cmd.Wait()
}

// state returns a server's list of documents, and its answers to the questions.
func (s *client) state() (list string, answers []found, err error) {
	for cursor := ""; ; {
		blocks, err := s.tool("list_docs", fmt.Sprintf(`{"cursor":%q}`, cursor))
		if err != nil {
			return "", nil, err
		}
		page, more, ok := strings.Cut(blocks[0].Text, "More: call list_docs with cursor ")
		list += page
		if !ok {
			break
		}
		if _, err := fmt.Sscanf(more, "%q", &cursor); err != nil {
			return "", nil, fmt.Errorf("cursor %s: %w", more, err)
		}
	}
	for _, q := range questions {
		f, err := s.retrieve(q)
		if err != nil {
			return "", nil, err
		}
		answers = append(answers, f)
	}
	return list, answers, nil
}

// resources lists the URIs of all documents, sorted.
func (s *client) resources() (uris []string, err error) {
	for params := `{}`; ; {
		raw, err := s.call("resources/list", params)
		if err != nil {
			return nil, err
		}
		var page struct {
			Resources  []struct{ URI string }
			NextCursor string
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			return nil, err
		}
		for _, r := range page.Resources {
			uris = append(uris, r.URI)
		}
		if page.NextCursor == "" {
			slices.Sort(uris)
			return uris, nil
		}
		params = fmt.Sprintf(`{"cursor":%q}`, page.NextCursor)
	}
}
