package bridge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// session is a session of the host at the server. The zero value means that there is none.
type session struct {
	number  int // serial number, which increases when a session is replaced
	id      string
	version string // protocol version
}

// sessionOpening holds the messages that gave a session its state, so that they can be repeated in
// another session.
type sessionOpening struct {
	ask     message // the initialize request
	ready   message // notifications/initialized; zero if it was not sent yet
	version string
	tells   announcedLists
	follows map[string]message // subscriptions, by URI
	calls   []message          // tool calls that have changed the state of the session
}

// announcedLists says of which lists the server announces changes.
type announcedLists struct {
	Tools, Prompts, Resources struct {
		ListChanged bool `json:"listChanged"`
	}
}

// currentSession returns the session that the latest initialize has opened. It locks mu.
func (b *bridge) currentSession() session {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.session
}

// noteInitialized records the session that the response to initialize has opened.
func (b *bridge) noteInitialized(ask message, header http.Header, result json.RawMessage) {
	var said struct {
		Version string         `json:"protocolVersion"`
		Tells   announcedLists `json:"capabilities"`
	}
	if json.Unmarshal(result, &said) != nil || said.Version == "" {
		return // an error response opens no session
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.began = sessionOpening{ask: ask, version: said.Version, tells: said.Tells, follows: make(map[string]message)}
	b.session = session{number: b.session.number + 1, id: header.Get("Mcp-Session-Id"), version: said.Version}
}

// noteForRestore records a message if it has to be repeated in a new session.
func (b *bridge) noteForRestore(m message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch m.method {
	case methodInitialized:
		b.began.ready = m
	case methodSubscribe:
		b.began.follows[m.uri] = m
	case methodUnsubscribe:
		delete(b.began.follows, m.uri)
	case methodCall:
		b.began.calls = append(b.began.calls, m)
		for size(b.began.calls) > mostRestored {
			b.began.calls = b.began.calls[1:]
		}
	}
}

// mostRestored is the maximum total size, in bytes, of the calls that are repeated in a new
// session.
const mostRestored = 64 << 20

func size(calls []message) (bytes int) {
	for _, m := range calls {
		bytes += len(m.text)
	}
	return bytes
}

// renewSession replaces a session that the server has forgotten: it repeats the messages that gave
// the session its state, and then notifies the host of everything that may have changed meanwhile.
func (b *bridge) renewSession(ctx context.Context, lost session) error {
	b.renewing.Lock()
	defer b.renewing.Unlock()
	b.mu.Lock()
	now, began := b.session, b.began
	b.mu.Unlock()
	if now.number != lost.number {
		return nil // another goroutine has replaced the session
	}
	if began.ask.text == nil {
		return errSession
	}
	var result json.RawMessage
	header, err := b.post(ctx, session{}, began.ask, func(_ []byte, e envelope) {
		if e.answers(began.ask) {
			result = e.Result
		}
	})
	if err != nil {
		return err
	}
	var said struct {
		Version string `json:"protocolVersion"`
	}
	if err := json.Unmarshal(result, &said); err != nil || said.Version != began.version {
		return fmt.Errorf("the server speaks version %q of the protocol now, not %q: start the host's session again", said.Version, began.version)
	}
	next := session{number: now.number + 1, id: header.Get("Mcp-Session-Id"), version: said.Version}
	if err := b.restoreSession(ctx, next, began); err != nil {
		return err
	}
	b.mu.Lock()
	b.session = next
	b.mu.Unlock()
	b.awaitStream(b.listenToSession(next))
	b.notifyChanged(b.listsMaybeChanged())
	return nil
}

// restoreSession repeats, in a new session, the messages that gave the previous one its state.
func (b *bridge) restoreSession(ctx context.Context, s session, began sessionOpening) error {
	silent := func([]byte, envelope) {}
	if began.ready.text != nil {
		if _, err := b.post(ctx, s, began.ready, silent); err != nil {
			return err
		}
	}
	b.mu.Lock()
	again := slices.Concat(slices.Collect(maps.Values(began.follows)), began.calls)
	b.mu.Unlock()
	for _, m := range again {
		if _, err := b.post(ctx, s, m, silent); err != nil {
			return err
		}
	}
	return nil
}

// attaching is how long to wait until the stream of a session's notifications is open.
const attaching = time.Second

// awaitStream waits until the stream of notifications is open, or a time limit has passed.
func (b *bridge) awaitStream(begun <-chan struct{}) {
	select {
	case <-begun:
	case <-time.After(attaching): // some servers send no headers before the first notification
	case <-b.ctx.Done():
	}
}

// listenToSession forwards the server's notifications in a session until the session ends. The
// channel is closed when the stream is open or cannot be opened.
func (b *bridge) listenToSession(s session) <-chan struct{} {
	begun := make(chan struct{})
	begin := sync.OnceFunc(func() { close(begun) })
	if s.id == "" {
		begin()
		return begun
	}
	b.group.Go(func() {
		defer begin()
		from := newEventReader(bytes.NewReader(nil))
		from.begun = begin
		never := func() bool { return false }
		for tries := 0; b.currentSession().number == s.number; tries++ {
			began := time.Now()
			err := b.resumeStream(b.ctx, s, from, func(text []byte, _ envelope) { b.writeLine(text) }, never)
			if time.Since(began) > longestPause {
				tries = 0
			}
			switch {
			case errors.Is(err, errSession):
				err = b.renewSession(b.ctx, s)
			case errors.Is(err, errUnsent), errors.Is(err, errLost), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			case err != nil && from.last == "" && tries == 0:
				return // the server sends no notifications
			}
			if b.ctx.Err() != nil || errors.Is(err, ErrSignInRefused) {
				return
			}
			if err != nil && !errors.Is(err, io.EOF) {
				b.noteUnreached(err)
			}
			if !pause(b.ctx, max(from.retry, b.backoff(tries))) {
				return
			}
		}
	})
	return begun
}

// endSession ends the session, if there is one.
func (b *bridge) endSession() {
	s := b.currentSession()
	if s.id == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	r, err := b.newRequest(ctx, http.MethodDelete, s, nil)
	if err != nil {
		return
	}
	if answer, err := b.client.Do(r); err == nil { // otherwise the server ends the session when it is idle
		_ = answer.Body.Close()
	}
}
