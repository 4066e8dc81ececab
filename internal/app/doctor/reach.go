package doctor

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"vademecum/index/notice"
	"vademecum/internal/app/bridge"
	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// tryURL connects to the URL of an entry as its host would.
func (s *examination) tryURL(ctx context.Context, t entryTrial) Finding {
	within, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	server, err := t.initializeAt(within, t.launch.URL)
	switch {
	case err == nil && server.Name != "" && server.Name != "vademecum":
		return t.newFinding(LevelWarning, message.New("its URL leads to another server, which calls itself %q", present.CleanLine(server.Name)))
	case err == nil:
		return Finding{LevelOK, aboutHost, message.New("%s reaches %q by its URL", t.host.Title, present.CleanLine(t.entry.Name)), ""}
	}
	return s.failedURLFinding(ctx, t, err)
}

// failedURLFinding returns a finding on why a URL does not respond.
func (s *examination) failedURLFinding(ctx context.Context, t entryTrial, err error) Finding {
	at := func(why message.Message) message.Message {
		return message.New("%s: %v", present.QuoteName(bridge.RedactURL(t.launch.URL)), why)
	}
	why := at(notice.ErrorLine(err).MapForeignTexts(t.redact).MapForeignTexts(cutShort))
	switch {
	case errors.Is(err, bridge.ErrSignInRefused) && t.launch.UnsetTokenVariable != "":
		return s.missingTokenFinding(t)
	case errors.Is(err, bridge.ErrSignInRefused) && strings.Contains(t.authorization(), hosts.TokenPlaceholder):
		return t.placeholderFinding()
	case errors.Is(err, bridge.ErrSignInRefused) && t.authorization() == "":
		return t.newFinding(LevelFault, why, message.New("have the entry send the header Authorization: Bearer YOUR_TOKEN, with the token that the server's administrator has given you"))
	case errors.Is(err, bridge.ErrSignInRefused) && t.launch.TokenVariable != "":
		return t.newFinding(LevelFault, why, message.New("put a valid token into %s, from which it reads the token; the server's administrator issues one", t.launch.TokenVariable))
	case errors.Is(err, bridge.ErrSignInRefused):
		return t.newFinding(LevelFault, why, message.New("put a valid token into the header Authorization of the entry; the server's administrator issues one"))
	case errors.Is(err, bridge.ErrUntrustedCertificate):
		return t.newFinding(LevelFault, why, t.trustAdvice())
	case errors.Is(err, context.DeadlineExceeded):
		return t.newFinding(LevelFault, at(message.FromError(errSilent)), adviceOnServer())
	}
	if other := findOtherScheme(ctx, t.launch.URL); other != "" {
		return t.newFinding(LevelFault, why, adviceOnScheme(other))
	}
	if other := s.findOtherURL(ctx, t, t.launch.URL); other != "" {
		return t.newFinding(LevelFault, why, adviceOnURL(other))
	}
	return t.newFinding(LevelFault, why, adviceOnServer(), t.reinstallCommand())
}

func adviceOnServer() message.Message {
	return message.New("make sure that the server runs and can be reached from here")
}

func adviceOnScheme(url string) message.Message {
	return message.New("did you mean %s?", url)
}

func adviceOnURL(url string) message.Message {
	return message.New("give %s, which answers", url)
}

// findOtherScheme returns the URL at which a server answers with HTTP instead of HTTPS, or the
// reverse: the given URL or one with the usual path; "" if none answers. It sends no token, as the
// URL is not that of the entry.
func findOtherScheme(ctx context.Context, given string) string {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	for _, other := range append([]string{bridge.SwapScheme(given)}, bridge.AlternativeURLs(bridge.SwapScheme(given))...) {
		_, err := bridge.TrySession(ctx, bridge.Options{URL: bridge.RedactURL(other), Header: http.Header{}})
		if err == nil || errors.Is(err, bridge.ErrSignInRefused) || errors.Is(err, bridge.ErrUntrustedCertificate) {
			return bridge.RedactURL(other)
		}
	}
	return ""
}

func (t entryTrial) authorization() string {
	for name, value := range t.launch.Header {
		if strings.EqualFold(name, "Authorization") {
			return value
		}
	}
	return ""
}

// trustAdvice returns advice on how to make the host trust a private certificate authority.
func (t entryTrial) trustAdvice() message.Message {
	switch t.host.ID {
	case "claude-code", "gemini", "qwen", "opencode":
		return message.New("start the host with NODE_EXTRA_CA_CERTS=FILE in its environment, the file with the certificate of the authority")
	}
	return message.New("have the system trust the authority, or have the host start the program: vademecum connect --ca-file FILE %s", bridge.RedactURL(t.launch.URL))
}

// initializeAt begins a session at a URL with the HTTP headers of the entry.
func (t entryTrial) initializeAt(ctx context.Context, url string) (bridge.ServerInfo, error) {
	o := bridge.Options{URL: url, Header: http.Header{}}
	for name, value := range t.launch.Header {
		o.Header.Set(name, value)
	}
	switch own := []byte(nil); {
	case t.launch.UsesNodeAuthorities && strings.HasPrefix(url, "https:"):
		own = nodeAuthorities(ctx, t.launch.Env)
		o.Transport = transportTrusting(own, t.launch.HostCAFile)
	case t.launch.HostCAFile != "":
		o.Transport = transportTrusting(own, t.launch.HostCAFile)
	}
	if t.launch.IsLegacySSE {
		return bridge.ServerInfo{}, bridge.TrySSE(ctx, o)
	}
	return bridge.TrySession(ctx, o)
}

// askNode is a script for Node that prints the certificate authorities that Node trusts.
const askNode = `const t = require("tls"); console.log((t.getCACertificates ? t.getCACertificates("default") : t.rootCertificates).join("\n"))`

// nodeAuthorities returns, in PEM, the certificate authorities that Node trusts in an environment;
// nil if Node is not installed.
func nodeAuthorities(ctx context.Context, env []string) []byte {
	c := exec.CommandContext(ctx, "node", "-e", askNode)
	c.Env = env
	out, _ := c.Output() // on failure those of the system are used
	return out
}

// transportTrusting returns a transport that trusts the certificate authorities in own (PEM), or
// those of the system if own is nil, and those in a file. A file that cannot be read is ignored, as
// hosts ignore it.
func transportTrusting(own []byte, file string) *http.Transport {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(own) {
		if of, err := x509.SystemCertPool(); err == nil { // the system may have no pool
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

// findOtherURL tries the given URL, which does not answer, with the usual paths in place of its own. It
// returns the first URL at which a server answers; "" if there is none.
func (s *examination) findOtherURL(ctx context.Context, t entryTrial, given string) string {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	for _, other := range bridge.AlternativeURLs(given) {
		if _, err := t.initializeAt(ctx, other); err == nil || errors.Is(err, bridge.ErrSignInRefused) {
			return bridge.RedactURL(other)
		}
	}
	return ""
}
