package e2e

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// opening starts vademecum open and returns a channel of its output.
func opening(t *testing.T, c *exec.Cmd) <-chan string {
	t.Helper()
	pipe, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 100)
	go func() {
		defer close(said)
		for lines := bufio.NewScanner(pipe); lines.Scan(); {
			said <- lines.Text()
		}
	}()
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	return said
}

// saying waits for a line that contains some words, and returns what follows them.
func saying(t *testing.T, said <-chan string, words string) (rest string) {
	t.Helper()
	awaitEnd(t, words, func() error {
		for line := range said {
			if _, after, ok := strings.Cut(line, words); ok {
				rest = after
				return nil
			}
		}
		return io.ErrUnexpectedEOF
	})
	return rest
}

// TestOpenLink: the link lets one browser in, once; guesses fail, endpoints for programs
// stay closed, and Ctrl-C ends it as a success.
func TestOpenLink(t *testing.T) {
	dir, _ := httpFolder(t)
	c := vademecum(t, "open", "--no-browser", ownIndex(t), dir)
	said := opening(t, c)
	link := saying(t, said, "works once: ")
	at, ticket, _ := strings.Cut(link, "/open?ticket=")
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser, stranger := &http.Client{Jar: jar}, &http.Client{}
	get := func(by *http.Client, url string) (int, string) {
		t.Helper()
		answer, err := by.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, answer.Request.URL.Path + " " + string(body)
	}
	for _, guess := range []string{"", "x", ticket[1:], ticket + "x"} {
		if status, _ := get(stranger, at+"/open?ticket="+guess); status != http.StatusForbidden {
			t.Errorf("the ticket %q gets %d", guess, status)
		}
	}
	if status, page := get(browser, link); status != http.StatusOK || !strings.HasPrefix(page, "/ ") {
		t.Errorf("the link leads to %d %.100s", status, page)
	}
	if status, page := get(browser, at+"/search?q=spacer"); status != http.StatusOK || !strings.Contains(page, "<mark>") {
		t.Errorf("a question gets %d %s", status, page)
	}
	if status, _ := get(stranger, link); status != http.StatusForbidden {
		t.Errorf("the link gets another browser %d", status)
	}
	for _, path := range []string{"/search?q=spacer", "/mcp", "/metrics"} {
		if _, page := get(stranger, at+path); strings.Contains(page, "helps children") || strings.Contains(page, "vademecum_documents") {
			t.Errorf("a stranger sees %s", path)
		}
	}
	if status, _ := get(browser, at+"/metrics"); status != http.StatusUnauthorized {
		t.Errorf("the session opens what is for programs: %d", status)
	}
	if runtime.GOOS == "windows" { // Windows has no such signal
		return
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for range said {
	}
	if err := c.Wait(); err != nil {
		t.Errorf("Ctrl-C ends it with %v", err)
	}
}

// TestOpenAddress checks that the page of a folder keeps its address, so that a bookmark works
// after a restart in the browser that has signed in, and in no other.
func TestOpenAddress(t *testing.T) {
	if runtime.GOOS == "windows" { // Windows has no such signal
		t.Skip("ends by a signal")
	}
	dir, _ := httpFolder(t)
	index, config := ownIndex(t), "XDG_CONFIG_HOME="+t.TempDir()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	local := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		_, port, _ := net.SplitHostPort(address) // like browsers, which resolve such a name without a lookup
		return new(net.Dialer).DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
	}}
	get := func(by *http.Client, url string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("User-Agent", "Firefox/145.0")
		answer, err := by.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		return answer.StatusCode
	}
	browser, stranger := &http.Client{Jar: jar, Transport: local}, &http.Client{Transport: local}
	var places []string
	for n := range 2 {
		c := vademecum(t, "open", "--no-browser", index, dir)
		c.Env = append(c.Env, config, "HOME="+t.TempDir())
		said := opening(t, c)
		link := saying(t, said, "works once: ")
		places = append(places, saying(t, said, "the page is at "))
		place, _, _ := strings.Cut(strings.Fields(places[n])[0], ";")
		if n == 0 && get(browser, link) != http.StatusOK {
			t.Error("the link lets nobody in")
		}
		if status := get(browser, place+"/library"); status != http.StatusOK {
			t.Errorf("start %d: the browser that was let in gets %d at %s", n, status, place)
		}
		if status := get(stranger, place+"/library"); status != http.StatusForbidden {
			t.Errorf("start %d: another browser gets %d", n, status)
		}
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		for range said {
		}
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	if runtime.GOOS == "linux" && (places[0] != places[1] || !strings.Contains(places[0], ".localhost:")) {
		t.Errorf("the page is at %s, and then at %s", places[0], places[1])
	}
}

// TestOpenTwice: a second command opens the page of the first, with a link of its own,
// and ends; after both, the next one has the same address.
func TestOpenTwice(t *testing.T) {
	dir, _ := httpFolder(t)
	index, config := ownIndex(t), "XDG_CONFIG_HOME="+t.TempDir()
	home := "HOME=" + t.TempDir()
	begin := func() (c *exec.Cmd, said <-chan string) {
		c = vademecum(t, "open", "--no-browser", index, dir)
		c.Env = append(c.Env, config, home, "AppData="+strings.TrimPrefix(home, "HOME="))
		return c, opening(t, c)
	}
	first, said := begin()
	links := []string{saying(t, said, "works once: ")}
	place := saying(t, said, "the page is at ")
	place, _, _ = strings.Cut(place, ";")
	for range 2 {
		c, said := begin()
		links = append(links, saying(t, said, "works once: "))
		if again := saying(t, said, "the page is already running at "); !strings.HasPrefix(again, place+";") {
			t.Errorf("the page is at %s, and then at %s", place, again)
		}
		for range said {
		}
		if err := c.Wait(); err != nil {
			t.Errorf("the second ends with %v", err)
		}
	}
	for i, link := range links {
		for n, want := range []int{http.StatusOK, http.StatusForbidden} {
			jar, err := cookiejar.New(nil)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := (&http.Client{Jar: jar}).Get(link)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			if answer.StatusCode != want {
				t.Errorf("link %d gets browser %d %d", i, n, answer.StatusCode)
			}
		}
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	_, said = begin()
	if again := saying(t, said, "the page is at "); !strings.HasPrefix(again, place+";") {
		t.Errorf("the page is at %s, and after a kill at %s", place, again)
	}
}

// TestOpenBrowser: the browser is opened with the link, and without a browser the link is
// printed.
func TestOpenBrowser(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("opens a real browser")
	}
	dir, _ := httpFolder(t)
	bin := t.TempDir()
	kept := filepath.Join(bin, "kept")
	for code, words := range map[string]string{"0": "the page is at ", "1": "works once: "} {
		script := "#!/bin/sh\necho \"$1\" > '" + kept + "'\nexit " + code + "\n"
		if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		c := vademecum(t, "open", ownIndex(t), dir)
		c.Env = append(c.Env, "DISPLAY=:0", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		url := saying(t, opening(t, c), words)
		link, err := os.ReadFile(kept)
		isOwn := strings.HasPrefix(url, "http://127.0.0.1:") || strings.HasPrefix(url, "http://") && strings.Contains(url, ".localhost:")
		if err != nil || !isOwn || !strings.Contains(string(link), "/open?ticket=") {
			t.Errorf("it says %q and opens %q, %v", url, link, err)
		}
	}
}
