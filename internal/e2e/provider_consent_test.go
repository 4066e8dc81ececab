package e2e

import (
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// trap is an address to which nothing may connect.
type trap struct {
	net.Listener
	callers chan string // their addresses, in the order in which they came
}

func newTrap(t *testing.T) trap {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	callers := make(chan string, 1000)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			callers <- conn.RemoteAddr().String()
			_ = conn.Close()
		}
	}()
	return trap{listener, callers}
}

// check connects to the trap, and must be the first to do so.
func (c trap) check(t *testing.T) {
	t.Helper()
	conn, err := net.Dial("tcp", c.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if first := <-c.callers; first != conn.LocalAddr().String() {
		t.Error("the program has connected to a provider that nobody named")
	}
}

const secret = "sk-not-to-be-seen"

// TestNothingIsSentUnasked checks that keys and addresses of providers in the environment, which
// are not consent, do not cause any text to be sent.
func TestNothingIsSentUnasked(t *testing.T) {
	t.Parallel()
	dir, file, trap := manyNotes(t, 20), indexFile(t), newTrap(t)
	tempted := func(args ...string) *exec.Cmd {
		c := vademecum(t, append(args, "--index", file)...)
		url := "http://" + trap.Addr().String()
		c.Env = append(c.Env, "OPENAI_API_KEY="+secret, "VADEMECUM_API_KEY="+secret, "OPENAI_BASE_URL="+url+"/v1", "OLLAMA_HOST="+url, "HTTP_PROXY="+url, "HTTPS_PROXY="+url)
		return c
	}
	for _, args := range [][]string{{"index", dir}, {"search", dir, "warfarin"}, {"status", dir}} {
		if out, err := tempted(args...).CombinedOutput(); err != nil || strings.Contains(string(out), secret) {
			t.Errorf("%q: %s %v", args, out, err)
		}
	}
	s := connect(t, tempted("serve", dir))
	late := addNote(t, dir)
	if _, err := s.await(time.Now(), late, func(f found) bool { return f.holds(late) && f.isHybrid() }); err != nil {
		t.Error(err)
	}
	s.kill()
	trap.check(t)
}

// TestRemoteHostIsNamed: the program names the host that receives the text, if that is
// not this machine. A proxy on which nothing listens keeps it here.
func TestRemoteHostIsNamed(t *testing.T) {
	t.Parallel()
	local := newProvider(t).spec("model")
	for spec, host := range map[string]string{local: "", "https://provider.invalid/v1#model": "provider.invalid"} {
		dir, file := manyNotes(t, 3), indexFile(t)
		run := func(args ...string) (stdout, stderr string) {
			c := vademecum(t, append(args, "--index", file, "--embed", spec)...)
			c.Env = append(c.Env, "HTTPS_PROXY=http://127.0.0.1:1", "NO_PROXY=127.0.0.1")
			var said strings.Builder
			c.Stderr = &said
			out, err := c.Output()
			if err != nil {
				t.Errorf("%q: %s %v", args, &said, err)
			}
			return string(out), said.String()
		}
		found, said := run("search", dir, "warfarin")
		if !strings.Contains(found, "warfarin") {
			t.Errorf("with %s it finds %s", spec, found)
		}
		said, _, _ = strings.Cut(said, "\n") // before anything is sent
		told, _ := run("status", dir)
		told = strings.ReplaceAll(told, spec, "") // which is the name of the model
		switch {
		case host == "" && (strings.Contains(said, "sent to") || strings.Contains(told, "127.0.0.1")):
			t.Errorf("with a provider on this machine it says %s, and status\n%s", said, told)
		case host != "" && (!strings.Contains(said, "sent to") || !strings.Contains(said, host)):
			t.Errorf("it does not say at first that text goes to %s: %s", host, said)
		case !strings.Contains(told, host):
			t.Errorf("status does not say that text goes to %s:\n%s", host, told)
		}
	}
}

// TestKeyIsKept checks that the API key is sent to the provider, and neither printed nor stored,
// even if the provider returns it in an error.
func TestKeyIsKept(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusUnauthorized, http.StatusBadRequest} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			dir, file, p := manyNotes(t, 3), indexFile(t), newProvider(t)
			p.replyWith(func(c *call) reply { return refuse(status, "wrong key: "+c.key) })
			c := vademecum(t, "search", dir, "warfarin", "--index", file, "--embed", "openai:model", "--log-level", "debug")
			c.Env = append(c.Env, "OPENAI_API_KEY="+secret, "OPENAI_BASE_URL=http://"+p.addr+"/v1")
			said, err := c.CombinedOutput()
			if err != nil {
				t.Errorf("%s %v", said, err)
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			if len(p.calls) == 0 || p.calls[0].key != "Bearer "+secret {
				t.Error("the key was not sent")
			}
			for where, text := range everyFile(t, filepath.Dir(file)) {
				if strings.Contains(text, secret) {
					t.Errorf("the key is in %s", where)
				}
			}
			if strings.Contains(string(said), secret) {
				t.Errorf("the key is told: %s", said)
			}
		})
	}
}

// everyFile returns the contents of the files in a folder.
func everyFile(t *testing.T, dir string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	all := make(map[string]string)
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
		all[path] = string(content)
	}
	return all
}
