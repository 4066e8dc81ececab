package db

import (
	"errors"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// TestLine: a server that says nothing at first is not waited for, one that has said
// something is, and to take its leave it has a moment.
func TestLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer near.Close()
		silent := &timedConn{Conn: near}
		must(t, silent.applyDeadline())
		fails := func(l *timedConn, after time.Duration) {
			t.Helper()
			began := time.Now()
			if _, err := l.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) != after {
				t.Errorf("it fails with %v after %s, want %s", err, time.Since(began), after)
			}
		}
		fails(silent, connectLimit)

		heard := &timedConn{Conn: near}
		must(t, heard.applyDeadline())
		said := func() { _, err := far.Write([]byte("N")); must(t, err) }
		go said()
		if _, err := heard.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		go func() { time.Sleep(time.Hour); said() }()
		go func() {
			time.Sleep(time.Minute)
			if !heard.isWaiting(time.Minute) || heard.isWaiting(time.Hour) {
				t.Error("it does not tell for how long it waits")
			}
		}()
		if _, err := heard.Read(make([]byte, 1)); err != nil {
			t.Errorf("after an hour: %v", err)
		}
		must(t, heard.SetDeadline(time.Now().Add(time.Minute)))
		fails(heard, leaveLimit)
	})
}
