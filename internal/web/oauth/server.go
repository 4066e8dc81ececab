// Package oauth is the authorization server of this program: clients that people connect
// register with it by themselves, and get tokens when those people have agreed. It
// follows OAuth 2.1 and what MCP asks for: PKCE (RFC 7636), metadata (RFC 8414),
// registration (RFC 7591), client ID metadata documents
// (draft-ietf-oauth-client-id-metadata-document), resource indicators (RFC 8707), the
// issuer in answers (RFC 9207) and revocation (RFC 7009). All clients are public: none has
// a secret, and PKCE binds what one gets to the request that it made.
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

	"vademecum/internal/web/guard"
	"vademecum/internal/web/signin"
)

// Options say for what a Server gives tokens, and who may agree to that.
type Options struct {
	Public   string         // the URL of the server for others, without a slash at its end: the issuer
	Grants   *Grants        // what was agreed to
	Tokens   *signin.Tokens // of people who may agree
	Provider string         // the issuer of the provider of identities whose people may, "" for none
	Logger   *slog.Logger

	fetch *http.Client     // for documents of clients; nil: one that reaches public addresses alone
	now   func() time.Time // nil: time.Now
}

// Server is an authorization server. It is the signin.Checker of the access tokens that
// it gives.
type Server struct {
	o         Options
	below     string // the path of the issuer
	documents *metadataDocuments
}

var _ signin.Checker = (*Server)(nil)

// New makes a Server.
func New(o Options) *Server {
	if o.now == nil {
		o.now = time.Now
	}
	s := &Server{o: o, documents: newMetadataDocuments(o.fetch, o.now)}
	if u, err := url.Parse(o.Public); err == nil {
		s.below = u.EscapedPath()
	}
	return s
}

// Paths of the server, below its URL. PathAuthorize is for browsers, and belongs to the
// pages.
const (
	PathAuthorize = "/authorize"
	pathToken     = "/token"
	pathRegister  = "/register"
	pathRevoke    = "/revoke"
	pathMetadata  = "/.well-known/oauth-authorization-server"
	pathDiscovery = "/.well-known/openid-configuration"
)

// Issuer is the URL by which clients know the server.
func (s *Server) Issuer() string { return s.o.Public }

// resourceURL is the URL of what tokens are for.
func (s *Server) resourceURL() string { return s.o.Public + "/mcp" }

// HandlesPath tells whether a path is one for clients.
func (s *Server) HandlesPath(path string) bool {
	return IsEndpoint(path) && path != PathAuthorize || s.isMetadata(path)
}

// IsEndpoint tells the paths that are not for metadata.
func IsEndpoint(path string) bool {
	return slices.Contains([]string{PathAuthorize, pathToken, pathRegister, pathRevoke}, path)
}

// isMetadata tells the paths at which clients look for what RFC 8414 describes: with the
// path of the issuer behind, or as some do that of what they have asked for.
func (s *Server) isMetadata(path string) bool {
	path = strings.TrimSuffix(path, "/")
	for _, at := range []string{pathMetadata, pathDiscovery} {
		if rest, found := strings.CutPrefix(path, at); found {
			rest = strings.TrimPrefix(rest, s.below)
			return rest == "" || rest == "/mcp" || rest == "/sse"
		}
	}
	return false
}

// Serve answers a client at a path that HandlesPath tells. admit counts a request that is
// refused, and is told why; it answers those that are too many, and returns false.
func (s *Server) Serve(w http.ResponseWriter, r *http.Request, admit func(reason string) bool) {
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
	r.Body = http.MaxBytesReader(w, r.Body, longestRequest)
	answer, failed := serve(r)
	switch {
	case failed != nil && failed != unkept && !admit(failed.Description):
	case failed != nil:
		failed.write(w, r)
	case r.URL.Path == pathRegister:
		writeJSON(w, http.StatusCreated, answer)
	default:
		writeJSON(w, http.StatusOK, answer)
	}
}

// longestRequest bounds what a client sends, in bytes.
const longestRequest = 16 << 10

// errorResponse is why a client gets nothing, as RFC 6749 section 5.2 has it.
type errorResponse struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
}

func (f *errorResponse) Error() string { return f.Description }

func (f *errorResponse) status() int {
	switch f.Code {
	case codeUnavailable:
		return http.StatusServiceUnavailable
	case codeInvalidClient:
		return http.StatusUnauthorized
	}
	return http.StatusBadRequest
}

// write sends it, with the headers that its status asks for.
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
	codeUnavailable   = "temporarily_unavailable"
	codeInvalidClient = "invalid_client"
)

// unkept is told when what was agreed to cannot be kept; the log says why.
var unkept = &errorResponse{Code: codeUnavailable, Description: "the server cannot keep what it gives; try again in a moment"}

func writeJSON(w http.ResponseWriter, status int, says any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(says) // a client that is gone is noticed elsewhere
}

// readForm reads a form in which no name stands twice, but for resource: readers differ
// in which one counts. What is in the URL does not count, as it may be logged.
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
		return nil, &errorResponse{Code: "invalid_request", Description: name + " stands there twice"}
	}
	return form, nil
}

// repeatedParameter is a parameter that stands twice where it must not, "" for none.
func repeatedParameter(form url.Values) string {
	for _, name := range []string{"grant_type", "code", "redirect_uri", "client_id", "code_verifier", "refresh_token", "scope", "token", "response_type", "state", "code_challenge", "code_challenge_method"} {
		if len(form[name]) > 1 {
			return name
		}
	}
	return ""
}

// isForResource tells whether what tokens are asked for is what is served here; who does not say
// means that.
func (s *Server) isForResource(resources []string) bool {
	return !slices.ContainsFunc(resources, func(r string) bool { return guard.CanonicalURL(r) != s.resourceURL() })
}
