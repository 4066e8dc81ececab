//go:build unix

package postgres

import (
	"bufio"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"vademecum/index/store/catalog/catalogtest"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/pgtest"
)

// The test binary behaves as a process with a duty where these name a database, with
// its password, and a library.
const (
	holderDatabase = "VADEMECUM_TEST_HOLDER_DATABASE"
	holderLibrary  = "VADEMECUM_TEST_HOLDER_LIBRARY"
)

func init() {
	if os.Getenv(holderDatabase) != "" {
		if err := holdDuty(context.Background()); err != nil {
			fmt.Println("error:", err)
		}
		os.Exit(0)
	}
}

// holdDuty says when it has the duty, puts a document whenever it is told to, and says
// what came of it.
func holdDuty(ctx context.Context) error {
	at, err := db.ParseAddress(os.Getenv(holderDatabase))
	if err != nil {
		return err
	}
	s, err := Open(ctx, at, 0)
	if err != nil {
		return err
	}
	c, err := s.OpenCatalog(ctx, os.Getenv(holderLibrary), "m")
	if err != nil {
		return err
	}
	d := c.Lease("indexing")
	c.RequireLease(d)
	for held := false; !held; {
		changed := d.ownHoldChanged()
		if held = d.TryAcquire(); !held {
			<-changed
		}
	}
	fmt.Println("held")
	for told := bufio.NewScanner(os.Stdin); told.Scan(); {
		_, err := c.Put(ctx, skipped("of the holder.md"))
		fmt.Println("put:", err)
	}
	return nil
}

// holder is such a process.
type holder struct {
	*exec.Cmd
	tell interface{ Write([]byte) (int, error) }
	said *bufio.Scanner
}

func holderOf(t *testing.T, library string) *holder {
	t.Helper()
	u, err := url.Parse(os.Getenv(pgtest.ServerVariable))
	must(t, err)
	u.Path, u.User = server.Role(), url.UserPassword(server.Role(), server.Password())
	h := &holder{Cmd: exec.Command(os.Args[0])}
	h.Env = append(os.Environ(), holderDatabase+"="+u.String(), holderLibrary+"="+library)
	h.Stderr = os.Stderr
	in, err := h.StdinPipe()
	must(t, err)
	out, err := h.StdoutPipe()
	must(t, err)
	h.tell, h.said = in, bufio.NewScanner(out)
	must(t, h.Start())
	t.Cleanup(func() { _ = h.Process.Kill(); _ = h.Wait() })
	h.expect(t, "held")
	return h
}

func (h *holder) expect(t *testing.T, want string) {
	t.Helper()
	if !h.said.Scan() || h.said.Text() != want {
		t.Fatalf("it says %q, %v, want %q", h.said.Text(), h.said.Err(), want)
	}
}

// TestKilledHolder: another takes over at once from a process that is killed.
func TestKilledHolder(t *testing.T) {
	s, name := serving(t), anyName()
	h := holderOf(t, name)
	d := named(t, s, name).Lease("indexing")
	must(t, h.Process.Kill())
	killed := time.Now()
	await(t, d, true)
	if took := time.Since(killed); took > db.IdleInTransactionTimeout {
		t.Errorf("it took %s, as if the process were silent", took)
	}
	must(t, d.Release())
}

// TestStoppedHolder: another takes over from a process that is stopped, which commits
// no document when it goes on.
func TestStoppedHolder(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for the end of somebody's patience")
	}
	s, name := serving(t), anyName()
	c, h := named(t, s, name), holderOf(t, name)
	say := func() {
		t.Helper()
		_, err := h.tell.Write([]byte("put\n"))
		must(t, err)
	}
	say()
	h.expect(t, "put: <nil>")
	must(t, h.Process.Signal(syscall.SIGSTOP))
	d := c.Lease("indexing")
	c.RequireLease(d)
	await(t, d, true)
	_, err := c.Put(t.Context(), skipped("of the next.md"))
	must(t, err)
	say()
	must(t, h.Process.Signal(syscall.SIGCONT))
	h.expect(t, "put: save of the holder.md: another process keeps the index up to date now")
	if all, err := catalogtest.Records(t.Context(), c); err != nil || len(all) != 2 || all[1].Path != "of the next.md" {
		t.Errorf("there are %v, %v", all, err)
	}
	must(t, d.Release())
}
