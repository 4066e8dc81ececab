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

	"vademecum/internal/app/bridge"
	"vademecum/internal/app/web"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// serverProbe is what a request to the URL of a server has shown.
type serverProbe struct {
	isServer      bool   // an MCP server has responded
	requiresToken bool   // the status was 401
	hasMetadata   bool   // the response contains the URL of protected resource metadata (RFC 9728)
	instance      string // value of the header web.HeaderInstance; "" if absent

	unreachable      error  // why there was no response; nil if there was one
	certificateError error  // why the certificate is invalid; nil if it is valid
	refusal          string // status and beginning of a response that denies access; "" for none
	redirect         string // target of a redirect; "" for none
	status           string // status of a response that is not an MCP server's
}

// probeTimeout is the time limit for all requests of a probe together.
const probeTimeout = 5 * time.Second

// probeServer sends an initialize request without a token to a URL, like an MCP host that connects
// for the first time.
func probeServer(ctx context.Context, through http.RoundTripper, at string) serverProbe {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"vademecum-install","version":"1"}}}`
	client := &http.Client{Transport: through, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at, strings.NewReader(hello))
	if err != nil {
		return serverProbe{unreachable: err}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	response, err := client.Do(r)
	if err != nil {
		return probeError(err)
	}
	defer response.Body.Close()
	if session := response.Header.Get("Mcp-Session-Id"); session != "" {
		defer endSession(ctx, client, at, session)
	}
	return interpretResponse(response)
}

func probeError(err error) serverProbe {
	if wrong := new(tls.CertificateVerificationError); errors.As(err, &wrong) {
		return serverProbe{certificateError: wrong.Err}
	}
	if of := new(url.Error); errors.As(err, &of) {
		err = of.Err
	}
	return serverProbe{unreachable: err}
}

// endSession ends the session that probeServer has opened.
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

func interpretResponse(response *http.Response) serverProbe {
	challenge := strings.ToLower(response.Header.Get("WWW-Authenticate"))
	switch status := response.StatusCode; {
	case status == http.StatusUnauthorized && (challenge == "" || strings.Contains(challenge, "bearer")):
		return serverProbe{isServer: true, requiresToken: true, hasMetadata: strings.Contains(challenge, "resource_metadata"), instance: response.Header.Get(web.HeaderInstance)}
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return serverProbe{refusal: response.Status + ": " + shortBeginning(response.Body)}
	case status == http.StatusTooManyRequests || status/100 == 5:
		return serverProbe{unreachable: fmt.Errorf("it answers %s", response.Status)}
	case status/100 == 3:
		if to, err := response.Location(); err == nil && !hasSecretPart(to) {
			return serverProbe{redirect: to.String(), status: response.Status}
		}
	case isMCPMessage(response.Body):
		return serverProbe{isServer: true}
	}
	return serverProbe{status: response.Status}
}

// maxProbedBytes is the maximum number of bytes of a response that are read.
const maxProbedBytes = 64 << 10

// isMCPMessage reports whether the body of a response contains an MCP message, as JSON or as an
// event of a stream. It does not wait for the end of a stream.
func isMCPMessage(body io.Reader) bool {
	var read []byte
	some := make([]byte, 4<<10)
	for len(read) < maxProbedBytes {
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

// shortBeginning returns the beginning of the body of a response as one line.
func shortBeginning(body io.Reader) string {
	text, _ := io.ReadAll(io.LimitReader(body, 200))
	return present.CleanLine(strings.Join(strings.Fields(string(text)), " "))
}

// withMCPPath returns a URL with the path /mcp if it has no path.
func withMCPPath(at string) string {
	if u, err := url.Parse(at); err == nil && strings.Trim(u.Path, "/") == "" {
		u.Path = "/mcp"
		return u.String()
	}
	return at
}

// maySpeakOtherScheme reports whether the server may use HTTP instead of HTTPS, or the reverse.
func (r serverProbe) maySpeakOtherScheme() bool {
	if of := new(net.OpError); errors.As(r.unreachable, &of) && of.Op == "dial" {
		return false // nothing listens at the address
	}
	return r.unreachable != nil || r.status != "" && r.redirect == ""
}

// otherScheme returns the URL at which a server answers with HTTP instead of HTTPS, or the reverse:
// the given URL or one with the usual path; "" if none answers.
func otherScheme(ctx context.Context, through http.RoundTripper, at string) string {
	at = bridge.SwapScheme(at)
	for _, other := range append([]string{at}, bridge.AlternativeURLs(at)...) {
		if found := probeServer(ctx, through, other); found.isServer || found.certificateError != nil && other == withMCPPath(other) {
			return other
		}
	}
	return ""
}

// probeOrRefuse probes a URL, and returns a usage error if something that is not an MCP server
// responds. If nothing responds, that is no error.
func probeOrRefuse(ctx context.Context, through http.RoundTripper, at string) (serverProbe, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	found := probeServer(ctx, through, at)
	if found.maySpeakOtherScheme() {
		if other := otherScheme(ctx, through, at); other != "" {
			scheme, _, _ := strings.Cut(other, ":")
			return found, usageError{message.Errorf("the server at %s speaks %s", present.QuoteName(at), scheme), adviceOnMeant(present.QuoteName(other))}
		}
	}
	if found.certificateError != nil && withMCPPath(at) != at {
		unchecked := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // the request contains nothing secret
		defer unchecked.CloseIdleConnections()
		if other := withMCPPath(at); !probeServer(ctx, unchecked, at).isServer && probeServer(ctx, unchecked, other).isServer {
			return found, usageError{message.Errorf("there is no MCP server at %s", present.QuoteName(at)),
				message.New("did you mean %s? its certificate is not trusted here, either", present.QuoteName(other))}
		}
	}
	if found.redirect == "" && found.status == "" {
		return found, nil
	}
	none := message.Errorf("there is no MCP server at %s (%s)", present.QuoteName(at), found.status)
	for _, other := range append(bridge.AlternativeURLs(at), found.redirect) {
		if other != "" && probeServer(ctx, through, other).isServer {
			return found, usageError{none, adviceOnMeant(present.QuoteName(other))}
		}
	}
	return found, usageError{none, message.New("a server of this program has MCP at /mcp: ask its administrator for the URL")}
}
