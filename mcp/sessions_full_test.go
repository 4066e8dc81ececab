package mcp

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestSessionsGiveWay checks that when no slot is free, the least recently used session of the
// owner with most sessions is closed.
func TestSessionsGiveWay(t *testing.T) {
	t.Parallel()
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
		var leave []func()
		for i, name := range []string{"hog1", "alice", "hog2", "hog3"} {
			if !begin(name, name[:3]) {
				t.Fatalf("no place for session %d", i)
			}
			_, done, _ := ss.enterSession(name, name[:3])
			leave = append(leave, done)
			time.Sleep(time.Second)
		}
		time.Sleep(sessionGracePeriod)
		if begin("bob", "bob") {
			t.Error("a session that is used gives way")
		}
		for _, done := range leave[1:] {
			done()
			time.Sleep(time.Second)
		}
		time.Sleep(sessionGracePeriod)
		if !begin("bob", "bob") || !ended["hog2"] || len(ended) != 1 {
			t.Errorf("for bob %v end", ended)
		}
		if _, _, ok := ss.enterSession("hog2", "hog"); ok {
			t.Error("a session that gave way is entered")
		}
		leave[0]()
		for i := range 4 { // the last one replaces one of her own
			time.Sleep(sessionGracePeriod)
			if !begin(fmt.Sprint("carol", i), "carol") {
				t.Errorf("no place for carol %d", i)
			}
		}
		if n := ss.count(); n != 4 || ended["bob"] && ended["alice"] {
			t.Errorf("%d are open, and %v ended", n, ended)
		}
	})
}

// TestYoungSessionsGiveWay checks that recently opened sessions do not lock out others while one of
// them is unused: the least recently used is closed, but first those past their grace period.
func TestYoungSessionsGiveWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ss := newSessions(50, 0)
		var ended []string
		begin := func(name string) error {
			done, err := ss.reserve("")
			synctest.Wait()
			if err == nil {
				ss.add(name, "", func() { ended = append(ended, name) })
				done()
			}
			time.Sleep(time.Millisecond)
			return err
		}
		for i := range 50 {
			if err := begin(fmt.Sprint(i)); err != nil {
				t.Fatal(err)
			}
		}
		_, leave, _ := ss.enterSession("0", "")
		if err := begin("50"); err != nil || fmt.Sprint(ended) != "[1]" {
			t.Errorf("for the 51st %v end: %v", ended, err)
		}
		leave()
		time.Sleep(sessionGracePeriod)
		for i := 2; i <= 50; i++ {
			if i != 7 {
				_, leave, _ := ss.enterSession(fmt.Sprint(i), "")
				leave()
			}
		}
		if err := begin("51"); err != nil || fmt.Sprint(ended) != "[1 7]" {
			t.Errorf("for the next %v end: %v", ended, err)
		}
		if err := begin("52"); err != nil || fmt.Sprint(ended) != "[1 7 0]" {
			t.Errorf("for the one after it %v end: %v", ended, err)
		}
	})
}
