package owner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"vademecum/internal/base/system"
)

func newGroup(t *testing.T, dir, key string) *SharingGroup {
	t.Helper()
	p, err := NewSharingGroup(dir, Settings{Folders: []string{key}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.ReleaseOwnership() })
	return p
}

// needSockets skips a test where programs cannot reach each other over a socket that is a file, as on
// old versions of Windows and under Wine.
func needSockets(t *testing.T) {
	t.Helper()
	on, err := net.Listen("unix", filepath.Join(shortTemp(t), "socket"))
	if err != nil {
		t.Skip(err)
	}
	_ = on.Close()
}

// answering returns the handler of an owner, which responds with a name.
func answering(name string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, name) })
}

// serve makes a process the owner, as long as no other becomes it. ended is closed when it no longer
// serves.
func serve(ctx context.Context, t *testing.T, p *SharingGroup, name string) (ended chan struct{}) {
	t.Helper()
	ended = make(chan struct{})
	go func() {
		defer close(ended)
		for {
			if err := p.Serve(ctx, answering(name)); err != nil {
				t.Error(err)
				return
			}
			if ctx.Err() != nil || !p.TryOwn() {
				return
			}
		}
	}()
	for p.probe(t.Context()) != nil {
		if t.Context().Err() != nil {
			t.Fatalf("%s does not answer", name)
		}
	}
	return ended
}

// ask returns the name of the owner that responds.
func ask(client *http.Client) (string, error) {
	answer, err := client.Get(EndpointURL)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	name, err := io.ReadAll(answer.Body)
	return string(name), err
}

// TestServeSendsNothingAfterwards checks that a request that is still being handled when an owner ends
// fails, instead of getting a response that says that the index is closed.
func TestServeSendsNothingAfterwards(t *testing.T) {
	needSockets(t)
	g := newGroup(t, t.TempDir(), "notes")
	if role, err := g.Join(t.Context()); role != RoleOwner {
		t.Fatal(role, err)
	}
	ctx, end := context.WithCancel(t.Context())
	asked, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		err := g.Serve(ctx, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodHead {
				return
			}
			close(asked)
			<-ended
			fmt.Fprint(w, "the index is closed")
		}))
		if err != nil {
			t.Error(err)
		}
	}()
	for g.probe(t.Context()) != nil {
		if t.Context().Err() != nil {
			t.Fatal("the owner does not answer")
		}
	}
	go func() {
		<-asked
		end()
	}()
	if got, err := ask(&http.Client{Transport: g.Transport()}); err == nil {
		t.Errorf("got %q from an owner that had ended", got)
	}
}

// TestOneOwns checks that the first process with some settings becomes the owner, that others with
// the same settings reach it, and that another takes its place when it has ended.
func TestOneOwns(t *testing.T) {
	needSockets(t)
	dir := t.TempDir()
	a, b, other := newGroup(t, dir, "notes"), newGroup(t, dir, "notes"), newGroup(t, dir, "other notes")
	for _, p := range []*SharingGroup{a, other} {
		if role, _ := p.Join(t.Context()); role != RoleOwner {
			t.Fatal("the first with a key is not the owner")
		}
	}
	ctx, end := context.WithCancel(t.Context())
	ended := serve(ctx, t, a, "a")
	if role, err := b.Join(t.Context()); role != RoleConnected {
		t.Fatalf("the second is %s, %v", role, err)
	}
	client := &http.Client{Transport: b.Transport()}
	if name, err := ask(client); name != "a" || err != nil {
		t.Fatalf("%q answers, %v", name, err)
	}
	end()
	<-ended
	if _, err := ask(client); err == nil {
		t.Error("an owner that has ended answers")
	}
	if err := a.ReleaseOwnership(); err != nil {
		t.Fatal(err)
	}
	b.ReportOwnerUnreachable()
	following, stop := context.WithCancel(t.Context())
	owned := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.RunWhenOwner(following, func(ctx context.Context) {
			serve(ctx, t, b, "b")
			close(owned)
			<-ctx.Done()
		})
	}()
	<-owned
	if name, err := ask(client); name != "b" || err != nil {
		t.Errorf("%q answers after the takeover, %v", name, err)
	}
	stop()
	<-done
}

// TestOwnerIsReplaced checks that an owner that was stopped for long and replaced stops serving,
// and that connections to it are closed.
func TestOwnerIsReplaced(t *testing.T) {
	needSockets(t)
	if runtime.GOOS == "windows" {
		t.Skip("a file that is locked cannot be deleted on Windows")
	}
	dir := t.TempDir()
	a, b, c := newGroup(t, dir, "notes"), newGroup(t, dir, "notes"), newGroup(t, dir, "notes")
	if !a.TryOwn() {
		t.Fatal("the first is not the owner")
	}
	ended := serve(t.Context(), t, a, "a")
	client := &http.Client{Transport: c.Transport()}
	if name, err := ask(client); name != "a" || err != nil {
		t.Fatalf("%q answers, %v", name, err)
	}
	if err := os.Remove(strings.TrimSuffix(a.socket, ".socket") + ".lock"); err != nil { // as a process does that no longer sees heartbeats
		t.Fatal(err)
	}
	if !b.TryOwn() {
		t.Fatal("the duty is not free")
	}
	<-ended
	ctx, end := context.WithCancel(t.Context())
	ended = serve(ctx, t, b, "b")
	if name, err := ask(client); name != "b" || err != nil {
		t.Errorf("%q answers, %v", name, err)
	}
	end()
	<-ended
}

// TestOwnerReopensItsSocket checks that an owner whose socket was replaced by one at which nobody
// answers opens another one.
func TestOwnerReopensItsSocket(t *testing.T) {
	needSockets(t)
	if runtime.GOOS == "windows" {
		t.Skip("a file that is locked cannot be deleted on Windows")
	}
	for name, replaceOwner := range map[string]func(t *testing.T, a, b *SharingGroup){
		"by a former owner that has resumed": func(*testing.T, *SharingGroup, *SharingGroup) {},
		"by an owner that was killed": func(t *testing.T, a, b *SharingGroup) {
			if err := os.Remove(strings.TrimSuffix(a.socket, ".socket") + ".lock"); err != nil { // as a process does that no longer sees heartbeats
				t.Fatal(err)
			}
			if !b.TryOwn() || b.ReleaseOwnership() != nil {
				t.Fatal("the other process cannot become the owner")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			a, b := newGroup(t, dir, "notes"), newGroup(t, dir, "notes")
			if !a.TryOwn() {
				t.Fatal("the first is not the owner")
			}
			ctx, end := context.WithCancel(t.Context())
			ended := serve(ctx, t, a, "a")
			replaceOwner(t, a, b)
			if err := os.Remove(a.socket); err != nil {
				t.Fatal(err)
			}
			dead, err := net.Listen("unix", a.socket)
			if err != nil {
				t.Fatal(err)
			}
			dead.(*net.UnixListener).SetUnlinkOnClose(false)
			if err := dead.Close(); err != nil {
				t.Fatal(err)
			}
			for b.probe(t.Context()) != nil {
				select {
				case <-ended:
					t.Fatal("the owner no longer serves")
				default:
				}
			}
			end()
			<-ended
		})
	}
}

// TestStaleConnections checks that connections to a stopped owner, which cannot close them itself,
// are closed when another process has taken its place.
func TestStaleConnections(t *testing.T) {
	needSockets(t)
	g := newGroup(t, t.TempDir(), "notes")
	dial := func() net.Conn {
		t.Helper()
		on, err := net.Listen("unix", g.socket)
		if err != nil {
			t.Fatal(err)
		}
		on.(*net.UnixListener).SetUnlinkOnClose(false)
		t.Cleanup(func() { _ = on.Close() })
		conn, err := g.dialTracked(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	stale := dial()
	if err := os.Rename(g.socket, g.socket+".before"); err != nil { // so that the next owner has a socket of its own
		t.Fatal(err)
	}
	fresh := dial()
	g.closeStale()
	if _, err := stale.Write([]byte("x")); err == nil || len(g.open) != 1 || g.open[fresh] == nil {
		t.Errorf("open are %v, not the connection to the owner alone", g.open)
	}
}

// TestEmptiedCache checks that another process can become the owner after the cache folder was
// deleted.
func TestEmptiedCache(t *testing.T) {
	dir := t.TempDir()
	p := newGroup(t, dir, "notes")
	if err := os.RemoveAll(filepath.Dir(p.socket)); err != nil {
		t.Fatal(err)
	}
	if !p.TryOwn() {
		t.Error("there is no owner")
	}
}

// TestPrivate checks that the folder of the sockets is accessible only to its user, and that a
// link, a file and the folder of another user are refused.
func TestPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the folder is in the profile of the user")
	}
	dir := t.TempDir()
	servers := filepath.Join(dir, "servers")
	if err := os.Mkdir(servers, 0o755); err != nil {
		t.Fatal(err)
	}
	newGroup(t, dir, "notes")
	if info, err := os.Stat(servers); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder of the sockets is %v, %v", info.Mode(), err)
	}
	for what, spoil := range map[string]func() error{
		"link":     func() error { return os.Symlink(t.TempDir(), servers) },
		"file":     func() error { return os.WriteFile(servers, nil, 0o600) },
		"writable": func() error { return os.Mkdir(servers, 0o700) },
		"foreign":  func() error { return os.Mkdir(servers, 0o700) },
	} {
		if err := os.RemoveAll(servers); err != nil {
			t.Fatal(err)
		}
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if what == "writable" {
			if err := os.Chmod(servers, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if what == "foreign" && os.Chown(servers, os.Geteuid()+1, -1) != nil {
			continue // only root can create this case
		}
		if _, err := NewSharingGroup(dir, Settings{}); err == nil {
			t.Errorf("%s: it is used", what)
		}
	}
}

// TestLongPath checks that a socket whose path would be too long is in the temporary folder.
func TestLongPath(t *testing.T) {
	needSockets(t)
	if runtime.GOOS == "windows" {
		t.Skip("the temporary folder is in the profile too")
	}
	t.Setenv("TMPDIR", shortTemp(t))
	p := newGroup(t, filepath.Join(t.TempDir(), strings.Repeat("long/", 30)), "notes")
	if !strings.HasPrefix(p.socket, os.TempDir()) || len(p.socket) > longestName || !p.TryOwn() {
		t.Fatalf("the socket is %s", p.socket)
	}
	serve(t.Context(), t, p, "a")
	if err := system.CheckOwner(filepath.Dir(p.socket)); err != nil {
		t.Error(err)
	}
}

// shortTemp creates a temporary folder with a short path.
func shortTemp(t *testing.T) string {
	t.Helper()
	parent := "/tmp"
	if runtime.GOOS == "windows" {
		parent = "" // the temporary folder of the user
	}
	dir, err := os.MkdirTemp(parent, "v")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// TestSweep checks that the files of a group are deleted when no process has used them for a month.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	for name, age := range map[string]time.Duration{"old.lock": unusedAfter + time.Hour, "old.socket": 0, "new.lock": time.Hour, "new.socket": 2 * unusedAfter} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, now, now.Add(-age))); err != nil {
			t.Fatal(err)
		}
	}
	sweep(dir, now)
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 2 || filepath.Base(left[0]) != "new.lock" || filepath.Base(left[1]) != "new.socket" {
		t.Errorf("what is left: %v, %v", left, err)
	}
}
