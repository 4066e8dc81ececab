package embed

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"

	"vademecum/internal/base/message"
)

const openaiBase = "https://api.openai.com/v1"

// endpoint is a parsed spec, completed from the environment. It identifies a model without sending
// requests.
type endpoint struct {
	base       *url.URL // without a trailing slash
	model      string
	dimensions int       // 0 means the default of the model
	prefixes   [2]string // by the kind of text; prepended to each text
	limit      int       // maximum tokens of a text, including the prefix; 0 if unknown
	identity   string    // result of ModelIdentity
	key        string    // "" if none
	keyNeeded  bool
	hint       message.Message // what may help if nothing listens at the address

	keyVariable string // environment variable for a missing key
}

// anyKey is the environment variable with the key for any provider.
const anyKey = "VADEMECUM_API_KEY"

func (e *endpoint) ModelIdentity() string { return e.identity }

// Properties gives the vectors of every model the same weight as the words: with good models, a
// half or more was found best (Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid
// Retrieval", 2023). A model as weak as means of word vectors would need less: alone it has an
// nDCG@10 of .287 on SciFact, where words have .695; together they have .655 with a weight of 0.3,
// and .521 with a half.
func (e *endpoint) Properties() Properties {
	p := Properties{Semantic: true, Weight: 0.5, Host: e.remoteHost()}
	if price, ok := prices[e.base.Hostname()][e.model]; ok {
		p.Price = &price
	}
	return p
}

// Embed returns an error: an endpoint only identifies a model, and a remote computes its vectors.
func (e *endpoint) Embed(context.Context, TextKind, []string) ([][]float32, error) {
	return nil, message.Errorf("%s is not being asked now", e.identity)
}

func parseOpenAI(_, rest string) (Embedder, error) {
	e := &endpoint{key: os.Getenv("OPENAI_API_KEY")}
	model, settings, _ := strings.Cut(rest, "?")
	if err := e.setModel(model, settings); err != nil {
		return nil, err
	}
	base := strings.TrimSpace(os.Getenv("OPENAI_BASE_URL"))
	if base == "" {
		base = openaiBase
	}
	u, err := parseBaseURL(base, embeddingsPath)
	if err != nil {
		return e, message.Errorf("OPENAI_BASE_URL: %v", err)
	}
	if u.RawQuery != "" || u.Fragment != "" {
		return nil, message.Errorf("OPENAI_BASE_URL: must have no '?' and no '#'")
	}
	e.base = u
	// Another server may use the same name for a different model.
	if u.String() != openaiBase {
		e.identity = e.urlIdentity()
		return e, nil
	}
	e.keyNeeded = true
	e.identity = "openai:" + e.model + e.identityQuery()
	return e, nil
}

func parseOllama(_, rest string) (Embedder, error) {
	e := &endpoint{hint: message.New("is Ollama running? start it with: ollama serve")}
	model, settings, _ := strings.Cut(rest, "?")
	if err := e.setModel(model, settings); err != nil {
		return nil, err
	}
	u, err := ollamaBase(os.Getenv("OLLAMA_HOST"))
	if err != nil {
		return e, message.Errorf("OLLAMA_HOST: %v", err)
	}
	e.base = u
	e.identity = "ollama:" + e.model + e.identityQuery()
	return e, nil
}

func parseURL(spec, _ string) (Embedder, error) {
	e := new(endpoint)
	u, err := parseBaseURL(spec, embeddingsPath)
	if err != nil {
		return nil, err
	}
	model, settings, _ := strings.Cut(u.EscapedFragment(), "?")
	if u.RawQuery != "" {
		if settings != "" {
			return nil, message.Errorf("settings are given twice, before and after #")
		}
		settings = u.RawQuery
	}
	if model, err = url.PathUnescape(model); err != nil {
		return nil, message.Errorf("not an address like https://host/v1#model")
	}
	u.RawQuery, u.Fragment, u.RawFragment = "", "", ""
	e.base = u
	if err := e.setModel(model, settings); err != nil {
		return nil, err
	}
	e.identity = e.urlIdentity()
	return e, nil
}

// embeddingsPath is the path that the client library appends to the address of an API.
const embeddingsPath = "/embeddings"

// parseBaseURL parses the address of an API and normalises it: lower-case host, no trailing slash,
// and without the path that is added for a request.
func parseBaseURL(s, added string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, message.Errorf("not an address like https://host/v1")
	}
	if u.User != nil {
		return nil, message.Errorf("an address must not hold a password: put the key into VADEMECUM_API_KEY")
	}
	u.Host = strings.ToLower(u.Host)
	u.Path = strings.TrimRight(u.Path, "/")
	u.Path = strings.TrimSuffix(u.Path, added)
	u.RawPath = ""
	return u, nil
}

// setModel sets the model, its settings, such as
// dimensions=512&query=query:%20&passage=passage:%20, and the key for any provider.
func (e *endpoint) setModel(model, settings string) error {
	e.keyVariable = anyKey
	if key := os.Getenv(anyKey); key != "" {
		e.key = key
	}
	e.key = strings.TrimSpace(e.key)
	if model == "" {
		return message.Errorf("no model is named: write it after the colon, or after # in an address")
	}
	e.model = model
	family := familyOf(model)
	e.prefixes = [2]string{Passage: family.passage, Query: family.query}
	e.limit = family.limit
	values, err := url.ParseQuery(settings)
	if err != nil {
		return message.Errorf("the settings after ? are not URL-encoded, as in ?query=query:%20")
	}
	for name, all := range values {
		if len(all) > 1 {
			return message.Errorf("a setting after ? is given twice")
		}
		switch name {
		case "dimensions":
			n, err := strconv.Atoi(all[0])
			if err != nil || n < 1 {
				return message.Errorf("dimensions must be a number above 0")
			}
			e.dimensions = n
		case "query":
			e.prefixes[Query] = all[0]
		case "passage":
			e.prefixes[Passage] = all[0]
		default:
			return message.Errorf("the settings after ? are dimensions, query and passage, as in ?dimensions=512")
		}
	}
	return nil
}

// identityQuery returns the settings that change stored vectors, as part of the identity: including
// a prefix of passages even if it is the model's default.
func (e *endpoint) identityQuery() string {
	var settings []string
	if e.dimensions != 0 {
		settings = append(settings, "dimensions="+strconv.Itoa(e.dimensions))
	}
	if jinaTask(e.base.Hostname(), e.model, Passage) != nil {
		settings = append(settings, "task=retrieval.passage")
	}
	if p := e.prefixes[Passage]; p != "" {
		settings = append(settings, "passage="+url.PathEscape(p))
	}
	if len(settings) == 0 {
		return ""
	}
	return "?" + strings.Join(settings, "&")
}

func (e *endpoint) urlIdentity() string {
	return e.base.String() + e.identityQuery() + "#" + e.model
}

// remoteHost returns the host that receives the texts; "" if they stay on this machine.
func (e *endpoint) remoteHost() string {
	if e.isLoopback() {
		return ""
	}
	return e.base.Host
}

// isLoopback reports whether the address is on this machine, so that nothing leaves it.
func (e *endpoint) isLoopback() bool {
	host := e.base.Hostname()
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// ollamaBase parses OLLAMA_HOST like Ollama itself: a host, host:port or address, quoted or not,
// with port 11434 unless a scheme is given (then that of the scheme). An address for listening on
// all interfaces means this machine.
func ollamaBase(s string) (*url.URL, error) {
	s = strings.Trim(strings.TrimSpace(s), `"'`)
	port := ""
	if !strings.Contains(s, "://") {
		s, port = "http://"+bracketIPv6(s), "11434"
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return nil, message.Errorf("not a host, host:port or address like http://host:11434")
	}
	host := u.Hostname()
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	if u.Port() != "" {
		port = u.Port()
	}
	base := &url.URL{Scheme: u.Scheme, Host: hostPort(host, port), Path: strings.TrimRight(u.Path, "/")}
	if !strings.HasSuffix(base.Path, "/v1") {
		base.Path += "/v1"
	}
	return base, nil
}

// bracketIPv6 puts a bare IPv6 address into the brackets required in a URL.
func bracketIPv6(s string) string {
	if ip, err := netip.ParseAddr(s); err == nil && ip.Is6() {
		return "[" + s + "]"
	}
	return s
}

func hostPort(host, port string) string {
	if port != "" {
		return net.JoinHostPort(host, port)
	}
	return bracketIPv6(host)
}
