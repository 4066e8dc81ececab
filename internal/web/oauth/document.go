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
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"vademecum/internal/message"
	"vademecum/internal/web/guard"
)

// metadataDocuments are what clients say of themselves on their sites: the name of such a client
// is the URL of its document. Only people who have signed in have one fetched.
type metadataDocuments struct {
	client *http.Client
	now    func() time.Time
	turns  *guard.Quota // of users

	mu          sync.Mutex
	known       map[string]metadataDocument
	reached     time.Time // when a site was last
	unreachable time.Time // when one was, and none was reached since
}

// metadataDocument is one that was fetched, or why it could not be.
type metadataDocument struct {
	client Client
	err    error
	at     time.Time
}

// Limits of documents.
const (
	longestID      = 500 // bytes
	mostOfDocument = 16 << 10
	fetchLimit     = 5 * time.Second
	fetchesAtOnce  = 4
	fetchesOfUser  = 2 // of them: whoever names slow sites keeps nobody else waiting
	mostKnown      = 200
	staysKnown     = 5 * time.Minute
	staysUnknown   = 30 * time.Second // a site that does not answer is not asked each time
	staysAway      = 24 * time.Hour
)

func newMetadataDocuments(client *http.Client, now func() time.Time) *metadataDocuments {
	if client == nil {
		client = &http.Client{Transport: publicTransport()}
	}
	client.Timeout = fetchLimit
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &metadataDocuments{client: client, now: now, turns: guard.NewQuota(fetchesAtOnce, fetchesOfUser), known: make(map[string]metadataDocument)}
}

// publicTransport reaches public addresses alone. That is checked when a connection is
// opened: a name may lead elsewhere each time that it is looked up. No proxy is asked,
// which would look it up by itself.
func publicTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: fetchLimit, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !isPublic(at.Addr()) {
			return errPrivate
		}
		return nil
	}}
	return &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true, TLSHandshakeTimeout: fetchLimit, ForceAttemptHTTP2: true, MaxResponseHeaderBytes: mostOfDocument}
}

var errUnfetched = message.Errorf("what it says of itself cannot be fetched; connect once more, and it registers in another way", "无法获取其说明；请重新连接一次，它会以另一种方式登记")

var errNoHost = message.Errorf("the network of this server knows no such host; where the program can register itself instead, have it do that", "本服务器的网络中找不到其主机；如果该程序可以改为自行登记，请选用那种方式")

var errPrivate = message.Errorf("its host is in a private network", "其主机在专用网络中")

// reserved are networks that are not public although they are no private ones by their
// name: shared, for protocols, benchmarks and documentation, and those that hold
// addresses of version 4.
var reserved = func() (all []netip.Prefix) {
	for _, text := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
		"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	} {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}()

// global are the addresses of version 6 that are given out for use on the internet. Others
// lead elsewhere, such as to addresses of version 4 that they hold.
var global = netip.MustParsePrefix("2000::/3")

// isPublic tells addresses that everyone on the internet has to do with.
func isPublic(ip netip.Addr) bool {
	ip = ip.Unmap()
	if ip.Is6() && !global.Contains(ip.WithZone("")) {
		return false
	}
	in := func(p netip.Prefix) bool { return p.Contains(ip.WithZone("")) }
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && !slices.ContainsFunc(reserved, in)
}

// isDocumentURL tells the name of a client that has a document.
func isDocumentURL(id string) bool { return strings.HasPrefix(id, "https://") }

// checkDocumentURL says why an address is none of a document.
func checkDocumentURL(id string) error {
	u, err := url.Parse(id)
	switch {
	case len(id) > longestID || err != nil || strings.ContainsFunc(id, isForbiddenInURI) || !isHost(u.Host):
		return message.Errorf("its client_id is no address", "client_id 不是网址")
	case u.User != nil || u.RawQuery != "" || strings.ContainsAny(id, "?#") || u.Port() != "":
		return message.Errorf("its client_id has more than a host and a path", "client_id 除主机和路径外还有别的内容")
	case strings.Trim(u.Path, "/") == "" || slices.ContainsFunc(strings.Split(u.Path, "/"), func(s string) bool { return s == "." || s == ".." }):
		return message.Errorf("its client_id has no path of a document", "client_id 没有文档的路径")
	}
	return nil
}

// clientOf returns what a client says of itself, which a user is to be told.
func (d *metadataDocuments) clientOf(ctx context.Context, id, user string) (Client, error) {
	if err := checkDocumentURL(id); err != nil {
		return Client{}, err
	}
	if found, ok := d.cached(id); ok {
		return found.client, found.err
	}
	found, isPublished := publishedClient(id)
	done, err := d.turns.Acquire(user)
	switch {
	case err != nil && isPublished:
		return found, nil
	case err != nil:
		return Client{}, message.Errorf("too many documents of programs are being fetched; try again in a moment", "正在获取的程序说明太多，请稍后再试")
	}
	defer done()
	text, unfetched := d.fetch(ctx, id)
	err = unfetched
	if unfetched == nil {
		found, err = parseDocument(id, text)
	} else if isPublished {
		err = nil
	}
	if ctx.Err() == nil {
		d.addToCache(id, metadataDocument{found, err, d.now()}, unfetched)
	}
	return found, err
}

// published are clients whose documents are known, for when they cannot be fetched: their site
// takes servers for robots, and answers 403 from many networks, or its name is not known
// in the network of the server. Where it is fetched, what it says counts.
var published = map[string]Client{
	"https://claude.ai/oauth/mcp-oauth-client-metadata":   {"Claude", []string{"https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"}},
	"https://claude.ai/oauth/claude-code-client-metadata": {"Claude Code", onOwnDevice},
	"https://chatgpt.com/oauth/client.json":               {"ChatGPT", []string{"https://chatgpt.com/connector_platform_oauth_redirect"}},
	"https://chatgpt.com/oauth/codex/client.json":         {"Codex", onOwnDevice},
	"https://vscode.dev/oauth/client-metadata.json":       {"Visual Studio Code", []string{"http://127.0.0.1:33418/", "https://vscode.dev/redirect"}},
	"https://zed.dev/oauth/client-metadata.json":          {"Zed", []string{"http://127.0.0.1/callback"}},
}

// onOwnDevice is where programs of the terminal listen, at any port.
var onOwnDevice = []string{"http://localhost/callback", "http://127.0.0.1/callback"}

// publishedOfConnection finds the documents that OpenAI has for a single connection: the
// address that browsers are sent back to has the same name in it.
var publishedOfConnection = regexp.MustCompile(`^https://chatgpt\.com/oauth/(codex/)?([A-Za-z0-9_-]{1,100})/client\.json$`)

// publishedClient is one whose document is known.
func publishedClient(id string) (c Client, ok bool) {
	if c, ok = published[id]; ok {
		return c, true
	}
	of := publishedOfConnection.FindStringSubmatch(id)
	switch {
	case of == nil:
		return c, false
	case of[1] == "":
		return Client{"ChatGPT", []string{"https://chatgpt.com/connector/oauth/" + of[2]}}, true
	}
	return Client{"Codex", []string{"http://127.0.0.1/callback/" + of[2], "http://localhost/callback/" + of[2]}}, true
}

// areSupported tells whether clients are to name a document. A server in a network of its own
// reaches none: when that was seen, clients register instead. No address that somebody makes
// up says so of one that reaches others.
func (d *metadataDocuments) areSupported() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.unreachable.IsZero() || d.now().Sub(d.unreachable) >= staysAway
}

// cached finds a document that is not too old, also by a clock that was set back.
func (d *metadataDocuments) cached(id string) (found metadataDocument, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	found, ok = d.known[id]
	lasts := staysKnown
	if found.err != nil {
		lasts = staysUnknown
	}
	age := d.now().Sub(found.at)
	return found, ok && age >= 0 && age < lasts
}

// addToCache takes in a document, which may have been known without being fetched, and
// forgets the oldest of too many.
func (d *metadataDocuments) addToCache(id string, it metadataDocument, unfetched error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known[id] = it
	switch {
	case errors.Is(unfetched, errPrivate) || errors.Is(unfetched, errNoHost):
	case !errors.Is(unfetched, errUnfetched):
		d.reached, d.unreachable = it.at, time.Time{}
	case it.at.Sub(d.reached) >= staysAway: // otherwise it is that site
		d.unreachable = it.at
	}
	if len(d.known) <= mostKnown {
		return
	}
	oldest := id
	for other, known := range d.known {
		if known.at.Before(d.known[oldest].at) {
			oldest = other
		}
	}
	delete(d.known, oldest)
}

// fetch gets a document. Where that leads elsewhere it is none.
func (d *metadataDocuments) fetch(ctx context.Context, id string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, id, http.NoBody)
	if err != nil {
		return nil, message.Errorf("its client_id is no address", "client_id 不是网址")
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "vademecum")
	answer, err := d.client.Do(r)
	var unresolved *net.DNSError
	switch {
	case errors.As(err, &unresolved) && unresolved.IsNotFound:
		return nil, errNoHost
	case errors.Is(err, errPrivate):
		return nil, errPrivate
	case err != nil:
		return nil, errUnfetched
	}
	defer answer.Body.Close()
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	switch {
	case answer.StatusCode != http.StatusOK:
		return nil, message.Errorf("what it says of itself is not there: its site answers with %d", "其网站没有提供说明：回应为 %d", answer.StatusCode)
	case kind != "application/json" && !strings.HasSuffix(kind, "+json"):
		return nil, message.Errorf("what it says of itself is no JSON", "其说明不是 JSON")
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostOfDocument+1))
	switch {
	case err != nil:
		return nil, message.Errorf("what it says of itself does not come to its end", "其说明没有传完")
	case len(text) > mostOfDocument:
		return nil, message.Errorf("what it says of itself has more than %d bytes", "其说明超过 %d 字节", mostOfDocument)
	}
	return text, nil
}

// parseDocument reads a document, which has to be the one of its address.
func parseDocument(id string, text []byte) (c Client, err error) {
	var m clientMetadata
	switch err := json.Unmarshal(text, &m); {
	case err != nil:
		return c, message.Errorf("what it says of itself is no JSON of a client", "其说明不是程序的 JSON")
	case m.ID != id:
		return c, message.Errorf("what it says of itself is of another program", "其说明属于另一个程序")
	case strings.HasPrefix(m.AuthMethod, "client_secret"):
		return c, message.Errorf("it wants to have a secret, and what it says of itself is none", "它要求使用密钥，而其说明是公开的")
	}
	return m.toClient()
}
