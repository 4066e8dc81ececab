package web

import (
	"io"
	"net/http"

	"vademecum/index/progress"
	"vademecum/internal/web/metrics"
	"vademecum/internal/web/signin"
)

// What asks these paths watches the server: it reads only, and nothing of it is kept.

// isMonitoringPath tells the paths of whoever watches the server.
func isMonitoringPath(path string) bool {
	return path == pathHealth || path == pathReady || path == pathMetrics
}

// serveMonitoring answers one of them. Whether the server is alive and ready anyone
// may know who passes the guard: a balancer of load has no token.
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

// serveReady says whether questions are answered, or what that waits for, in words
// that tell nothing of the documents.
func (s *Server) serveReady(w http.ResponseWriter) {
	why := s.o.Stats.unreadyReason()
	if s.o.Door != nil && !s.o.Door.IsReady() {
		why = "nobody can be let in: there is no token, and no answer of a provider of identities"
	}
	if why == "" {
		_, _ = io.WriteString(w, "ready\n")
		return
	}
	w.Header().Set("Retry-After", "1")
	http.Error(w, "not ready: "+why, http.StatusServiceUnavailable)
}

// unreadyReason says why no index answers yet, "" if one does. Of folders that are not
// for all an index is opened when somebody comes whom they are for: until then
// nothing has to be waited for, and later one more keeps the others from nothing.
func (s *Stats) unreadyReason() (why string) {
	for _, c := range s.watchedIndexes() {
		if why = indexUnreadyReason(c.State(), c); why == "" {
			return ""
		}
	}
	return why
}

// indexUnreadyReason says why an index does not answer yet, "" if it does.
func indexUnreadyReason(now progress.State, c MonitoredIndex) string {
	switch {
	case now.Phase == progress.Failed:
		return "the index cannot be used; the log says why"
	case now.Away:
		return "the database does not answer"
	case now.Cut:
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

// serveMetrics tells all that is counted. Where users are asked who they are, who
// watches the server is too: that a request comes from this machine says nothing, as
// behind a proxy on it all of them do.
func (s *Server) serveMetrics(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.authenticate(w, r, signin.ScopeMetrics); !ok {
		return
	}
	w.Header().Set("Content-Type", metrics.ContentType)
	_ = s.o.Stats.set.Write(w) // a client that is gone is noticed elsewhere
}
