package doctor

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"vademecum/internal/bridge"
	"vademecum/internal/hosts"
	"vademecum/internal/present"
)

// reach asks the URL of an entry as its host would.
func (s *findings) reach(ctx context.Context, t trialOf) Finding {
	within, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	server, err := t.ask(within, t.launch.URL)
	switch {
	case err == nil && server.Name != "" && server.Name != "vademecum":
		return t.found(Warning, fmt.Sprintf("at its URL is another server, which calls itself %q", present.Line(server.Name)))
	case err == nil:
		return Finding{OK, "host", fmt.Sprintf("%s reaches %q by its URL", t.host.Title, present.Line(t.entry.Name)), ""}
	}
	return s.unreached(ctx, t, err)
}

// unreached says why a URL does not answer, and what to do.
func (s *findings) unreached(ctx context.Context, t trialOf, err error) Finding {
	at := present.Name(bridge.Redacted(t.launch.URL)) + ": "
	why := cutShort(t.shown(present.Message(err)))
	switch {
	case errors.Is(err, bridge.ErrSignIn) && t.launch.NoToken != "":
		return s.noToken(t)
	case errors.Is(err, bridge.ErrSignIn) && strings.Contains(t.authorization(), hosts.YourToken):
		return t.placeOfToken()
	case errors.Is(err, bridge.ErrSignIn) && t.authorization() == "":
		return t.found(Fault, at+why, "have the entry send the header Authorization: Bearer YOUR_TOKEN, with the token that the server's administrator has given you")
	case errors.Is(err, bridge.ErrSignIn) && t.launch.TokenVariable != "":
		return t.found(Fault, at+why, "put a token that is valid into "+t.launch.TokenVariable+", which it takes the token from; the server's administrator gives one")
	case errors.Is(err, bridge.ErrSignIn):
		return t.found(Fault, at+why, "put a token that is valid into the header Authorization of the entry; the server's administrator gives one")
	case errors.Is(err, bridge.ErrCertificate):
		return t.found(Fault, at+why, t.trustAdvice())
	case errors.Is(err, context.DeadlineExceeded):
		return t.found(Fault, at+errSilent.Error(), "see that the server runs and can be reached from here")
	}
	if other := otherScheme(ctx, t.launch.URL); other != "" {
		return t.found(Fault, at+why, "did you mean "+other+"?")
	}
	if other := s.otherURL(ctx, t, t.launch.URL); other != "" {
		return t.found(Fault, at+why, "give "+other+", which answers")
	}
	return t.found(Fault, at+why, "see that the server runs and can be reached from here", t.again())
}

// otherScheme is the URL at which a server is that speaks HTTP in the place of HTTPS, or
// the other way round, "" if there is none. It is sent no token: the URL is not that of
// the entry.
func otherScheme(ctx context.Context, given string) string {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	for _, other := range append([]string{bridge.OtherScheme(given)}, bridge.Others(bridge.OtherScheme(given))...) {
		_, err := bridge.Try(ctx, bridge.Options{URL: bridge.Redacted(other), Header: http.Header{}})
		if err == nil || errors.Is(err, bridge.ErrSignIn) || errors.Is(err, bridge.ErrCertificate) {
			return bridge.Redacted(other)
		}
	}
	return ""
}

func (t trialOf) authorization() string {
	for name, value := range t.launch.Header {
		if strings.EqualFold(name, "Authorization") {
			return value
		}
	}
	return ""
}

// trustAdvice is how a host is made to trust an authority of one's own.
func (t trialOf) trustAdvice() string {
	switch t.host.Name {
	case "claude-code", "gemini", "qwen", "opencode":
		return "start the host with NODE_EXTRA_CA_CERTS=FILE in its environment, the file with the certificate of the authority"
	}
	return fmt.Sprintf("have the system trust the authority, or have the host start the program: vademecum connect --ca-file FILE %s", bridge.Redacted(t.launch.URL))
}

// ask begins a session at a URL with the headers of an entry.
func (t trialOf) ask(ctx context.Context, url string) (bridge.Server, error) {
	o := bridge.Options{URL: url, Header: http.Header{}}
	for name, value := range t.launch.Header {
		o.Header.Set(name, value)
	}
	switch own := []byte(nil); {
	case t.launch.OwnTrust && strings.HasPrefix(url, "https:"):
		own = authoritiesOfNode(ctx, t.launch.Env)
		o.Through = trusting(own, t.launch.Authorities)
	case t.launch.Authorities != "":
		o.Through = trusting(own, t.launch.Authorities)
	}
	if t.launch.Older {
		return bridge.Server{}, bridge.TryOlder(ctx, o)
	}
	return bridge.Try(ctx, o)
}

// askNode prints the authorities that Node trusts as it is started here.
const askNode = `const t = require("tls"); console.log((t.getCACertificates ? t.getCACertificates("default") : t.rootCertificates).join("\n"))`

// authoritiesOfNode are those, nil where there is no Node.
func authoritiesOfNode(ctx context.Context, env []string) []byte {
	c := exec.CommandContext(ctx, "node", "-e", askNode)
	c.Env = env
	out, _ := c.Output() // then the system's are taken
	return out
}

// trusting trusts the authorities of a host, or else those of the system, and those in a
// file. Hosts go on without one that they cannot read.
func trusting(own []byte, file string) *http.Transport {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(own) {
		if of, err := x509.SystemCertPool(); err == nil { // else the system has none
			pool = of
		}
	}
	if pem, err := os.ReadFile(file); err == nil {
		pool.AppendCertsFromPEM(pem)
	}
	through := http.DefaultTransport.(*http.Transport).Clone()
	through.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	return through
}

// otherURL is one at the same server that answers in place of one that does not, "" if
// there is none: the usual path.
func (s *findings) otherURL(ctx context.Context, t trialOf, given string) string {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	for _, other := range bridge.Others(given) {
		if _, err := t.ask(ctx, other); err == nil || errors.Is(err, bridge.ErrSignIn) {
			return bridge.Redacted(other)
		}
	}
	return ""
}
