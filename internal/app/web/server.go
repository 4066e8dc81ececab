// Package web serves MCP over HTTP, web pages, OAuth endpoints and metrics, to one or many users,
// with or without a proxy. See method route for the checks of a request in order.
package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/netutil"

	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/guard"
	"vademecum/internal/app/web/metrics"
	"vademecum/internal/app/web/oauth"
	"vademecum/internal/app/web/page"
	"vademecum/internal/app/web/signin"
	"vademecum/mcp"
)

// Options configure a Server.
type Options struct {
	AllowedHosts  *guard.AllowedHosts   // allowed host names and origins
	Authenticator *signin.Authenticator // nil means no authentication
	OAuthServer   *oauth.Server         // OAuth server, which must be a checker of Authenticator as well; nil for none
	Logger        *slog.Logger

	// ChooseView returns the View of a user. Its error is for the user, and matches
	// access.ErrNoFolderVisible if the user may see no folder.
	ChooseView   func(signin.User) (*access.View, error)
	MaxSessions  int  // maximum number of open sessions; 0 means 1,000
	IsSingleUser bool // without authentication: all requests come from the one user of this machine

	TLS               *tls.Config            // nil means plain HTTP
	TrustProxy        bool                   // trust the X-Forwarded headers of a proxy
	RequestsPerSecond float64                // requests per second of each user and each address; 0 means 50
	Stats             *Stats                 // nil means a new one
	LogQueries        bool                   // log the questions asked on pages, with their users
	PublicURL         string                 // public URL; "" for none
	InstanceID        string                 // value of HeaderInstance in responses; "" for no header
	ServerDescription page.ServerDescription // description of the server that its pages show

	SessionKey  *signin.EncryptionKey // keeps browser sessions valid when the server restarts; nil means that they end
	LocalSignIn *signin.LocalSignIn   // lets a browser in that the user has opened; nil for none
	IdleTimeout time.Duration         // Serve ends after this long without a request; 0 means never
	pace        streamTimeouts        // zero means usualPace
}

// maxOfUser returns the maximum number of sessions per user on a server that authenticates users.
func (o *Options) maxOfUser() int { return max(1, o.MaxSessions/10) }

// setDefaults replaces zero options by their defaults.
func (o *Options) setDefaults() {
	if o.RequestsPerSecond == 0 {
		o.RequestsPerSecond = 50
	}
	if o.MaxSessions == 0 {
		o.MaxSessions = 1000
	}
	if o.pace == (streamTimeouts{}) {
		o.pace = usualPace
	}
	if o.Stats == nil {
		o.Stats = NewStats("")
	}
}

// Limits for clients.
const (
	MaxBodyBytes   = 20 << 20 // bytes of a request, which may be many as index_docs takes texts
	maxHeader      = 96 << 10 // bytes
	maxConnections = 4096
	maxOfAddress   = 512 // connections per address, except those of this machine
	idle           = 2 * time.Minute
	closing        = 5 * time.Second // time for responses in progress when the server ends
)

// Paths of the server.
const (
	pathMCP     = "/mcp"
	pathSSE     = "/sse"
	pathHealth  = "/healthz"
	pathReady   = "/readyz"
	pathMetrics = "/metrics"
)

// HeaderInstance is the response header with an ID that tells a server apart from others of this
// program.
const HeaderInstance = "Vademecum-Instance"

// Server serves MCP, the pages, OAuth and metrics over HTTP. It is safe for concurrent use.
type Server struct {
	o         Options
	below     string // path prefix of PublicURL; "" for none
	endpoint  *mcp.Endpoint
	pages     *page.Pages
	addresses *guard.RateLimiter
	users     *guard.RateLimiter
	guesses   *guard.GlobalFailureLimiter
	streams   *guard.Quota
	refusals  refusalLog
	large     chan struct{}   // holds a token for each large body in memory
	ends      context.Context // done when streams must end
	end       func()
	idleness  *idleTimer
}

// ErrIdle is returned by Serve if there was no request for Options.IdleTimeout.
var ErrIdle = errors.New("there was no request for a long time")

// New returns a Server.
func New(o Options) *Server {
	o.setDefaults()
	s := &Server{
		o: o, below: PathPrefixOf(o.PublicURL), addresses: guard.NewRateLimiter(o.RequestsPerSecond), users: guard.NewRateLimiter(o.RequestsPerSecond), guesses: guard.NewGlobalFailureLimiter(mostGuesses),
		streams: guard.NewQuota(streamsEach*o.MaxSessions, streamsEach*o.maxOfUser()), large: make(chan struct{}, largeOnes),
		refusals: refusalLog{log: o.Logger},
	}
	ofOwner := o.maxOfUser()
	if o.Authenticator == nil { // all requests have the same owner
		ofOwner = 0
	}
	s.endpoint = mcp.NewEndpoint(mcp.HTTPOptions{
		ChooseServer: mcpServerOf, SessionOwner: sessionOwner, LogUserName: s.userLogName, MayWrite: s.mayWrite, TextOwner: s.textsOwner, ProxyPathPrefix: s.below, MaxSessions: o.MaxSessions, MaxSessionsPerOwner: ofOwner, MaxBodyBytes: MaxBodyBytes,
	})
	s.o.Stats.set.GaugeFunc("vademecum_sessions", "Sessions that are open; versions of the protocol from 2026-07-28 on have none.", nil,
		func(r metrics.ReportFunc) { r(float64(s.endpoint.SessionCount())) })
	s.o.Stats.set.GaugeFunc("vademecum_streams", "Streams that are open, but for those of this machine where nobody is asked who they are.", nil,
		func(r metrics.ReportFunc) { r(float64(s.streams.InUse())) })
	s.ends, s.end = context.WithCancel(context.Background())
	s.pages = s.newPages()
	s.idleness = newIdleTimer(o.IdleTimeout)
	return s
}

// Serve serves requests on a listener. It blocks until ctx is done or there was no request for
// Options.IdleTimeout. Then it closes streams, and gives requests in progress a moment to finish.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: s.o.pace.head,
		IdleTimeout:       idle,
		TLSConfig:         s.o.TLS,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(s.o.Logger.Handler(), slog.LevelDebug), // errors of clients
	}
	run, stop := context.WithCancel(ctx)
	defer stop()
	go s.endpoint.RunIdleSessionCleanup(run)
	served := make(chan error, 1)
	if !s.o.TrustProxy { // behind a proxy, all connections come from the proxy
		listener = limitPerAddress(listener, maxConnections, maxOfAddress)
	}
	listener = netutil.LimitListener(listener, maxConnections)
	go func() {
		if s.o.TLS != nil {
			served <- server.ServeTLS(listener, "", "")
			return
		}
		served <- server.Serve(listener)
	}()
	select {
	case err := <-served:
		s.end()
		return fmt.Errorf("serve HTTP: %w", err)
	case <-ctx.Done():
		s.shutDown(ctx, server, served)
		return nil
	case <-s.idleness.over:
		s.shutDown(ctx, server, served)
		return ErrIdle
	}
}

// shutDown shuts down an HTTP server and ends its streams at once. It waits until served returns
// the error of the server.
func (s *Server) shutDown(ctx context.Context, server *http.Server, served <-chan error) {
	s.end()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		_ = server.Close() // some clients do not read
	}
	<-served
	s.refusals.logSummary()
	s.endpoint.CloseSessions() // those opened since CloseIdleSessions closed the others
}

// ServeHTTP handles a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer s.idleness.beginRequest()()
	r = withoutLastSlash(s.stripPathPrefix(r))
	answer := newReplyWriter(w, s.o.pace)
	defer answer.finish()
	if r.ContentLength != 0 {
		// this limits bodies that no handler reads as well, which net/http reads to skip them
		answer.setReadTimeout(s.o.pace.head)
	}
	// prevents request smuggling through a proxy that uses Content-Length
	if len(r.TransferEncoding) > 0 {
		answer.header.Set("Connection", "close")
	}
	began := time.Now()
	defer func() {
		if p := recover(); p != nil {
			s.o.Logger.Error("internal error", "doing", "HTTP", "panic", p, "stack", string(debug.Stack()))
			http.Error(answer, "internal error", http.StatusInternalServerError)
		}
		s.o.Logger.Debug("request", "method", r.Method, "path", r.URL.Path, "status", answer.sentStatus(), "took", time.Since(began))
		s.o.Stats.countRequest(r.URL.Path, answer.sentStatus())
	}()
	s.route(answer, r)
}

// route checks a request and passes it to its handler.
func (s *Server) route(w *replyWriter, r *http.Request) {
	check, isPage := s.o.AllowedHosts.CheckRequest, s.isPage(r.URL.Path)
	if isPage {
		check = s.o.AllowedHosts.CheckPageRequest
	}
	if err := check(r); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	if !isPage && guard.AnswerCORS(w, r) {
		return
	}
	if !s.allowRequest(r, 1) {
		s.refuseTooMany(w, "address")
		return
	}
	switch path := r.URL.Path; {
	case isPage:
		s.servePage(w, r)
	case isMonitoringPath(path):
		s.serveMonitoring(w, r)
	case path == pathMCP || path == pathSSE:
		s.serveMCP(w, r)
	case s.isOAuthPath(path):
		s.serveOAuth(w, r)
	default:
		s.o.Authenticator.ServeMetadata(w, r)
	}
}

// isPage reports whether a path is for browsers, as every path is that is not for another kind of
// client.
func (s *Server) isPage(path string) bool {
	return !isMonitoringPath(path) && path != pathMCP && path != pathSSE && !s.isOAuthPath(path) && (s.o.Authenticator == nil || !s.isMetadata(path))
}

// isMetadata reports whether a path is one of protected resource metadata (RFC 9728).
func (s *Server) isMetadata(path string) bool {
	rest, found := strings.CutPrefix(strings.TrimSuffix(path, "/"), signin.ResourceMetadataPath)
	rest = strings.TrimPrefix(rest, s.below)
	return found && (rest == "" || rest == pathMCP || rest == pathSSE)
}

// allowRequest counts a request with a weight against the rate limit of its address, and reports
// false over the limit. Requests from this machine are not limited.
func (s *Server) allowRequest(r *http.Request, weight int) bool {
	address := s.rateLimitKey(r)
	return guard.IsLoopback(address) || s.addresses.Allow(address, weight)
}

// refuseTooMany responds that a client has exceeded a limit, and when it may retry. of names the
// limit in the metrics.
func (s *Server) refuseTooMany(w http.ResponseWriter, of string) {
	s.o.Stats.limited.Add(1, of)
	after := int(math.Ceil(1 / s.o.RequestsPerSecond))
	w.Header().Set("Retry-After", strconv.Itoa(after))
	http.Error(w, fmt.Sprintf("too many requests: %g a second are allowed; try again in %d s", s.o.RequestsPerSecond, after), http.StatusTooManyRequests)
}

// serveMCP handles an MCP message, or opens a stream.
func (s *Server) serveMCP(w *replyWriter, r *http.Request) {
	if s.o.InstanceID != "" {
		w.Header().Set(HeaderInstance, s.o.InstanceID)
	}
	if !s.endpoint.CanServe(r) {
		w.Header().Set("Allow", "POST")
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	r = r.WithContext(ctx)
	user, ok := s.authenticate(w, r, signin.ScopeRead)
	if !ok {
		return
	}
	view, err := s.o.ChooseView(user)
	if err != nil {
		s.refuseFolders(w, err)
		return
	}
	if r.Method == http.MethodPost { // more time than for headers, as the message of an admitted user may be long
		w.setReadTimeout(s.o.pace.read)
	}
	r = r.WithContext(withView(signin.WithUser(ctx, user), view))
	about, done, ok := s.readBody(w, r)
	defer done()
	if !ok || !s.allowBatch(w, r, user.ID, about.messages) || !s.allowCall(w, r, about) {
		return
	}
	if r.Method == http.MethodGet || about.opens {
		give, ok := s.acquireStream(w, r)
		if !ok {
			return
		}
		defer give()
		done()
		defer context.AfterFunc(s.ends, cancel)()
		defer s.endWhenNotAdmitted(func() bool { return s.isStillAdmitted(r) }, cancel)()
	}
	switch isCall := r.Method == http.MethodPost && r.URL.RawQuery == "" && !about.listens; {
	case isCall && acceptsJSONAlone(r):
		reply := &jsonReply{ResponseWriter: w}
		s.endpoint.ServeHTTP(reply, acceptingStream(r))
		reply.send()
		return
	case isCall && about.asks && !about.opens:
		w.allowStream()
	}
	s.endpoint.ServeHTTP(w, r)
}
