// Package oauth is an OAuth authorization server. Clients register dynamically or have a client ID
// metadata document, and get tokens after a user has given consent. It follows OAuth 2.1 and the
// MCP specification: PKCE (RFC 7636), metadata (RFC 8414), registration (RFC 7591), client ID
// metadata documents (draft-ietf-oauth-client-id-metadata-document), resource indicators (RFC
// 8707), the issuer in authorization responses (RFC 9207) and revocation (RFC 7009). All clients
// are public: none has a secret.
package oauth

import (
	"encoding/json"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"vademecum/internal/app/web/guard"
	"vademecum/internal/app/web/signin"
)

// Options configure a Server.
type Options struct {
	Issuer         string // public URL of the server, without a trailing slash
	Grants         *GrantStore
	UserTokens     *signin.TokenStore // checks the tokens of users, who may give consent
	ProviderIssuer string             // issuer of an identity provider whose users may give consent as well; "" for none
	Logger         *slog.Logger

	fetch *http.Client     // for client ID metadata documents; nil means one that connects to public addresses only
	now   func() time.Time // nil means time.Now
}

// Server is an OAuth authorization server, and the signin.Checker for its access tokens.
type Server struct {
	o          Options
	issuerPath string // path of the issuer URL
	documents  *clientDocuments
}

var _ signin.Checker = (*Server)(nil)

// New returns a Server.
func New(o Options) *Server {
	if o.now == nil {
		o.now = time.Now
	}
	s := &Server{o: o, documents: newClientDocuments(o.fetch, o.now)}
	if u, err := url.Parse(o.Issuer); err == nil {
		s.issuerPath = u.EscapedPath()
	}
	return s
}

// Paths below the issuer. PathAuthorize is for browsers, and served by package page.
const (
	PathAuthorize = "/authorize"
	pathToken     = "/token"
	pathRegister  = "/register"
	pathRevoke    = "/revoke"
	pathMetadata  = "/.well-known/oauth-authorization-server"
	pathDiscovery = "/.well-known/openid-configuration"
)

// Issuer returns the issuer identifier, which is the public URL of the server.
func (s *Server) Issuer() string { return s.o.Issuer }

// resourceURL returns the URL of the MCP endpoint, for which tokens are valid.
func (s *Server) resourceURL() string { return s.o.Issuer + "/mcp" }

// HandlesPath reports whether Serve handles requests for a path.
func (s *Server) HandlesPath(path string) bool {
	return IsEndpoint(path) && path != PathAuthorize || s.isMetadata(path)
}

// IsEndpoint reports whether a path is that of an OAuth endpoint.
func IsEndpoint(path string) bool {
	return slices.Contains([]string{PathAuthorize, pathToken, pathRegister, pathRevoke}, path)
}

// isMetadata reports whether a path is one of the authorization server metadata (RFC 8414, section
// 3.1). The path of the issuer may follow it or, as with some clients, that of the resource.
func (s *Server) isMetadata(path string) bool {
	path = strings.TrimSuffix(path, "/")
	for _, at := range []string{pathMetadata, pathDiscovery} {
		if rest, found := strings.CutPrefix(path, at); found {
			rest = strings.TrimPrefix(rest, s.issuerPath)
			return rest == "" || rest == "/mcp" || rest == "/sse"
		}
	}
	return false
}

// Serve handles a request for a path that HandlesPath accepts. Before it writes an error response
// it calls allowFailure, which counts the failure against a rate limit. Over the limit allowFailure
// writes its own response and returns false.
func (s *Server) Serve(w http.ResponseWriter, r *http.Request, allowFailure func(reason string) bool) {
	if s.isMetadata(r.URL.Path) {
		s.serveMetadata(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
		return
	}
	serve := map[string]func(*http.Request) (any, *errorResponse){pathToken: s.issueTokens, pathRegister: s.registerClient, pathRevoke: s.revokeToken}[r.URL.Path]
	r.Body = http.MaxBytesReader(w, r.Body, maxRequestBytes)
	response, failed := serve(r)
	switch {
	case failed != nil && failed != errNotSaved && !allowFailure(failed.Description):
	case failed != nil:
		failed.write(w, r)
	case r.URL.Path == pathRegister:
		writeJSON(w, http.StatusCreated, response)
	default:
		writeJSON(w, http.StatusOK, response)
	}
}

// maxRequestBytes is the maximum size of the body of a request in bytes.
const maxRequestBytes = 16 << 10

// errorResponse is an error response (RFC 6749, section 5.2).
type errorResponse struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
}

func (f *errorResponse) Error() string { return f.Description }

func (f *errorResponse) status() int {
	switch f.Code {
	case codeTemporarilyUnavailable:
		return http.StatusServiceUnavailable
	case codeInvalidClient:
		return http.StatusUnauthorized
	}
	return http.StatusBadRequest
}

// write sends the response with the headers that its status requires.
func (f *errorResponse) write(w http.ResponseWriter, r *http.Request) {
	status := f.status()
	if _, _, basic := r.BasicAuth(); basic && status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Basic realm="vademecum"`) // RFC 6749, section 5.2
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	writeJSON(w, status, f)
}

const (
	codeTemporarilyUnavailable = "temporarily_unavailable"
	codeInvalidClient          = "invalid_client"
)

// errNotSaved is the response if the grants file cannot be written.
var errNotSaved = &errorResponse{Code: codeTemporarilyUnavailable, Description: "the server cannot save tokens now; try again in a moment"}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // fails only if the client has disconnected
}

// readForm parses the form in the body of a request. A parameter other than resource must not be
// repeated, as implementations differ in which value they use. Parameters in the URL are ignored,
// as URLs are logged.
func readForm(r *http.Request) (url.Values, *errorResponse) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, &errorResponse{Code: "invalid_request", Description: "the request has to be a form (application/x-www-form-urlencoded)"}
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, &errorResponse{Code: "invalid_request", Description: "the form cannot be read, or is too long"}
	}
	form, err := url.ParseQuery(string(text))
	if err != nil {
		return nil, &errorResponse{Code: "invalid_request", Description: "the form cannot be read"}
	}
	if name := repeatedParameter(form); name != "" {
		return nil, &errorResponse{Code: "invalid_request", Description: name + " is repeated"}
	}
	return form, nil
}

// repeatedParameter returns the name of a parameter that occurs repeatedly but must not; "" if
// there is none.
func repeatedParameter(form url.Values) string {
	for _, name := range []string{"grant_type", "code", "redirect_uri", "client_id", "code_verifier", "refresh_token", "scope", "token", "response_type", "state", "code_challenge", "code_challenge_method"} {
		if len(form[name]) > 1 {
			return name
		}
	}
	return ""
}

// isForResource reports whether all resource indicators (RFC 8707) of a request name the MCP
// endpoint of this server.
func (s *Server) isForResource(resources []string) bool {
	return !slices.ContainsFunc(resources, func(r string) bool { return guard.CanonicalURL(r) != s.resourceURL() })
}
