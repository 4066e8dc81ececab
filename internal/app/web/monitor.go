package web

import (
	"io"
	"net/http"

	"vademecum/index/progress"
	"vademecum/internal/app/web/metrics"
	"vademecum/internal/app/web/signin"
)

// Handlers for programs that monitor the server.

// isMonitoringPath reports whether a path is that of the health check, the readiness check or the
// metrics.
func isMonitoringPath(path string) bool {
	return path == pathHealth || path == pathReady || path == pathMetrics
}

// serveMonitoring handles a request for a monitoring path. The health and readiness checks need no
// token, as a load balancer has none, but they have to pass the guard.
func (s *Server) serveMonitoring(w *replyWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	switch r.URL.Path {
	case pathHealth:
		_, _ = io.WriteString(w, "ok\n")
	case pathReady:
		s.serveReady(w)
	case pathMetrics:
		s.serveMetrics(w, r)
	}
}

// serveReady responds whether the server is ready, or why it is not. The text reveals nothing about
// the documents.
func (s *Server) serveReady(w http.ResponseWriter) {
	why := s.o.Stats.unreadyReason()
	if s.o.Authenticator != nil && !s.o.Authenticator.CanAcceptTokens() {
		why = "nobody can be let in: there is no token, and no answer of a provider of identities"
	}
	if why == "" {
		_, _ = io.WriteString(w, "ready\n")
		return
	}
	w.Header().Set("Retry-After", "1")
	http.Error(w, "not ready: "+why, http.StatusServiceUnavailable)
}

// unreadyReason returns why no index can answer yet; "" if one can. The index of a folder that only
// some users may see is opened at the first request of such a user. Before that, and while such an
// index is being opened, the server counts as ready.
func (s *Stats) unreadyReason() (why string) {
	for _, c := range s.watchedIndexes() {
		if why = indexUnreadyReason(c.State(), c); why == "" {
			return ""
		}
	}
	return why
}

// indexUnreadyReason returns why an index does not answer yet; "" if it does.
func indexUnreadyReason(now progress.State, c MonitoredIndex) string {
	switch {
	case now.Phase == progress.Failed:
		return "the index cannot be used; the log says why"
	case now.IsDatabaseUnreachable:
		return "the database does not answer"
	case now.IsDatabaseUnavailable:
		return "the database cannot be used; the log says why"
	case now.Phase == progress.Loading:
		return "the index is being loaded"
	case !now.Synced.IsZero():
		return ""
	}
	if documents, _ := c.Size(); documents == 0 {
		return "the documents are being read for the first time"
	}
	return ""
}

// serveMetrics writes the metrics. If the server authenticates users, this requires a token, even
// for requests from this machine, as all requests through a proxy come from there.
func (s *Server) serveMetrics(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.authenticate(w, r, signin.ScopeMetrics); !ok {
		return
	}
	w.Header().Set("Content-Type", metrics.ContentType)
	_ = s.o.Stats.set.Write(w) // fails only if the client has disconnected
}
