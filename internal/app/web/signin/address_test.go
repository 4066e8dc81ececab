package signin

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestListenOwn checks that a page keeps its address, unless another program uses it or others
// could have read it.
func TestListenOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "open", "notes")
	open := func() (address string, place PrivatePageAddress, end func()) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond) // nothing responds at the address
		defer cancel()
		on, place, err := ListenPrivatePage(ctx, file)
		if err != nil {
			t.Fatal(err)
		}
		if on.Addr().String() != place.LoopbackAddress() {
			t.Errorf("%s listens at %s", place.LoopbackAddress(), on.Addr())
		}
		return on.Addr().String(), place, func() { _ = on.Close() }
	}
	first, place, end := open()
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the address is kept as %v, %v", info, err)
	}
	if busy, other, close := open(); busy == first || other.SecretHostname == place.SecretHostname || other.secret == place.secret {
		t.Errorf("two servers are at %s and %s of %s", first, busy, other.SecretHostname)
	} else {
		close()
	}
	end()
	again, later, end := open()
	if again != first || later.SecretHostname != place.SecretHostname || !strings.HasPrefix(again, "127.0.0.1:") {
		t.Errorf("%s of %s is at %s of %s the next time", first, place.SecretHostname, again, later.SecretHostname)
	}
	if NewLocalSignInAt(User{}, later).MatchesCode(place.NewLoginCode(), "") {
		t.Error("a ticket outlasts the process")
	}
	end()
	const invented = "aaaaaaaaaaaaaaaaaaaaaaaaaa.localhost"
	for _, bad := range []string{"", "x", "evil.example.com:8000\n", invented + ":80\n", invented + ":8000\nmore", invented + ":8000\nmore\n"} {
		if err := os.WriteFile(file, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		_, place, end := open()
		if !strings.HasSuffix(place.SecretHostname, ".localhost") || place.SecretHostname == invented {
			t.Errorf("%q leads to %s", bad, place.SecretHostname)
		}
		end()
	}
	_, place, end = open()
	end()
	if err := os.WriteFile(file, []byte(net.JoinHostPort(place.SecretHostname, place.Port)+"\n"), 0o600); err != nil { // in the form of earlier versions
		t.Fatal(err)
	}
	_, later, end = open()
	end()
	if later.SecretHostname != place.SecretHostname || later.Port != place.Port {
		t.Errorf("what was kept before leads from %v to %v", place, later)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, place, end := open(); place.SecretHostname == later.SecretHostname {
		t.Error("a name that others could read is used again")
	} else {
		end()
	}
}

// TestListenBeside checks that a second process finds the page that is served, and no other program
// on the port.
func TestListenBeside(t *testing.T) {
	for name, isPage := range map[string]bool{"the page": true, "another program": false} {
		file := filepath.Join(t.TempDir(), "notes")
		on, place, err := ListenPrivatePage(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		ticket := NewLocalSignInAt(User{ID: "local"}, place)
		ticket.isOwn = func(string) bool { return true }
		if !isPage {
			ticket = NewLocalSignIn(User{})
		}
		server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, ticket.AnswerChallenge(r.URL.Query().Get("question")))
		})}
		go func() { _ = server.Serve(on) }()
		second, there, err := ListenPrivatePage(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		if second != nil {
			_ = second.Close()
		}
		if isPage != (second == nil) || isPage != (there == place) {
			t.Errorf("beside %s it listens at %v, for %v", name, second, there.LoopbackAddress())
		}
		if text := there.NewLoginCode(); isPage {
			if _, err := ticket.Redeem(text, "", ""); err != nil {
				t.Errorf("what the second makes is no ticket: %v", err)
			}
		}
		_ = server.Close()
	}
}
