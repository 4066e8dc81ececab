package access

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/internal/app/web/signin"
)

func parse(t *testing.T, rules ...string) Rules {
	t.Helper()
	r, err := Parse([]string{"open", "cardio", "diary/"}, rules)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func always(r Rules) func() Rules { return func() Rules { return r } }

// TestSeen checks that a folder with rules is seen only by users whom one of them names.
func TestSeen(t *testing.T) {
	r := parse(t, "alice,group:heart=cardio", "group:护士=./cardio", "bob=diary")
	for _, c := range []struct {
		user signin.User
		want string
	}{
		{signin.User{}, "[0]"},
		{signin.User{Name: "alice"}, "[0 1]"},
		{signin.User{Name: "bob"}, "[0 2]"},
		{signin.User{Name: "Alice"}, "[0]"},
		{signin.User{Name: "heart"}, "[0]"},
		{signin.User{Name: "group:heart"}, "[0]"},
		{signin.User{Name: "carol", Groups: []string{"heart"}}, "[0 1]"},
		{signin.User{Name: "carol", Groups: []string{"护士", "alice"}}, "[0 1]"},
		{signin.User{Name: "bob", Groups: []string{"heart"}}, "[0 1 2]"},
		{signin.User{ID: "alice", Groups: []string{""}}, "[0]"},
	} {
		if got := fmt.Sprint(r.foldersSeenBy(c.user)); got != c.want {
			t.Errorf("%+v sees %s, want %s", c.user, got, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, bad := range []string{"", "alice", "=cardio", "alice=", "alice=nowhere", "alice,,bob=cardio", "group:=cardio"} {
		if _, err := Parse([]string{"cardio"}, []string{bad}); err == nil {
			t.Errorf("--allow %q is taken", bad)
		}
	}
}

// TestViews checks that users who see the same folders share a view, that others get another, and
// that the number of views is limited.
func TestViews(t *testing.T) {
	begun := 0
	begin := func([]int) (*View, error) {
		begun++
		return new(View), nil
	}
	s := NewViews(always(parse(t, "alice,bob=cardio", "alice=open", "alice=diary")), begin)
	alice, err := s.ViewFor(signin.User{Name: "alice"})
	if err != nil {
		t.Fatal(err)
	}
	bob, err := s.ViewFor(signin.User{Name: "bob"})
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.ViewFor(signin.User{Name: "bob", ID: "another"})
	if err != nil || alice == bob || again != bob || begun != 2 {
		t.Errorf("%d views, %v", begun, err)
	}
	if _, err := s.ViewFor(signin.User{Name: "carol"}); !errors.Is(err, ErrNoFolderVisible) {
		t.Errorf("who sees nothing gets %v", err)
	}
}

// TestViewsWhileOpening checks that while a view is being opened others are returned, that requests
// for the same view wait for it, and that after an error or a panic the next request opens it
// again.
func TestViewsWhileOpening(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s *Views
		begun, fails := 0, error(nil)
		s = NewViews(always(parse(t, "alice=cardio")), func([]int) (*View, error) {
			if begun++; !s.mu.TryLock() {
				return nil, errors.New("the lock is held: all users wait")
			}
			s.mu.Unlock()
			time.Sleep(time.Minute) // like a drive that does not respond
			if fails == nil && begun == 2 {
				panic("a fault")
			}
			return new(View), fails
		})
		alice := signin.User{Name: "alice"}
		fails = errors.New("away")
		if _, err := s.ViewFor(alice); !errors.Is(err, fails) {
			t.Fatalf("it is opened: %v", err)
		}
		fails = nil
		func() {
			defer func() { _ = recover() }()
			_, _ = s.ViewFor(alice)
		}()
		var all [3]*View
		var asking sync.WaitGroup
		for i := range all {
			asking.Go(func() { all[i], _ = s.ViewFor(alice) })
		}
		asking.Wait()
		if begun != 3 || all[0] == nil || all[1] != all[0] || all[2] != all[0] {
			t.Errorf("opened %d times: %v", begun, all)
		}
	})
}

func TestViewsAreBounded(t *testing.T) {
	var folders, rules []string
	for i := range mostViews + 1 {
		folders = append(folders, fmt.Sprint("f", i))
		rules = append(rules, fmt.Sprintf("u%d=f%d", i, i))
	}
	r, err := Parse(folders, rules)
	if err != nil {
		t.Fatal(err)
	}
	s := NewViews(always(r), func([]int) (*View, error) { return new(View), nil })
	for i := range mostViews + 1 {
		_, err := s.ViewFor(signin.User{Name: fmt.Sprint("u", i)})
		if want := i == mostViews; errors.Is(err, errTooManyViews) != want {
			t.Errorf("user %d gets %v", i, err)
		}
	}
}
