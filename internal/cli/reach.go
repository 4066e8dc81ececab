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
	"vademecum/internal/message"
	"vademecum/internal/present"
	"vademecum/internal/web"
)

// serverProbe is the result of a request to the URL of a server.
type serverProbe struct {
	isServer bool
	asks     bool   // for a token
	provider bool   // of identities, where hosts get a token themselves
	instance string // that web.HeaderInstance tells, "" for none

	away      error  // why nobody answers now
	untrusted error  // what is wrong with its certificate
	refuses   string // what it says to users who are let in nowhere
	leads     string // the URL that it is at instead
	answers   string // what it is that answers, where it is no server
}

// reachLimit is how long a server may take to answer, all tries together.
const reachLimit = 5 * time.Second

// probeServer asks a server at a URL as a host does that has no token.
func probeServer(ctx context.Context, through http.RoundTripper, at string) serverProbe {
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
		return probeError(err)
	}
	defer answer.Body.Close()
	if session := answer.Header.Get("Mcp-Session-Id"); session != "" {
		defer endSession(ctx, client, at, session)
	}
	return interpretAnswer(answer)
}

func probeError(err error) serverProbe {
	if wrong := new(tls.CertificateVerificationError); errors.As(err, &wrong) {
		return serverProbe{untrusted: wrong.Err}
	}
	if of := new(url.Error); errors.As(err, &of) {
		err = of.Err
	}
	return serverProbe{away: err}
}

// endSession ends the session that a server has begun.
func endSession(ctx context.Context, client *http.Client, at, session string) {
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, at, nil)
	if err != nil {
		return
	}
	r.Header.Set("Mcp-Session-Id", session)
	if answer, err := client.Do(r); err == nil {
		answer.Body.Close()
	}
}

func interpretAnswer(answer *http.Response) serverProbe {
	challenge := strings.ToLower(answer.Header.Get("WWW-Authenticate"))
	switch status := answer.StatusCode; {
	case status == http.StatusUnauthorized && (challenge == "" || strings.Contains(challenge, "bearer")):
		return serverProbe{isServer: true, asks: true, provider: strings.Contains(challenge, "resource_metadata"), instance: answer.Header.Get(web.HeaderInstance)}
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return serverProbe{refuses: answer.Status + ": " + shortBeginning(answer.Body)}
	case status == http.StatusTooManyRequests || status/100 == 5:
		return serverProbe{away: fmt.Errorf("it answers %s", answer.Status)}
	case status/100 == 3:
		if to, err := answer.Location(); err == nil && !hasSecretPart(to) {
			return serverProbe{leads: to.String(), answers: answer.Status}
		}
	case isMCPMessage(answer.Body):
		return serverProbe{isServer: true}
	}
	return serverProbe{answers: answer.Status}
}

// mostOfAnswer is how many bytes of an answer are read.
const mostOfAnswer = 64 << 10

// isMCPMessage tells whether an answer is one of MCP, in JSON or as an event; the stream
// need not end.
func isMCPMessage(body io.Reader) bool {
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

// shortBeginning returns the beginning of an answer in a line.
func shortBeginning(body io.Reader) string {
	text, _ := io.ReadAll(io.LimitReader(body, 200))
	return present.CleanLine(strings.Join(strings.Fields(string(text)), " "))
}

// withMCPPath is a URL with the path of a server of this program, where it has none.
func withMCPPath(at string) string {
	if u, err := url.Parse(at); err == nil && strings.Trim(u.Path, "/") == "" {
		u.Path = "/mcp"
		return u.String()
	}
	return at
}

// maySpeakOtherScheme reports whether the server may speak HTTP instead of HTTPS, or the reverse.
func (r serverProbe) maySpeakOtherScheme() bool {
	if of := new(net.OpError); errors.As(r.away, &of) && of.Op == "dial" {
		return false // nothing is there
	}
	return r.away != nil || r.answers != "" && r.leads == ""
}

// otherScheme is the URL at which a server is that speaks HTTP in the place of HTTPS, or
// the other way round, "" if there is none.
func otherScheme(ctx context.Context, through http.RoundTripper, at string) string {
	at = bridge.OtherScheme(at)
	for _, other := range append([]string{at}, bridge.OtherURLs(at)...) {
		if found := probeServer(ctx, through, other); found.isServer || found.untrusted != nil && other == withMCPPath(other) {
			return other
		}
	}
	return ""
}

// probeOrRefuse asks the server at a URL, and refuses the URL when something else is
// there. A server that is away may be installed.
func probeOrRefuse(ctx context.Context, through http.RoundTripper, at string) (serverProbe, error) {
	ctx, cancel := context.WithTimeout(ctx, reachLimit)
	defer cancel()
	found := probeServer(ctx, through, at)
	if found.maySpeakOtherScheme() {
		if other := otherScheme(ctx, through, at); other != "" {
			scheme, _, _ := strings.Cut(other, ":")
			return found, usageError{message.Errorf("the server at %s speaks %s", "%s 上的服务器使用 %s", present.QuoteName(at), scheme), adviceOnMeant(present.QuoteName(other))}
		}
	}
	if found.untrusted != nil && withMCPPath(at) != at {
		unchecked := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // it is told nothing
		defer unchecked.CloseIdleConnections()
		if other := withMCPPath(at); !probeServer(ctx, unchecked, at).isServer && probeServer(ctx, unchecked, other).isServer {
			return found, usageError{message.Errorf("there is no MCP server at %s", "%s 上没有 MCP 服务器", present.QuoteName(at)),
				message.New("did you mean %s? its certificate is not trusted here, either", "是指 %s 吗？本机同样不信任它的证书", present.QuoteName(other))}
		}
	}
	if found.leads == "" && found.answers == "" {
		return found, nil
	}
	none := message.Errorf("there is no MCP server at %s (%s)", "%s 上没有 MCP 服务器（%s）", present.QuoteName(at), found.answers)
	for _, other := range append(bridge.OtherURLs(at), found.leads) {
		if other != "" && probeServer(ctx, through, other).isServer {
			return found, usageError{none, adviceOnMeant(present.QuoteName(other))}
		}
	}
	return found, usageError{none, message.New("a server of this program has its MCP at /mcp: ask who runs it for the URL", "本程序的服务器在 /mcp 提供 MCP：请向管理它的人询问 URL")}
}
