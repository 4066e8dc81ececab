package mcp

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestSessionsGiveWay: when no place is left, the session that nobody used for
// longest gives up its own, of the owner who has most of them.
func TestSessionsGiveWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ss := newSessions(4, 3)
		ended := make(map[string]bool)
		begin := func(name, owner string) bool {
			done, err := ss.reserve(owner)
			synctest.Wait()
			if err == nil {
				ss.add(name, owner, func() { ended[name] = true })
				done()
			}
			return err == nil
		}
		for i, name := range []string{"hog1", "alice", "hog2", "hog3"} {
			if !begin(name, name[:3]) {
				t.Fatalf("no place for session %d", i)
			}
			time.Sleep(time.Second)
		}
		if begin("bob", "bob") {
			t.Error("a session that was just begun gives way")
		}
		time.Sleep(settles)
		leave, ok := ss.enter("hog1", "hog")
		if !ok {
			t.Fatal("no session hog1")
		}
		if !begin("bob", "bob") || !ended["hog2"] || len(ended) != 1 {
			t.Errorf("for bob %v end", ended)
		}
		if _, ok := ss.enter("hog2", "hog"); ok {
			t.Error("a session that gave way is entered")
		}
		leave()
		for i := range 4 { // the last in place of one of her own
			time.Sleep(settles)
			if !begin(fmt.Sprint("carol", i), "carol") {
				t.Errorf("no place for carol %d", i)
			}
		}
		if n := ss.count(); n != 4 || ended["bob"] && ended["alice"] {
			t.Errorf("%d are open, and %v ended", n, ended)
		}
	})
}
