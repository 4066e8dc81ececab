package tunnel

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestURLs checks lines that the programs have printed in recordings.
func TestURLs(t *testing.T) {
	for _, c := range []struct{ program, line, want string }{
		{"tailscale", "https://desk.tail9f3a.ts.net/", "https://desk.tail9f3a.ts.net"},
		{"tailscale", "Available on the internet:\thttps://desk.tail9f3a.ts.net/", "https://desk.tail9f3a.ts.net"},
		{"tailscale", "|-- proxy http://127.0.0.1:8765", ""},
		{"tailscale", "         https://login.tailscale.com/f/funnel?node=n1", ""},
		{"cloudflared", "2025-12-02T10:30:46Z INF |  https://purple-rain-4d7f.trycloudflare.com   |", "https://purple-rain-4d7f.trycloudflare.com"},
		{"cloudflared", `failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp: lookup failed`, ""},
		{"cloudflared", "INF Requesting new quick Tunnel on trycloudflare.com...", ""},
		{"ngrok", `t=2026-08-10T07:20:40+0000 lvl=info msg="started tunnel" obj=tunnels name=command_line addr=http://127.0.0.1:8765 url=https://zookeeper-ship.ngrok-free.dev`, "https://zookeeper-ship.ngrok-free.dev"},
		{"ngrok", `lvl=info msg="starting web service" obj=web addr=127.0.0.1:4040`, ""},
		{"ngrok", "lvl=info msg=\"started tunnel\" addr=//localhost:4444 url=tcp://0.tcp.jp.ngrok.io:10936", ""},
	} {
		p, found := FindProgram(c.program)
		if got := p.urlIn(c.line); !found || got != c.want {
			t.Errorf("%s says %q: %q, want %q", c.program, c.line, got, c.want)
		}
	}
}

func TestCommands(t *testing.T) {
	want := []string{"tailscale funnel 8765", "cloudflared tunnel --url http://127.0.0.1:8765", "ngrok http 127.0.0.1:8765 --log stdout"}
	var got []string
	for _, p := range Programs {
		got = append(got, strings.Join(p.Command("127.0.0.1:8765"), " "))
		for _, system := range []string{"linux", "darwin", "windows", "freebsd"} {
			if p.InstallHint(system) == "" {
				t.Errorf("%s does not say how %s gets it", p.Name, system)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the commands are %q", got)
	}
	if _, found := FindProgram("wormhole"); found {
		t.Error("an unknown program is found")
	}
}

// fake puts a script called ngrok first on the PATH.
func fake(t *testing.T, script string) Program {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("scripts are no programs there")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ngrok"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	p, _ := FindProgram("ngrok")
	if !p.IsInstalled() {
		t.Fatal("the program is not found")
	}
	return p
}

// TestStart checks that lines before the address are passed on, and that the program runs until ctx
// is done, which is no error.
func TestStart(t *testing.T) {
	p := fake(t, `echo "sign in: $2" >&2; printf 'url=https://a.example.com\nquiet\n'; exec sleep 1000`)
	ctx, cancel := context.WithCancel(t.Context())
	var told []string
	running, err := p.Start(ctx, "127.0.0.1:8765", func(line string) { told = append(told, line) }, func() {})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"sign in: 127.0.0.1:8765", "url=https://a.example.com"}; running.URL != "https://a.example.com" || !slices.Equal(told, want) {
		t.Errorf("%s, told %q", running.URL, told)
	}
	cancel()
	if err := running.Wait(); err != nil {
		t.Errorf("it was asked to end: %v", err)
	}
}

// TestEnded checks that a program that ends by itself is reported with its last line.
func TestEnded(t *testing.T) {
	for script, want := range map[string]string{
		`echo first; printf 'ERROR: no authtoken'; exit 1`: "ngrok has exited; its last output was: ERROR: no authtoken",
		`exit 3`:                        "ngrok has exited: exit status 3",
		`exit 0`:                        "ngrok has exited without any output",
		`printf 'a\033[31mb\n'; exit 1`: "ngrok has exited; its last output was: a\uFFFD[31mb",
	} {
		if _, err := fake(t, script).Start(t.Context(), "127.0.0.1:1", func(string) {}, func() {}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", script, err, want)
		}
	}
	p := fake(t, `echo "pid=$$"; echo url=https://a.example.com; echo "lost" ; exec sleep 1000`)
	pid := make(chan string, 2)
	running, err := p.Start(t.Context(), "127.0.0.1:1", func(line string) { pid <- line }, func() {})
	if err != nil {
		t.Fatal(err)
	}
	kill(t, strings.TrimPrefix(<-pid, "pid="))
	if err := running.Wait(); err == nil || !strings.HasPrefix(err.Error(), "ngrok has exited; its last output was: ") {
		t.Errorf("it ended later: %v", err)
	}
}

// TestAdvice checks the advice on what programs print before they end, on any line. The lines are
// from their documentation and users' reports.
func TestAdvice(t *testing.T) {
	for _, c := range []struct{ program, said, want string }{
		{"tailscale", "You are not logged in. To log in, run: tailscale up", "sudo tailscale up"},
		{"tailscale", "failed to connect to local tailscaled; it doesn't appear to be running (sudo systemctl start tailscaled ?)", "systemctl start tailscaled"},
		{"tailscale", "sending serve config: Access denied: serve config denied\n\nUse 'sudo tailscale funnel 8765'.", "sudo tailscale set --operator=$USER"},
		{"tailscale", "error: foreground listener already exists for port 443", "tailscale funnel reset"},
		{"tailscale", "USAGE\n  tailscale funnel <serve-port> {on|off}\n\nerror: invalid argument", "1.52"},
		{"cloudflared", `ERR Error unmarshaling QuickTunnel response: error code: 1015 status_code="429 Too Many Requests"` + "\nfailed to unmarshal quick Tunnel: invalid character 'e'", "try again in a few minutes"},
		{"cloudflared", `failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp: lookup api.trycloudflare.com: no such host`, "cannot reach the internet"},
		{"cloudflared", "panic: something new", "run it on its own to see why: cloudflared tunnel --url http://127.0.0.1:1;"},
		{"ngrok", "ERROR:  authentication failed\nERROR:  ERR_NGROK_4018\nERROR:  https://ngrok.com/docs/errors/err_ngrok_4018\nERROR:  ", "ngrok config add-authtoken"},
		{"ngrok", "ERROR:  The endpoint is already online.\nERROR:  ERR_NGROK_334", "stop that one"},
		{"ngrok", "", "run it on its own to see why: ngrok http 127.0.0.1:1 --log stdout;"},
	} {
		p, _ := FindProgram(c.program)
		o := &addressOutput{program: p, tell: func(string) {}, url: make(chan string, 1)}
		_, _ = o.Write([]byte(c.said + "\n"))
		err := p.endError(t.Context(), errors.New("exit status 1"), o, p.Command("127.0.0.1:1"))
		var end ExitError
		if !errors.As(err, &end) || !strings.Contains(end.Hint().String(), c.want) {
			t.Errorf("%s says %q: %v, and %v", c.program, c.said, err, end.advice)
		}
		if strings.HasSuffix(err.Error(), "ERROR:") {
			t.Errorf("%s", err)
		}
	}
}

// TestQuiet checks that onSilence is called if a program does not print its address.
func TestQuiet(t *testing.T) {
	p := fake(t, "exec sleep 1000")
	p.quiet = time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	if running, err := p.Start(ctx, "127.0.0.1:1", func(string) {}, cancel); err != context.Canceled {
		t.Errorf("%v, %v", running, err)
	}
}

// TestInterrupted checks that waiting for the address can be interrupted.
func TestInterrupted(t *testing.T) {
	p := fake(t, "echo waiting; exec sleep 1000")
	ctx, cancel := context.WithCancel(t.Context())
	if running, err := p.Start(ctx, "127.0.0.1:1", func(string) { cancel() }, func() {}); err != context.Canceled {
		t.Errorf("%v, %v", running, err)
	}
}

// TestNoProgram checks the error for a program that cannot be started.
func TestNoProgram(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	p, _ := FindProgram("cloudflared")
	if p.IsInstalled() {
		t.Fatal("it is found")
	}
	if _, err := p.Start(t.Context(), "127.0.0.1:1", func(string) {}, func() {}); err == nil || !strings.HasPrefix(err.Error(), "cloudflared cannot be started: ") {
		t.Error(err)
	}
}

// TestLongLines checks that output without line ends is not kept in memory.
func TestLongLines(t *testing.T) {
	p, _ := FindProgram("ngrok")
	o := &addressOutput{program: p, tell: func(string) {}, url: make(chan string, 1)}
	for range 100 {
		if n, err := o.Write([]byte(strings.Repeat("x", 1000))); n != 1000 || err != nil {
			t.Fatal(n, err)
		}
	}
	if len(o.rest) > mostOfLine {
		t.Errorf("%d bytes are kept", len(o.rest))
	}
	_, _ = o.Write([]byte("\nurl=https://a.example.com\nurl=https://b.example.com\n"))
	if got := <-o.url; got != "https://a.example.com" || o.last != "url=https://b.example.com" {
		t.Errorf("%s, and last %s", got, o.last)
	}
}

func kill(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	process, err := os.FindProcess(n)
	if err == nil {
		err = process.Signal(syscall.SIGTERM)
	}
	if err != nil {
		t.Fatal(err)
	}
}
