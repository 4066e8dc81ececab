package oauth

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

// transport answers requests to all sites.
type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// page returns the response of a site.
func page(status int, kind, text string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}, "Location": {"http://127.0.0.1/"}}, Body: io.NopCloser(strings.NewReader(text))}
}

const documentID = "https://claude.example/oauth/client.json"

const goodDocument = `{"client_id":"` + documentID + `","client_name":"Claude","redirect_uris":["https://claude.example/cb"],"token_endpoint_auth_method":"none"}`

// TestDocuments checks which metadata documents are accepted, and the errors for others.
func TestDocuments(t *testing.T) {
	for name, one := range map[string]struct {
		id, kind, text string
		status         int
		want           string // part of the error; "" for no error
	}{
		"good":            {text: goodDocument},
		"with a charset":  {text: goodDocument, kind: "application/json; charset=utf-8"},
		"a kind of JSON":  {text: goodDocument, kind: "application/cimd+json"},
		"keys":            {text: strings.Replace(goodDocument, `"none"`, `"private_key_jwt"`, 1)},
		"large":           {text: goodDocument + strings.Repeat(" ", maxDocumentBytes), want: "more than"},
		"endless":         {text: strings.Repeat("[", 10<<20), want: "more than"},
		"no JSON":         {text: "<html>", want: "does not describe a client"},
		"a page":          {text: goodDocument, kind: "text/html", want: "is not JSON"},
		"not there":       {text: goodDocument, status: 404, want: "answers with 404"},
		"elsewhere":       {text: goodDocument, status: 302, want: "answers with 302"},
		"of another":      {text: strings.Replace(goodDocument, "client.json", "other.json", 1), want: "describes another program"},
		"of nobody":       {text: strings.Replace(goodDocument, "client_id", "id", 1), want: "describes another program"},
		"a secret":        {text: strings.Replace(goodDocument, `"none"`, `"client_secret_basic"`, 1), want: "a client secret"},
		"no address":      {text: strings.Replace(goodDocument, `["https://claude.example/cb"]`, `[]`, 1), want: "redirect_uris"},
		"javascript":      {text: strings.Replace(goodDocument, `https://claude.example/cb`, `javascript:alert(1)`, 1), want: "redirect_uris"},
		"a port":          {id: "https://claude.example:8443/c", want: "more than a host and a path"},
		"a query":         {id: "https://claude.example/c?x", want: "more than a host and a path"},
		"a user":          {id: "https://u@claude.example/c", want: "more than a host and a path"},
		"no path":         {id: "https://claude.example/", want: "no path"},
		"dots":            {id: "https://claude.example/a/../c", want: "no path"},
		"encoded dots":    {id: "https://claude.example/a/%2e%2e/c", want: "no path"},
		"long":            {id: "https://claude.example/" + strings.Repeat("c", 500), want: "not an address"},
		"another address": {id: "https://claude.example\\@evil.example/c", want: "not an address"},
	} {
		t.Run(name, func(t *testing.T) {
			if one.id == "" {
				one.id = documentID
			}
			if one.kind == "" {
				one.kind = "application/json"
			}
			if one.status == 0 {
				one.status = http.StatusOK
			}
			var got []string
			d := newClientDocuments(&http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
				got = append(got, r.URL.String())
				return page(one.status, one.kind, one.text), nil
			})}, time.Now)
			c, err := d.find(t.Context(), one.id, "alice")
			if one.want == "" && (err != nil || c.Name != "Claude") || one.want != "" && (err == nil || !strings.Contains(err.Error(), one.want)) {
				t.Errorf("%+v, %v", c, err)
			}
			if asked := strings.Join(got, " "); asked != "" && asked != documentID {
				t.Errorf("fetched: %s", asked)
			}
		})
	}
}

// TestPrivateDocuments checks that no document is fetched from a private network, under any name.
func TestPrivateDocuments(t *testing.T) {
	var asked atomic.Int32
	site := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	site.StartTLS()
	defer site.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(site.URL, "https://"), ":")
	d := newClientDocuments(nil, time.Now)
	for _, host := range []string{"localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "[fd00::1]", "[fe80::1]", "[64:ff9b::7f00:1]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]"} {
		if _, err := d.fetch(t.Context(), "https://"+host+":"+port+"/client.json"); !errors.Is(err, errPrivateAddress) {
			t.Errorf("%s: %v", host, err)
		}
		if _, err := d.find(t.Context(), "https://"+host+"/client.json", "alice"); !errors.Is(err, errPrivateAddress) {
			t.Errorf("%s: %v", host, err)
		}
	}
	if asked.Load() != 0 {
		t.Error("a site on this machine was asked")
	}
	for address, public := range map[string]bool{"8.8.8.8": true, "2606:4700::1111": true, "172.31.0.1": false, "172.32.0.1": true, "198.18.0.1": false, "224.0.0.1": false, "255.255.255.255": false, "2002:7f00:1::": false, "2001::1": false, "::": false, "::2": false, "::8.8.8.8": false, "4000::1": false, "64:ff9b::8.8.8.8": false, "::ffff:8.8.8.8": true, "::ffff:10.0.0.1": false} {
		if got := isPublic(netip.MustParseAddr(address)); got != public {
			t.Errorf("%s is public: %v", address, got)
		}
	}
}

// TestSlowDocuments checks that a site that does not respond is given up and tried again later, and
// delays other fetches only briefly.
func TestSlowDocuments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		d := newClientDocuments(&http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
			asked.Add(1)
			<-r.Context().Done()
			return nil, r.Context().Err()
		})}, time.Now)
		began := time.Now()
		if _, err := d.find(t.Context(), documentID, "alice"); !errors.Is(err, errNotFetched) || time.Since(began) != fetchTimeout || d.areSupported() {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		if _, err := d.find(t.Context(), documentID, "alice"); !errors.Is(err, errNotFetched) || asked.Load() != 1 {
			t.Errorf("asked %d times: %v", asked.Load(), err)
		}
		time.Sleep(failureCacheLifetime)
		slow := func(users ...string) {
			for _, user := range users {
				go func() { _, _ = d.find(t.Context(), documentID, user) }()
			}
			synctest.Wait()
		}
		slow("alice", "alice", "alice", "alice", "bob")
		if asked.Load() != 1+maxFetchesOfUser+1 {
			t.Errorf("asked %d times: one user has more than a share, or others none", asked.Load())
		}
		slow("bob")
		for _, user := range []string{"alice", "carol"} {
			if _, err := d.find(t.Context(), "https://other.example/c", user); err == nil || !strings.Contains(err.Error(), "too many") {
				t.Errorf("one more of %s: %v", user, err)
			}
			if c, err := d.find(t.Context(), "https://claude.ai/oauth/mcp-oauth-client-metadata", user); err != nil || c.Name != "Claude" {
				t.Errorf("%s is kept from what is known: %v", user, err)
			}
		}
		time.Sleep(fetchTimeout)
		if asked.Load() != 1+maxFetches {
			t.Errorf("asked %d times", asked.Load())
		}
		time.Sleep(unreachablePeriod)
		if !d.areSupported() {
			t.Error("documents are never offered again")
		}
	})
}

// TestReachable checks that support for documents is announced again as soon as one can be fetched.
func TestReachable(t *testing.T) {
	fails := true
	d := newClientDocuments(&http.Client{Transport: transport(func(*http.Request) (*http.Response, error) {
		if fails {
			return nil, errors.New("no route")
		}
		return page(http.StatusOK, "application/json", goodDocument), nil
	})}, time.Now)
	_, _ = d.find(t.Context(), "https://away.example/c", "alice")
	if d.areSupported() {
		t.Error("documents are offered by a server that reaches none")
	}
	fails = false
	if _, err := d.find(t.Context(), documentID, "alice"); err != nil || !d.areSupported() {
		t.Errorf("not offered again: %v", err)
	}
}

// TestOneUnreachable checks that an unknown host, a broken response or a single site that is down
// does not end the support for documents.
func TestOneUnreachable(t *testing.T) {
	d := newClientDocuments(&http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
		switch r.URL.Host {
		case "no-such-host.invalid":
			return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: r.URL.Host, IsNotFound: true}}
		case "breaks.example":
			answer := page(http.StatusOK, "application/json", "")
			answer.Body = io.NopCloser(iotest.ErrReader(errors.New("reset")))
			return answer, nil
		case "away.example":
			return nil, errors.New("no route")
		}
		return page(http.StatusOK, "application/json", goodDocument), nil
	})}, time.Now)
	for _, id := range []string{"https://no-such-host.invalid/c", "https://breaks.example/c", documentID, "https://away.example/c"} {
		if _, err := d.find(t.Context(), id, "alice"); (err == nil) != (id == documentID) || !d.areSupported() {
			t.Errorf("%s: %v, documents are offered: %v", id, err, d.areSupported())
		}
	}
}

// TestPublished checks that known clients are accepted although their site refuses the server or
// its name does not resolve, that a document that can be fetched takes precedence, and that this
// holds for no other client.
func TestPublished(t *testing.T) {
	const claude = "https://claude.ai/oauth/mcp-oauth-client-metadata"
	for name, site := range map[string]transport{
		"a riddle for robots": func(*http.Request) (*http.Response, error) {
			return page(http.StatusForbidden, "text/html", "<html>"), nil
		},
		"a page": func(*http.Request) (*http.Response, error) { return page(http.StatusOK, "text/html", "<html>"), nil },
		"no such host": func(r *http.Request) (*http.Response, error) {
			return nil, &net.DNSError{Err: "no such host", Name: r.URL.Host, IsNotFound: true}
		},
		"no route": func(*http.Request) (*http.Response, error) { return nil, errors.New("no route") },
	} {
		d := newClientDocuments(&http.Client{Transport: site}, time.Now)
		for id := range knownClients {
			c, err := d.find(t.Context(), id, "alice")
			if err != nil || c.Name == "" || !c.allowsRedirectURI(c.RedirectURIs[0]) || checkDocumentURL(id) != nil {
				t.Errorf("%s, %s: %+v, %v", name, id, c, err)
			}
		}
		if c, err := d.find(t.Context(), claude+"2", "alice"); err == nil || c.RedirectURIs != nil {
			t.Errorf("%s: of another there is %+v", name, c)
		}
		if d.areSupported() != (name != "no route") {
			t.Errorf("%s: documents are offered: %v", name, d.areSupported())
		}
	}
	text := strings.NewReplacer(documentID, claude, "https://claude.example/cb", "https://claude.com/new").Replace(goodDocument)
	d := newClientDocuments(&http.Client{Transport: transport(func(*http.Request) (*http.Response, error) { return page(http.StatusOK, "application/json", text), nil })}, time.Now)
	if c, err := d.find(t.Context(), claude, "alice"); err != nil || !c.allowsRedirectURI("https://claude.com/new") || c.allowsRedirectURI("https://claude.ai/api/mcp/auth_callback") {
		t.Errorf("what was fetched: %+v, %v", c, err)
	}
	text = strings.Replace(text, `"none"`, `"client_secret_post"`, 1)
	d = newClientDocuments(&http.Client{Transport: transport(func(*http.Request) (*http.Response, error) { return page(http.StatusOK, "application/json", text), nil })}, time.Now)
	if _, err := d.find(t.Context(), claude, "alice"); err == nil {
		t.Error("what was fetched and is wrong does not count")
	}
}

// TestKeptDocuments checks that documents are cached for a time and in limited number.
func TestKeptDocuments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := make(map[string]int)
		d := newClientDocuments(&http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
			id := r.URL.String()
			asked[id]++
			return page(http.StatusOK, "application/json", strings.Replace(goodDocument, documentID, id, 1)), nil
		})}, time.Now)
		get := func(id string) {
			t.Helper()
			if _, err := d.find(context.Background(), id, "alice"); err != nil {
				t.Error(err)
			}
		}
		get(documentID)
		time.Sleep(cacheLifetime - time.Millisecond)
		get(documentID)
		if asked[documentID] != 1 {
			t.Errorf("asked %d times", asked[documentID])
		}
		time.Sleep(time.Millisecond)
		for i := range 2 * maxCached {
			get(documentID + strings.Repeat("x", i%300+1) + string(rune('a'+i/300)))
			time.Sleep(time.Millisecond)
		}
		if len(d.cache) != maxCached {
			t.Errorf("%d are kept", len(d.cache))
		}
		get(documentID)
		d.now = func() time.Time { return time.Now().Add(-time.Hour) }
		get(documentID)
		if asked[documentID] != 3 {
			t.Errorf("asked %d times, the last by a clock that was set back", asked[documentID])
		}
	})
}
