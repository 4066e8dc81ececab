package cli

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"vademecum/internal/bridge"
	"vademecum/internal/present"
)

// serverProbe is what was found at the URL of a server.
type serverProbe struct {
	isServer bool
	asks     bool // for a token
	provider bool // of identities, where hosts get a token themselves

	away      error  // why nobody answers now
	untrusted error  // what is wrong with its certificate
	refuses   string // what it says to users who are let in nowhere
	leads     string // the URL that it is at instead
	answers   string // what it is that answers, where it is no server
}

// reachLimit is how long a server may take to answer, all tries together.
const reachLimit = 5 * time.Second

// reach asks a server at a URL as a host does that has no token.
func reach(ctx context.Context, through http.RoundTripper, at string) serverProbe {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"vademecum-install","version":"1"}}}`
	client := &http.Client{Transport: through, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at, strings.NewReader(hello))
	if err != nil {
		return serverProbe{away: err}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	answer, err := client.Do(r)
	if err != nil {
		return unreached(err)
	}
	defer answer.Body.Close()
	if session := answer.Header.Get("Mcp-Session-Id"); session != "" {
		defer leave(ctx, client, at, session)
	}
	return understood(answer)
}

func unreached(err error) serverProbe {
	if wrong := new(tls.CertificateVerificationError); errors.As(err, &wrong) {
		return serverProbe{untrusted: wrong.Err}
	}
	if of := new(url.Error); errors.As(err, &of) {
		err = of.Err
	}
	return serverProbe{away: err}
}

// leave ends the session that a server has begun.
func leave(ctx context.Context, client *http.Client, at, session string) {
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, at, nil)
	if err != nil {
		return
	}
	r.Header.Set("Mcp-Session-Id", session)
	if answer, err := client.Do(r); err == nil {
		answer.Body.Close()
	}
}

func understood(answer *http.Response) serverProbe {
	challenge := strings.ToLower(answer.Header.Get("WWW-Authenticate"))
	switch status := answer.StatusCode; {
	case status == http.StatusUnauthorized && (challenge == "" || strings.Contains(challenge, "bearer")):
		return serverProbe{isServer: true, asks: true, provider: strings.Contains(challenge, "resource_metadata")}
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return serverProbe{refuses: answer.Status + ": " + beginning(answer.Body)}
	case status == http.StatusTooManyRequests || status/100 == 5:
		return serverProbe{away: fmt.Errorf("it answers %s", answer.Status)}
	case status/100 == 3:
		if to, err := answer.Location(); err == nil && !holdsSecret(to) {
			return serverProbe{leads: to.String(), answers: answer.Status}
		}
	case isMessage(answer.Body):
		return serverProbe{isServer: true}
	}
	return serverProbe{answers: answer.Status}
}

// mostOfAnswer is how much of an answer is looked at.
const mostOfAnswer = 64 << 10

// isMessage tells whether an answer is one of MCP, in JSON or as an event; the stream
// need not end.
func isMessage(body io.Reader) bool {
	var read []byte
	some := make([]byte, 4<<10)
	for len(read) < mostOfAnswer {
		n, err := body.Read(some)
		if read = append(read, some[:n]...); bytes.Contains(read, []byte(`"jsonrpc"`)) {
			return true
		}
		if err != nil {
			return false
		}
	}
	return false
}

// beginning is how an answer begins, in a line.
func beginning(body io.Reader) string {
	text, _ := io.ReadAll(io.LimitReader(body, 200))
	return present.Line(strings.Join(strings.Fields(string(text)), " "))
}

// atMCP is a URL with the path of a server of this program, where it has none.
func atMCP(at string) string {
	if u, err := url.Parse(at); err == nil && strings.Trim(u.Path, "/") == "" {
		u.Path = "/mcp"
		return u.String()
	}
	return at
}

// isDoubtful tells whether what answers may speak another scheme.
func (r serverProbe) isDoubtful() bool {
	if of := new(net.OpError); errors.As(r.away, &of) && of.Op == "dial" {
		return false // nothing is there
	}
	return r.away != nil || r.answers != "" && r.leads == ""
}

// otherScheme is the URL at which a server is that speaks HTTP in the place of HTTPS, or
// the other way round, "" if there is none.
func otherScheme(ctx context.Context, through http.RoundTripper, at string) string {
	at = bridge.OtherScheme(at)
	for _, other := range append([]string{at}, bridge.Others(at)...) {
		if found := reach(ctx, through, other); found.isServer || found.untrusted != nil && other == atMCP(other) {
			return other
		}
	}
	return ""
}

// checkReached asks the server at a URL, and refuses the URL when something else is
// there. A server that is away may be installed.
func checkReached(ctx context.Context, through http.RoundTripper, at string) (serverProbe, error) {
	ctx, cancel := context.WithTimeout(ctx, reachLimit)
	defer cancel()
	found := reach(ctx, through, at)
	if found.isDoubtful() {
		if other := otherScheme(ctx, through, at); other != "" {
			scheme, _, _ := strings.Cut(other, ":")
			return found, newUsageError("did you mean "+present.Name(other)+"?", "the server at %s speaks %s", present.Name(at), scheme)
		}
	}
	if found.untrusted != nil && atMCP(at) != at {
		unchecked := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // it is told nothing
		defer unchecked.CloseIdleConnections()
		if other := atMCP(at); !reach(ctx, unchecked, at).isServer && reach(ctx, unchecked, other).isServer {
			return found, newUsageError("did you mean "+present.Name(other)+"? its certificate is not trusted here, either", "there is no MCP server at %s", present.Name(at))
		}
	}
	if found.leads == "" && found.answers == "" {
		return found, nil
	}
	for _, other := range append(bridge.Others(at), found.leads) {
		if other != "" && reach(ctx, through, other).isServer {
			return found, newUsageError("did you mean "+present.Name(other)+"?", "there is no MCP server at %s (%s)", present.Name(at), found.answers)
		}
	}
	return found, newUsageError("a server of this program has its MCP at /mcp: ask who runs it for the URL", "there is no MCP server at %s (%s)", present.Name(at), found.answers)
}
