// Package bridge connects a host that speaks the Model Context Protocol over pipes to a server over
// HTTP. It forwards messages unchanged, in all versions of the protocol, and survives outages of
// the server: it replaces a session that the server has forgotten, and repeats pending requests
// where that is safe.
package bridge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// TokenVariable is the environment variable that contains the user's token for the server.
const TokenVariable = "VADEMECUM_TOKEN"

// Options configures a bridge.
type Options struct {
	URL       string
	Token     string          // bearer token; "" for none
	Header    http.Header     // HTTP headers to send with each request
	Transport *http.Transport // nil means http.DefaultTransport
	// RetryTimeout is how long requests to an unreachable server are repeated before they fail, without the
	// time in which this process is stopped; 0 means 30 s.
	RetryTimeout  time.Duration
	MaxRetryPause time.Duration // longest pause between two attempts; 0 means 5 s
	Logger        *slog.Logger  // nil means slog.Default

	// called when the server cannot be reached, or has not answered a request for a while; may be nil
	OnUnresponsive     func()
	AllCallsIdempotent bool // all tools of the server are idempotent, so that every call may be repeated

	// ChangesSession reports whether an answered tool call has changed the state of its session. Such
	// calls are repeated in a session that replaces it. If nil, no call changes the state.
	ChangesSession func(call []byte) bool
}

const (
	patience = 30 * time.Second // default of Options.RetryTimeout; hosts wait about a minute for a call
	// lastWords is how long responses may still be written after the host has closed its end: hosts
	// wait 2 s before they kill this process.
	lastWords    = 1500 * time.Millisecond
	farewell     = 300 * time.Millisecond // time limit for ending the session at the server
	longestPause = 5 * time.Second        // default of Options.MaxRetryPause
	slowAfter    = 100 * time.Millisecond // how long most responses take at most; after that the server may be stopped
)

// bridge is the state of a call of Run.
type bridge struct {
	o      Options
	client *http.Client
	ctx    context.Context // context of work that is not for a single request
	group  sync.WaitGroup  // counts the goroutines that are running
	awake  awakeClock      // what RetryTimeout is measured with

	writing sync.Mutex
	out     io.Writer

	renewing sync.Mutex

	mu       sync.Mutex // guards the fields below
	session  session
	began    sessionOpening
	asked    map[string]pendingRequest // pending requests by ID
	harmless map[string]bool           // names of the idempotent tools, calls of which may be repeated
	trouble  string                    // the problem that was logged last; "" while the server can be reached
}

// Run forwards messages between a host, which it reads from hostIn and writes to hostOut, and a
// server over HTTP, until hostIn ends or ctx is done. Neither is an error.
func Run(ctx context.Context, hostIn io.Reader, hostOut io.Writer, o Options) error {
	if o.RetryTimeout == 0 {
		o.RetryTimeout = patience
	}
	if o.MaxRetryPause == 0 {
		o.MaxRetryPause = longestPause
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.OnUnresponsive == nil {
		o.OnUnresponsive = func() {}
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if o.Transport != nil {
		client.Transport = o.Transport
	}
	b := &bridge{o: o, client: client, out: hostOut, asked: make(map[string]pendingRequest), harmless: make(map[string]bool)}
	var stop context.CancelFunc
	b.ctx, stop = context.WithCancel(ctx)
	defer b.group.Wait()
	defer stop()
	b.group.Go(func() { b.awake.run(b.ctx) })
	lines := make(chan []byte, 1024)
	readErr := make(chan error, 1)
	go func() {
		defer close(lines)
		defer time.AfterFunc(lastWords, stop)
		readErr <- readLines(b.ctx, hostIn, lines)
	}()
	asking := b.forwardLines(lines)
	select {
	case <-asking:
	case <-b.ctx.Done():
	}
	stop()
	b.endSession()
	select {
	case err := <-readErr:
		if errors.Is(err, errTooLong) {
			return err
		}
	default: // it is notified already
	}
	return nil
}

// readLines reads messages until in ends.
func readLines(ctx context.Context, in io.Reader, lines chan<- []byte) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(r)
		if line = bytes.TrimSpace(line); len(line) > 0 {
			select {
			case lines <- line:
			case <-ctx.Done():
				return nil
			}
		}
		if err != nil {
			return err
		}
	}
}

// forwardLines forwards the messages of the host until there are no more, requests concurrently.
// The channel is closed when all requests have been answered.
func (b *bridge) forwardLines(lines <-chan []byte) (answered <-chan struct{}) {
	var asking sync.WaitGroup
	for open := true; open; {
		select {
		case <-b.ctx.Done():
			open = false
		case line, ok := <-lines:
			if open = ok; ok {
				b.forwardLine(line, &asking)
			}
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		asking.Wait()
	}()
	return done
}

func (b *bridge) forwardLine(line []byte, asking *sync.WaitGroup) {
	m, ok := parseMessage(line)
	switch {
	case !ok:
		b.writeLine(errorAnswer(nil, codeParse, "Parse error: the line is no message"))
	case m.method == methodInitialize:
		b.forwardRequest(b.ctx, m) // nothing else may be sent before the response to initialize
	case m.method == methodInitialized:
		b.forwardNotification(m)
	case m.method == methodCancelled:
		b.group.Go(func() { b.forwardCancel(m) })
	case !m.isRequest():
		b.group.Go(func() { b.forwardNotification(m) })
	case m.method == methodListen: // a stream ends only with the host, so that it is not waited for
		b.forwardAsync(m, func() {})
	default:
		asking.Add(1)
		b.forwardAsync(m, asking.Done)
	}
}

// pendingRequest is a request that has not been answered yet.
type pendingRequest struct {
	message
	stop context.CancelFunc
}

// forwardAsync forwards a request without waiting for its response, and calls done after that.
func (b *bridge) forwardAsync(m message, done func()) {
	ctx, stop := context.WithCancel(b.ctx)
	b.mu.Lock()
	b.asked[string(m.id)] = pendingRequest{m, stop}
	b.mu.Unlock()
	b.group.Go(func() {
		defer done()
		defer stop()
		b.forwardRequest(ctx, m)
		b.mu.Lock()
		delete(b.asked, string(m.id))
		b.mu.Unlock()
	})
}

// forwardCancel forwards a cancellation by the host. In versions without sessions it ends the HTTP
// request, which cancels it.
func (b *bridge) forwardCancel(m message) {
	b.mu.Lock()
	at, ok := b.asked[m.stops]
	b.mu.Unlock()
	if ok {
		defer at.stop()
	}
	if !ok || !at.isStateless() {
		b.forwardNotification(m)
	}
}

// forwardRequest forwards a request, and returns when it has been answered or has failed.
func (b *bridge) forwardRequest(ctx context.Context, m message) {
	late := time.AfterFunc(slowAfter, b.o.OnUnresponsive)
	defer late.Stop()
	tries := 0
	err := b.retry(ctx, m, func(s session) error {
		tries++
		var answer []byte
		var result json.RawMessage
		header, err := b.post(ctx, s, m, func(text []byte, e envelope) {
			if len(m.of) == 0 && e.answers(m) {
				answer, result = text, e.Result
				return
			}
			b.writeLine(text)
			if e.Method == methodAcknowledged && tries > 1 {
				b.notifyChanged(listsListenedTo(m))
			}
		})
		if err != nil {
			return err
		}
		b.noteAnswer(m, header, result) // before the host can react
		if answer != nil {
			b.writeLine(answer)
		}
		return nil
	})
	if err == nil || ctx.Err() != nil {
		return
	}
	if len(m.of) == 0 {
		b.writeLine(errorAnswer(m.id, codeUnreachable, err.Error()))
	}
	for _, id := range m.of {
		b.writeLine(errorAnswer(json.RawMessage(id), codeUnreachable, err.Error()))
	}
}

// forwardNotification forwards a message that has no response.
func (b *bridge) forwardNotification(m message) {
	err := b.retry(b.ctx, m, func(s session) error {
		_, err := b.post(b.ctx, s, m, func([]byte, envelope) {})
		return err
	})
	if err == nil && m.method == methodInitialized {
		b.noteForRestore(m)
		b.awaitStream(b.listenToSession(b.currentSession()))
	}
}

// noteAnswer records what is needed later from the response to a request.
func (b *bridge) noteAnswer(m message, header http.Header, result json.RawMessage) {
	switch m.method {
	case methodInitialize:
		b.noteInitialized(m, header, result)
	case methodCall:
		if result != nil && b.o.ChangesSession != nil && b.o.ChangesSession(m.text) {
			b.noteForRestore(m)
		}
	case methodSubscribe, methodUnsubscribe:
		if result != nil {
			b.noteForRestore(m)
		}
	case methodListTools:
		var list struct {
			Tools []struct {
				Name        string
				Annotations struct{ ReadOnlyHint, IdempotentHint bool }
			}
		}
		_ = json.Unmarshal(result, &list) // if that fails, no tool counts as idempotent
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, t := range list.Tools {
			b.harmless[t.Name] = t.Annotations.ReadOnlyHint || t.Annotations.IdempotentHint
		}
	}
}

// writeLine sends a message to the host. It ignores errors, as the goroutine that reads from the
// host notices when the host is gone.
func (b *bridge) writeLine(text []byte) {
	b.writing.Lock()
	defer b.writing.Unlock()
	_, _ = b.out.Write(append(text, '\n'))
}
