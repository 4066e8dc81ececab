package web

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// answering returns a server with a handler and timeouts.
func answering(t *testing.T, p streamTimeouts, handle func(*replyWriter, *http.Request)) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := newReplyWriter(w, p)
		defer answer.finish()
		handle(answer, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func get(t *testing.T, url string) *http.Response {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

// TestSlowCall checks that the headers of a slow response are sent early, then comments, and that a
// late error is sent as an event.
func TestSlowCall(t *testing.T) {
	proceed := make(chan struct{})
	s := answering(t, streamTimeouts{early: time.Millisecond, alive: time.Millisecond, write: time.Minute}, func(w *replyWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "http://localhost:1")
		w.allowStream()
		<-proceed
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "{\"error\":\n1}")
	})
	answer := get(t, s.URL)
	if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" || answer.StatusCode != http.StatusOK ||
		answer.Header.Get("X-Accel-Buffering") != "no" || answer.Header.Get("Access-Control-Allow-Origin") == "" {
		t.Errorf("%d, %v", answer.StatusCode, answer.Header)
	}
	in := bufio.NewReader(answer.Body)
	for range 4 { // the lines of two comments
		if _, err := in.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	close(proceed)
	rest, err := io.ReadAll(in)
	if want := "event: message\ndata: {\"error\": 1}\n\n"; err != nil || !strings.HasSuffix(string(rest), want) {
		t.Errorf("then %q, %v", rest, err)
	}
}

// TestQuickCall checks that a quick response has its own status and headers.
func TestQuickCall(t *testing.T) {
	s := answering(t, streamTimeouts{early: time.Minute, alive: time.Minute, write: time.Minute}, func(w *replyWriter, _ *http.Request) {
		w.allowStream()
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "{}")
	})
	if answer := get(t, s.URL); answer.StatusCode != http.StatusNotFound || answer.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%d, %v", answer.StatusCode, answer.Header)
	}
}

// TestUnread checks that a client that does not read is given up, and that writes after the end
// fail.
func TestUnread(t *testing.T) {
	gaveUp := make(chan error)
	s := answering(t, streamTimeouts{early: time.Minute, alive: time.Minute, write: 50 * time.Millisecond}, func(w *replyWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		var err error
		for err == nil {
			_, err = w.Write(make([]byte, 1<<20))
		}
		<-r.Context().Done()
		w.finish()
		_, late := w.Write([]byte("late"))
		if late == nil {
			err = nil
		}
		gaveUp <- err
	})
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := <-gaveUp; err == nil {
		t.Error("no end of writing")
	}
}
