package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// asking is a client that sends lines as fast as they are read.
func asking(t *testing.T, out io.WriteCloser, lines func(yield func(string) bool)) *stdioTransport {
	t.Helper()
	in, to := io.Pipe()
	c := newStdioTransport(in, out)
	t.Cleanup(func() {
		_ = c.Close()
		<-c.ended
	})
	go func() {
		for line := range lines {
			if _, err := fmt.Fprintln(to, line); err != nil {
				return
			}
		}
	}()
	return c
}

// taken returns the IDs of the requests that have been passed to the SDK.
func taken(c *stdioTransport) (all []jsonrpc.ID) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second) // passes, in the synctest bubble, only when everything else waits
	defer cancel()
	for len(all) < 4*mostUnanswered {
		m, err := c.Read(ctx)
		if err != nil {
			break
		}
		if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
			all = append(all, r.ID)
		}
	}
	return all
}

func endless(params string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := 1; yield(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"a","params":%s}`, i, params)); i++ {
		}
	}
}

func answerTo(t *testing.T, c *stdioTransport, id jsonrpc.ID) {
	t.Helper()
	if err := c.Write(t.Context(), &jsonrpc.Response{ID: id, Result: json.RawMessage(`{}`)}); err != nil {
		t.Error(err)
	}
}

// TestUnanswered checks that a limited number of requests is accepted from a client that does not
// read, and one more for each response that it reads. A cancelled request counts until it has
// ended.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		out, reads := io.Pipe()
		c := asking(t, reads, endless("{}"))
		first := taken(c)
		if len(first) != mostUnanswered {
			t.Fatalf("%d requests are taken", len(first))
		}
		go answerTo(t, c, first[0]) // the client does not read the response
		if more := taken(c); len(more) != 0 {
			t.Errorf("%d more are taken while no answer is read", len(more))
		}
		if _, err := out.Read(make([]byte, 1000)); err != nil {
			t.Error(err)
		}
		if more := taken(c); len(more) != 1 {
			t.Errorf("%d more are taken after one answer", len(more))
		}
	})
}

// TestUnansweredBytes checks that fewer requests are accepted if they are large.
func TestUnansweredBytes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := make(chan struct{})
		c := asking(t, closer{io.Discard}, func(yield func(string) bool) {
			<-start
			endless(`"123456"`)(yield)
		})
		c.load.asked.add(requestLoad{bytes: mostUnansweredBytes - 20}) // as if a large request were unanswered
		close(start)
		first := taken(c)
		if len(first) != 3 {
			t.Fatalf("%d requests are taken", len(first))
		}
		answerTo(t, c, first[1])
		if more := taken(c); len(more) != 1 {
			t.Errorf("%d more are taken after one answer", len(more))
		}
	})
}

// TestUnansweredCancelled checks that a client that cancels its requests may not send more of them
// before these have ended.
func TestUnansweredCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := asking(t, closer{io.Discard}, func(yield func(string) bool) {
			for i := range mostUnanswered {
				yield(request(i))
				yield(cancellation(i))
			}
			endless("{}")(yield)
		})
		first := taken(c)
		if len(first) != mostUnanswered {
			t.Fatalf("%d requests are taken", len(first))
		}
		answerTo(t, c, first[7])
		if more := taken(c); len(more) != 1 {
			t.Errorf("%d more are taken after one has ended", len(more))
		}
	})
}

func request(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"a","params":{}}`, id)
}

func cancellation(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
}

// TestHeardWhileFull checks that at the limit a request in progress can be cancelled, a waiting one
// is cancelled without ever beginning, pings are passed on, and the end of input is noticed.
func TestHeardWhileFull(t *testing.T) {
	t.Parallel()
	for name, full := range map[string]requestLoad{"of requests": {requests: mostUnanswered - 1}, "of bytes": {1, mostUnansweredBytes - 1}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in, to := io.Pipe()
				var out bytes.Buffer
				c := newStdioTransport(in, closer{&out})
				c.load.asked.add(full)
				lines := make(chan string, 10)
				go func() {
					for line := range lines {
						_, _ = fmt.Fprintln(to, line)
					}
					_ = to.Close()
				}()
				next := func() string {
					ctx, cancel := context.WithTimeout(t.Context(), time.Second)
					defer cancel()
					m, err := c.Read(ctx)
					if err != nil {
						return err.Error()
					}
					r := m.(*jsonrpc.Request)
					return fmt.Sprint(r.Method, " ", r.ID.Raw())
				}
				for i, step := range []struct{ line, want string }{
					{request(1), "a 1"},
					{request(2), context.DeadlineExceeded.Error()},
					{request(3), context.DeadlineExceeded.Error()},
					{cancellation(2), context.DeadlineExceeded.Error()},
					{`{"jsonrpc":"2.0","id":4,"method":"ping"}`, "ping 4"},
					{cancellation(1), methodCancelled + " <nil>"},
				} {
					lines <- step.line
					if got := next(); got != step.want {
						t.Errorf("after line %d the SDK reads %s, want %s", i+1, got, step.want)
					}
				}
				for _, number := range []float64{1, 4} {
					id, _ := jsonrpc.MakeID(number)
					answerTo(t, c, id)
				}
				if got := next(); got != "a 3" {
					t.Errorf("with room the SDK reads %s", got)
				}
				lines <- request(5)
				close(lines)
				time.Sleep(2 * finalAnswerTimeout)
				if got := next(); got != io.EOF.Error() {
					t.Errorf("at the end the SDK reads %s", got)
				}
				if got := strings.TrimSpace(out.String()); got != `{"jsonrpc":"2.0","id":4,"result":{}}` {
					t.Errorf("the client hears %s", got)
				}
				_ = c.Close()
				<-c.ended
			})
		})
	}
}

// TestWaitingAtTheEnd checks that requests that are waiting when in ends are handled as long as
// there is time for the last responses.
func TestWaitingAtTheEnd(t *testing.T) {
	t.Parallel()
	var in bytes.Buffer
	for i := range mostUnanswered + mostAhead {
		fmt.Fprintln(&in, request(i))
	}
	_, out := exchange(t, in.Bytes())
	if n := bytes.Count(out, []byte(`"result"`)); n != mostUnanswered+mostAhead {
		t.Errorf("%d requests are answered", n)
	}
}

// TestReadAheadIsBounded checks that the pings and the waiting requests of a client that reads no
// responses are limited, and that a batch begins as a whole.
func TestReadAheadIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := asking(t, closer{io.Discard}, func(yield func(string) bool) {
			for i := 1; yield(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i)); i++ {
			}
		})
		first := taken(c)
		if len(first) != mostAhead {
			t.Errorf("%d pings are taken", len(first))
		}
		answerTo(t, c, first[0])
		if more := taken(c); len(more) != 1 {
			t.Errorf("%d more are taken after one answer", len(more))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		var sent atomic.Int64
		start := make(chan struct{})
		c := asking(t, closer{io.Discard}, func(yield func(string) bool) {
			<-start
			for i := range mostUnanswered - 1 {
				yield(request(i))
			}
			batch := make([]string, mostUnanswered+mostAhead)
			for i := range batch {
				batch[i] = request(mostUnanswered + i)
			}
			yield("[" + strings.Join(batch, ",") + "]")
			for i := 10 * mostUnanswered; yield(request(i)); i++ {
				sent.Add(1)
			}
		})
		c.version = batchProtocol
		close(start)
		first := taken(c)
		if want := 2*mostUnanswered + mostAhead - 1; len(first) != want {
			t.Fatalf("%d requests are taken, want %d", len(first), want)
		}
		if n := sent.Load(); n != mostAhead {
			t.Errorf("%d more are read", n)
		}
	})
}

// TestUnansweredBatch checks that a batch counts until its responses are written, which is after
// the last one.
func TestUnansweredBatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		one := `{"jsonrpc":"2.0","id":"%d-%d","method":"a"}`
		c := asking(t, closer{io.Discard}, func(yield func(string) bool) {
			for i := 1; ; i++ {
				var all []string
				for j := range 100 {
					all = append(all, fmt.Sprintf(one, i, j))
				}
				if !yield("[" + strings.Join(all, ",") + "]") {
					return
				}
			}
		})
		c.mu.Lock()
		c.version = batchProtocol
		c.mu.Unlock()
		first := taken(c)
		if len(first) != 300 {
			t.Fatalf("%d requests are taken", len(first))
		}
		for _, id := range first[:99] {
			answerTo(t, c, id)
		}
		if more := taken(c); len(more) != 0 {
			t.Errorf("%d more are taken before the batch is answered", len(more))
		}
		answerTo(t, c, first[99])
		if more := taken(c); len(more) != 100 {
			t.Errorf("%d more are taken after the batch", len(more))
		}
	})
}

// TestUnansweredBatchCancelled checks that a cancelled request of a batch counts until it has
// ended, independently of the responses to the others.
func TestUnansweredBatchCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := make(chan struct{})
		c := asking(t, closer{io.Discard}, func(yield func(string) bool) {
			<-start
			yield(`[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"a"},{"jsonrpc":"2.0","id":3,"method":"a"}]`)
			for i := range 2 {
				yield(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, i+1))
			}
		})
		c.version = batchProtocol
		close(start)
		batch := taken(c)
		for i, want := range []int{2, 1, 0} { // the only response, to the last request, does not wait for the end of the cancelled ones
			answerTo(t, c, batch[2-i])
			if got := c.load.asked.held.requests; got != want {
				t.Errorf("%d requests count after the end of %d, want %d", got, i+1, want)
			}
		}
	})
}

// TestStreamsAreFew checks that the number of open streams is limited, and that another may be
// opened when one has ended.
func TestStreamsAreFew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		c := asking(t, closer{&out}, func(yield func(string) bool) {
			for i := range mostStreams + 5 {
				yield(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen"}`, i))
			}
		})
		first := taken(c)
		synctest.Wait() // until the refusals are written
		if n := strings.Count(out.String(), "at most 100 streams"); len(first) != mostStreams || n != 5 {
			t.Errorf("%d streams are open, %d refused", len(first), n)
		}
		answerTo(t, c, first[0])
		if c.streams != mostStreams-1 {
			t.Errorf("%d streams are open after the end of one", c.streams)
		}
	})
}

// unread is the writer of a stream of which the client reads only the first event.
type unread struct {
	*httptest.ResponseRecorder
	opened chan string
	read   chan struct{}
}

func (u *unread) Write(text []byte) (int, error) {
	select {
	case u.opened <- string(text):
	default:
		<-u.read
	}
	return len(text), nil
}

// toUnread opens a session of HTTP+SSE whose stream is not read until read is closed. post sends a
// message in the session.
func toUnread(t *testing.T) (post func(message string) (status int), read chan struct{}) {
	t.Helper()
	s := New(nowhere{}, Options{Logger: quietLog})
	e := NewEndpoint(HTTPOptions{ChooseServer: func(*http.Request) *Server { return s }})
	stream := &unread{httptest.NewRecorder(), make(chan string, 1), make(chan struct{})}
	go e.ServeHTTP(stream, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/mcp", nil))
	_, to, _ := strings.Cut(<-stream.opened, "data: ")
	stream.opened <- "" // all further events wait
	return func(message string) int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, strings.TrimSpace(to), strings.NewReader(message))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		return w.Code
	}, stream.read
}

// TestUnansweredSSE checks that a client of HTTP+SSE that does not read its stream is refused
// further requests and pings until it reads, even if it reuses the ID of a request whose response
// is on its way.
func TestUnansweredSSE(t *testing.T) {
	t.Parallel()
	for name, id := range map[string]func(int) int{
		"another ID": func(i int) int { return i },
		"the same":   func(int) int { return 1 },
	} {
		t.Run(name, func(t *testing.T) {
			post, read := toUnread(t)
			ask := func(i int) int {
				return post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{}}`, id(i)))
			}
			refused := 0
			for i := range 5 * mostUnanswered {
				if ask(i) == http.StatusTooManyRequests {
					refused++
				}
			}
			if most := mostUnanswered + 110; 5*mostUnanswered-refused > most { // requests on their way to the SDK are not counted yet
				t.Errorf("%d requests are taken, want at most %d", 5*mostUnanswered-refused, most)
			}
			taken := 0
			for i := range 5 * mostAhead {
				if post(ping(fmt.Sprint(id(i)+10*mostUnanswered))) == http.StatusAccepted {
					taken++
				}
			}
			if taken < mostAhead || taken > mostAhead+110 {
				t.Errorf("%d pings are taken, want %d and those on their way", taken, mostAhead)
			}
			close(read)
			eventually(t, "more is taken when the stream is read", func() bool { return ask(-1) == http.StatusAccepted })
		})
	}
}

// passing is a connection whose client sends the messages in it.
type passing struct {
	mcp.Connection
	in  []jsonrpc.Message
	out []string
}

func (p *passing) Read(context.Context) (jsonrpc.Message, error) {
	if len(p.in) == 0 {
		return nil, io.EOF
	}
	m := p.in[0]
	p.in = p.in[1:]
	return m, nil
}

func (p *passing) Write(_ context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	p.out = append(p.out, string(text))
	return err
}

// TestRepeatedIDOverSSE checks that a request whose ID is in use is refused, and that the first
// request counts, and its ID is in use, until it is answered.
func TestRepeatedIDOverSSE(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		id, _ := jsonrpc.MakeID("a")
		ask := &jsonrpc.Request{ID: id, Method: "tools/list", Params: json.RawMessage("{}")}
		p := &passing{in: []jsonrpc.Message{ask, ask, &jsonrpc.Request{Method: methodCancelled}}}
		c := &countedConnection{Connection: p, load: newRequestQuota(), calls: make(map[jsonrpc.ID]accountedLoad)}
		for _, want := range []string{ask.Method, methodCancelled} {
			m, err := c.Read(t.Context())
			if err != nil || m.(*jsonrpc.Request).Method != want {
				t.Errorf("read %v: %v, want %s", m, err, want)
			}
		}
		synctest.Wait()
		if len(p.out) != 1 || !strings.Contains(p.out[0], idInUse) || !strings.Contains(p.out[0], `"id":"a"`) {
			t.Errorf("the client hears %q", p.out)
		}
		if want := (requestLoad{1, 2}); c.load.asked.held != want {
			t.Errorf("%v counts, want %v", c.load.asked.held, want)
		}
		if err := c.Write(t.Context(), &jsonrpc.Response{ID: id, Result: json.RawMessage("{}")}); err != nil {
			t.Error(err)
		}
		if c.load.asked.held != (requestLoad{}) || len(c.calls) != 0 {
			t.Errorf("after the answer %v counts, of %v", c.load.asked.held, c.calls)
		}
	})
}

// TestUnansweredSession checks that the number of requests in progress in a session is limited, and
// that a full session can still be ended.
func TestUnansweredSession(t *testing.T) {
	t.Parallel()
	c := openToSession(t)
	session, leave, ok := c.e.sessions.enterSession(c.name, "")
	if !ok {
		t.Fatalf("no session %q", c.name)
	}
	leave()
	session.load.asked.add(requestLoad{requests: mostUnanswered - 1})
	if w := c.post(listTools); w.Code != http.StatusOK {
		t.Errorf("with room for one: %d %s", w.Code, w.Body)
	}
	session.load.asked.add(requestLoad{requests: 1})
	if w := c.post(listTools); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("without room: %d %s", w.Code, w.Body)
	}
	w := httptest.NewRecorder()
	if c.send(t.Context(), w, http.MethodDelete, ""); w.Code != http.StatusNoContent {
		t.Errorf("the session ends with %d %s", w.Code, w.Body)
	}
}
