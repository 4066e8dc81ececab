package web

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/internal/app/web/signin"
)

// TestRefusalsAreTold checks that an invalid token is logged with the address, and a request
// without a token is not.
func TestRefusalsAreTold(t *testing.T) {
	var said bytes.Buffer
	s := watchedServer(t, Options{Authenticator: &signin.Authenticator{Checkers: []signin.Checker{scoped{true}}}, TrustProxy: true})
	s.refusals.log = slog.New(slog.NewTextHandler(&said, nil))
	for _, c := range []struct {
		method, path  string
		header        []string
		want, without string
	}{
		{"POST", "/mcp", nil, "", ""},
		{"POST", "/mcp", []string{"Authorization", "Bearer wrong"}, `msg="sign-in refused" address=127.0.0.1 at=/mcp reason="the token is not valid here"`, "wrong"},
		{"POST", "/mcp", []string{"Authorization", "Basic secret", "X-Forwarded-For", "9.9.9.9, 192.0.2.7"}, `address=192.0.2.7 at=/mcp reason="one Authorization: Bearer TOKEN is needed"`, "secret"},
		{"GET", "/metrics", []string{"Authorization", "Bearer read", "X-Forwarded-For", "2001:db8::1:2"}, `address=2001:db8::1:2 at=/metrics reason="the token lacks the scope metrics"`, ""},
		{"GET", "/metrics", []string{"Authorization", "Bearer wrong", "X-Forwarded-For", "x\nlevel=ERROR"}, `address=unknown at=/metrics`, "ERROR"},
		{"POST", "/sign-in", []string{"Sec-Fetch-Site", "same-origin", "Content-Type", "application/x-www-form-urlencoded"}, `address=127.0.0.1 at=/sign-in reason="no valid token with which`, ""},
		{"GET", "/metrics", []string{"Authorization", "Bearer metrics"}, "", ""},
	} {
		said.Reset()
		ask(s, c.method, c.path, c.header...)
		if got := said.String(); !strings.Contains(got, c.want) || c.want == "" && got != "" || c.without != "" && strings.Contains(got, c.without) {
			t.Errorf("%s %s %q leaves %q", c.method, c.path, c.header, got)
		}
	}
}

// TestFloodOfRefusals checks that many refusals are logged in a few lines that give their number.
func TestFloodOfRefusals(t *testing.T) {
	sums := regexp.MustCompile(`count=(\d+)`)
	for name, c := range map[string]struct {
		addresses, each, lines int
	}{
		"one address":         {1, 5000, 3 + 1},
		"several":             {12, 500, 20 + maxSummaryLines + 1},
		"a net of them":       {800, 5, 20 + maxSummaryLines + 1},
		"more than are known": {3000, 2, 20 + maxSummaryLines + 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			var said bytes.Buffer
			f := refusalLog{log: slog.New(slog.NewTextHandler(&said, nil))}
			for minute := range 2 {
				said.Reset()
				for i := range c.addresses * c.each {
					address := fmt.Sprintf("192.0.%d.%d", i%c.addresses/256, i%c.addresses%256)
					f.logRefusal(address, address)
				}
				time.Sleep(summaryInterval)
				synctest.Wait()
				told := strings.Count(said.String(), `msg="sign-in refused"`)
				for _, m := range sums.FindAllStringSubmatch(said.String(), -1) {
					n, _ := strconv.Atoi(m[1])
					told += n
				}
				if lines := strings.Count(said.String(), "\n"); lines > c.lines || told != c.addresses*c.each {
					t.Errorf("%s, minute %d: %d lines tell of %d\n%s", name, minute, lines, told, said.String())
				}
			}
			said.Reset()
			time.Sleep(3 * summaryInterval)
			if f.logSummary(); said.Len() > 0 || f.of != nil {
				t.Errorf("%s: nothing is told of as %q", name, said.String())
			}
		})
	}
}

// TestFrom checks that the log contains addresses, and nothing that clients make up.
func TestFrom(t *testing.T) {
	s := watchedServer(t, Options{})
	for remote, want := range map[string]string{"192.0.2.1:80": "192.0.2.1", "[2001:db8::1]:80": "2001:db8::1", "[fe80::1%eth0]:80": "fe80::1", "[::ffff:192.0.2.1]:80": "192.0.2.1", "@": "unknown"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = remote
		if got := s.loggedAddress(r); got != want {
			t.Errorf("%s is %s", remote, got)
		}
	}
}
