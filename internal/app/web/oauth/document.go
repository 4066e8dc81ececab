package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"vademecum/internal/app/web/guard"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

// clientDocuments fetches and caches client ID metadata documents: the ID of a client is the URL of
// such a document. Documents are fetched only for users who have signed in.
type clientDocuments struct {
	client  *http.Client
	now     func() time.Time
	fetches *guard.Quota // limits concurrent fetches per user

	mu               sync.Mutex
	cache            map[string]clientDocument
	lastReached      time.Time // when any site last responded
	unreachableSince time.Time // since when no site has responded; zero while sites do
}

// clientDocument is the client that a fetched document describes, or the error of fetching it.
type clientDocument struct {
	client  Client
	err     error
	fetched time.Time
}

// Limits of documents and of their cache.
const (
	maxClientIDBytes     = 500 // bytes
	maxDocumentBytes     = 16 << 10
	fetchTimeout         = 5 * time.Second
	maxFetches           = 4
	maxFetchesOfUser     = 2 // out of maxFetches, so that slow sites of one user do not block the others
	maxCached            = 200
	cacheLifetime        = 5 * time.Minute
	failureCacheLifetime = 30 * time.Second // for errors of fetching
	unreachablePeriod    = 24 * time.Hour
)

func newClientDocuments(client *http.Client, now func() time.Time) *clientDocuments {
	if client == nil {
		client = &http.Client{Transport: publicTransport()}
	}
	client.Timeout = fetchTimeout
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &clientDocuments{client: client, now: now, fetches: guard.NewQuota(maxFetches, maxFetchesOfUser), cache: make(map[string]clientDocument)}
}

// publicTransport returns a transport that connects to public IP addresses only. It checks the
// address when it opens a connection, as a name may resolve to another address each time. It uses
// no proxy, as that would resolve the name itself.
func publicTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: fetchTimeout, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !isPublic(at.Addr()) {
			return errPrivateAddress
		}
		return nil
	}}
	return &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true, TLSHandshakeTimeout: fetchTimeout, ForceAttemptHTTP2: true, MaxResponseHeaderBytes: maxDocumentBytes}
}

var errNotFetched = message.Errorf("its metadata document cannot be fetched; connect once more, and it registers itself")

var errUnknownHost = message.Errorf("the network of this server knows no such host; where the program can register itself instead, have it do that")

var errPrivateAddress = message.Errorf("its host is in a private network")

// reserved are special-purpose networks that netip does not report as private: shared address
// space, protocol assignments, benchmarking, documentation, and IPv6 networks that embed IPv4
// addresses.
var reserved = func() (all []netip.Prefix) {
	for _, text := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
		"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	} {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}()

// global is the range of IPv6 global unicast addresses. Addresses outside of it, such as those of
// NAT64, may embed IPv4 addresses.
var global = netip.MustParsePrefix("2000::/3")

// isPublic reports whether an address belongs to the public internet.
func isPublic(ip netip.Addr) bool {
	ip = ip.Unmap()
	if ip.Is6() && !global.Contains(ip.WithZone("")) {
		return false
	}
	in := func(p netip.Prefix) bool { return p.Contains(ip.WithZone("")) }
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && !slices.ContainsFunc(reserved, in)
}

// isDocumentURL reports whether a client ID is the URL of a metadata document.
func isDocumentURL(id string) bool { return strings.HasPrefix(id, "https://") }

// checkDocumentURL returns an error if a URL is not allowed for a metadata document.
func checkDocumentURL(id string) error {
	u, err := url.Parse(id)
	switch {
	case len(id) > maxClientIDBytes || err != nil || strings.ContainsFunc(id, isForbiddenInURI) || !isHost(u.Host):
		return message.Errorf("its client_id is not an address")
	case u.User != nil || u.RawQuery != "" || strings.ContainsAny(id, "?#") || u.Port() != "":
		return message.Errorf("its client_id has more than a host and a path")
	case strings.Trim(u.Path, "/") == "" || slices.ContainsFunc(strings.Split(u.Path, "/"), func(s string) bool { return s == "." || s == ".." }):
		return message.Errorf("its client_id has no path of a document")
	}
	return nil
}

// find returns the client whose metadata document has a URL. The document is fetched for a user
// unless it is cached.
func (d *clientDocuments) find(ctx context.Context, id, user string) (Client, error) {
	if err := checkDocumentURL(id); err != nil {
		return Client{}, err
	}
	if found, ok := d.cached(id); ok {
		return found.client, found.err
	}
	found, isKnown := knownClient(id)
	done, err := d.fetches.Acquire(user)
	switch {
	case err != nil && isKnown:
		return found, nil
	case err != nil:
		return Client{}, message.Errorf("too many documents of programs are being fetched; try again in a moment")
	}
	defer done()
	text, fetchErr := d.fetch(ctx, id)
	err = fetchErr
	if fetchErr == nil {
		found, err = parseDocument(id, text)
	} else if isKnown {
		err = nil
	}
	if ctx.Err() == nil {
		d.addToCache(id, clientDocument{found, err, d.now()}, fetchErr)
	}
	return found, err
}

// knownClients are clients by the URL of their metadata document. They are used if the document
// cannot be fetched, because its site refuses programs in many networks with 403, or its name does
// not resolve in the network of the server. A document that can be fetched takes precedence.
var knownClients = map[string]Client{
	"https://claude.ai/oauth/mcp-oauth-client-metadata":   {"Claude", []string{"https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"}},
	"https://claude.ai/oauth/claude-code-client-metadata": {"Claude Code", loopbackCallbacks},
	"https://chatgpt.com/oauth/client.json":               {"ChatGPT", []string{"https://chatgpt.com/connector_platform_oauth_redirect"}},
	"https://chatgpt.com/oauth/codex/client.json":         {"Codex", loopbackCallbacks},
	"https://vscode.dev/oauth/client-metadata.json":       {"Visual Studio Code", []string{"http://127.0.0.1:33418/", "https://vscode.dev/redirect"}},
	"https://zed.dev/oauth/client-metadata.json":          {"Zed", []string{"http://127.0.0.1/callback"}},
}

// loopbackCallbacks are the redirect URIs of command-line clients.
var loopbackCallbacks = []string{"http://localhost/callback", "http://127.0.0.1/callback"}

// connectionClientID matches client IDs that OpenAI creates for a single connection, whose name is
// also in the redirect URI.
var connectionClientID = lazyregexp.New(`^https://chatgpt\.com/oauth/(codex/)?([A-Za-z0-9_-]{1,100})/client\.json$`)

// knownClient returns the client with an ID if its metadata is known without fetching the document.
func knownClient(id string) (c Client, ok bool) {
	if c, ok = knownClients[id]; ok {
		return c, true
	}
	of := connectionClientID.FindStringSubmatch(id)
	switch {
	case of == nil:
		return c, false
	case of[1] == "":
		return Client{"ChatGPT", []string{"https://chatgpt.com/connector/oauth/" + of[2]}}, true
	}
	return Client{"Codex", []string{"http://127.0.0.1/callback/" + of[2], "http://localhost/callback/" + of[2]}}, true
}

// areSupported reports whether the metadata of the server announces support for client ID metadata
// documents. It does not while the server has reached no site for some time, so that clients
// register instead. A single site that is down does not matter while others respond.
func (d *clientDocuments) areSupported() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.unreachableSince.IsZero() || d.now().Sub(d.unreachableSince) >= unreachablePeriod
}

// cached returns a document from the cache. It ignores a document fetched in the future, as the
// clock has been set back since.
func (d *clientDocuments) cached(id string) (found clientDocument, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	found, ok = d.cache[id]
	lifetime := cacheLifetime
	if found.err != nil {
		lifetime = failureCacheLifetime
	}
	age := d.now().Sub(found.fetched)
	return found, ok && age >= 0 && age < lifetime
}

// addToCache caches a document, and removes the oldest one if the cache is full. fetchErr is why
// the document could not be fetched; it may be set although the client is known.
func (d *clientDocuments) addToCache(id string, added clientDocument, fetchErr error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cache[id] = added
	switch {
	case errors.Is(fetchErr, errPrivateAddress) || errors.Is(fetchErr, errUnknownHost):
	case !errors.Is(fetchErr, errNotFetched):
		d.lastReached, d.unreachableSince = added.fetched, time.Time{}
	case added.fetched.Sub(d.lastReached) >= unreachablePeriod: // otherwise only this site is down
		d.unreachableSince = added.fetched
	}
	if len(d.cache) <= maxCached {
		return
	}
	oldest := id
	for other, document := range d.cache {
		if document.fetched.Before(d.cache[oldest].fetched) {
			oldest = other
		}
	}
	delete(d.cache, oldest)
}

// fetch downloads the document at a URL. It does not follow redirects.
func (d *clientDocuments) fetch(ctx context.Context, id string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, id, http.NoBody)
	if err != nil {
		return nil, message.Errorf("its client_id is not an address")
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "vademecum")
	response, err := d.client.Do(r)
	var unresolved *net.DNSError
	switch {
	case errors.As(err, &unresolved) && unresolved.IsNotFound:
		return nil, errUnknownHost
	case errors.Is(err, errPrivateAddress):
		return nil, errPrivateAddress
	case err != nil:
		return nil, errNotFetched
	}
	defer response.Body.Close()
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	switch {
	case response.StatusCode != http.StatusOK:
		return nil, message.Errorf("its metadata document is not there: its site answers with %d", response.StatusCode)
	case kind != "application/json" && !strings.HasSuffix(kind, "+json"):
		return nil, message.Errorf("its metadata document is not JSON")
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxDocumentBytes+1))
	switch {
	case err != nil:
		return nil, message.Errorf("its metadata document is cut off")
	case len(text) > maxDocumentBytes:
		return nil, message.Errorf("its metadata document has more than %d bytes", maxDocumentBytes)
	}
	return text, nil
}

// parseDocument parses a metadata document. Its client_id must be the URL of the document.
func parseDocument(id string, text []byte) (c Client, err error) {
	var m clientMetadata
	switch err := json.Unmarshal(text, &m); {
	case err != nil:
		return c, message.Errorf("its metadata document does not describe a client")
	case m.ID != id:
		return c, message.Errorf("its metadata document describes another program")
	case strings.HasPrefix(m.AuthMethod, "client_secret"):
		return c, message.Errorf("it requires a client secret, and its metadata document is public")
	}
	return m.toClient()
}
