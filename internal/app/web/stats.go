package web

import (
	"net/http"
	"strconv"
	"strings"
	"sync"

	"vademecum/index/progress"
	"vademecum/internal/app/web/metrics"
	"vademecum/internal/app/web/signin"
	"vademecum/mcp"
)

// MonitoredIndex is an index whose state is exported as metrics.
type MonitoredIndex interface {
	State() progress.State
	Size() (documents, passages int)
}

// Stats holds the metrics of a server. No label contains the name of a user, a folder or a
// document. It is safe for concurrent use.
type Stats struct {
	set      metrics.Set
	requests *metrics.Counter
	limited  *metrics.Counter
	refused  *metrics.Counter
	calls    *metrics.Counter
	took     *metrics.Histogram

	mu     sync.Mutex
	served []watchedIndex
}

type watchedIndex struct {
	folders string
	MonitoredIndex
}

// NewStats returns the Stats of a server with a version.
func NewStats(version string) *Stats {
	s := new(Stats)
	s.requests = s.set.Counter("vademecum_http_requests_total", "Requests that are through, streams when they have ended.", "path", "status")
	s.limited = s.set.Counter("vademecum_limited_total", "Requests that were refused as they were too many, by whose: those of a user, of an address, streams, wrong tokens of all together.", "by")
	s.refused = s.set.Counter("vademecum_signin_refusals_total", "Requests that were refused as of who sent them.", "reason")
	s.calls = s.set.Counter("vademecum_tool_calls_total", "Calls of tools, and resources that were read.", "tool", "outcome")
	s.took = s.set.Histogram("vademecum_tool_seconds", "How long calls of tools took, whatever became of them.", "tool",
		0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60)
	// so that a rate is known even for the first event
	for _, by := range []string{"address", "guesses", "streams", "user"} {
		s.limited.Add(0, by)
	}
	for _, reason := range []string{"invalid", "malformed", "missing", "scope", "unavailable"} {
		s.refused.Add(0, reason)
	}
	s.addIndexMetrics()
	s.set.AddProcessMetrics(version)
	return s
}

// CountCall counts a call of a tool.
func (s *Stats) CountCall(c mcp.ToolCall) {
	s.calls.Add(1, c.Tool, c.Outcome)
	s.took.Observe(c.Duration.Seconds(), c.Tool)
}

// WatchIndex adds the metrics of an index that is being served. foldersLabel is the value of their
// label folders, which contains the numbers of the index's folders.
func (s *Stats) WatchIndex(foldersLabel string, monitored MonitoredIndex) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.served = append(s.served, watchedIndex{foldersLabel, monitored})
}

// WatchCertificate adds the metrics of the server's certificate.
func (s *Stats) WatchCertificate(c *Certificate) {
	s.set.GaugeFunc("vademecum_certificate_days_left", "Days until the certificate expires, less than 0 when it has.", nil, func(r metrics.ReportFunc) { r(c.daysLeft()) })
}

// watchLimiter adds the metrics of the limiter of questions.
func (s *Stats) watchLimiter(t *QuestionLimiter) {
	s.set.GaugeFunc("vademecum_searches_running", "Questions that are being answered.", nil, func(r metrics.ReportFunc) {
		running, _ := t.counts()
		r(float64(running))
	})
	s.set.GaugeFunc("vademecum_searches_waiting", "Questions that wait for their turn.", nil, func(r metrics.ReportFunc) {
		_, waiting := t.counts()
		r(float64(waiting))
	})
	s.set.CounterFunc("vademecum_searches_turned_away_total", "Questions that were refused as too many were waiting, or for too long.", nil, func(r metrics.ReportFunc) { r(float64(t.refused.Load())) })
}

// addIndexMetrics adds the metrics that each index has.
func (s *Stats) addIndexMetrics() {
	each := func(name, help string, value func(progress.State, MonitoredIndex) float64) {
		s.set.GaugeFunc(name, help, []string{"folders"}, func(r metrics.ReportFunc) {
			for _, c := range s.watchedIndexes() {
				r(value(c.State(), c), c.folders)
			}
		})
	}
	each("vademecum_documents", "Documents that can be searched, by the numbers of the folders as they were given.", func(_ progress.State, c MonitoredIndex) float64 {
		documents, _ := c.Size()
		return float64(documents)
	})
	each("vademecum_passages", "Passages that can be searched.", func(_ progress.State, c MonitoredIndex) float64 {
		_, passages := c.Size()
		return float64(passages)
	})
	each("vademecum_index_loaded", "Whether questions are answered from the index.", func(st progress.State, c MonitoredIndex) float64 {
		return boolToNumber(indexUnreadyReason(st, c) == "")
	})
	each("vademecum_index_behind", "Whether answers may miss documents: a run is under way, or none has been through yet.", func(st progress.State, _ MonitoredIndex) float64 {
		return boolToNumber(st.IsBehind())
	})
	each("vademecum_index_failing", "Whether the last run failed, or a folder is not there.", func(st progress.State, _ MonitoredIndex) float64 {
		return boolToNumber(st.Failure != "" || st.IsFolderMissing)
	})
	each("vademecum_database_away", "Whether the database that keeps the index does not answer.", func(st progress.State, _ MonitoredIndex) float64 {
		return boolToNumber(st.IsDatabaseUnavailable)
	})
	each("vademecum_database_refuses", "Whether the database accepts no changes: it is read-only, or its disk is full.", func(st progress.State, _ MonitoredIndex) float64 {
		return boolToNumber(st.WriteRefusal != "")
	})
	s.addReplicaMetrics()
	each("vademecum_index_watched", "Whether the system tells of all changes in the folders; else they are compared from time to time.", func(st progress.State, _ MonitoredIndex) float64 {
		return boolToNumber(st.UnwatchedReason == "")
	})
	each("vademecum_index_files_due", "Files that the run under way has still to read.", func(st progress.State, _ MonitoredIndex) float64 {
		return float64(st.FilesTotal - st.FilesDone)
	})
	each("vademecum_index_synced_timestamp_seconds", "When the folders were compared with the index last, in seconds since 1970; 0 before the first time.", func(st progress.State, _ MonitoredIndex) float64 {
		if st.Synced.IsZero() {
			return 0
		}
		return float64(st.Synced.UnixMilli()) / 1000
	})
}

// addReplicaMetrics adds the metrics of the indexes that have a replica of a database.
func (s *Stats) addReplicaMetrics() {
	of := func(value func(progress.ReplicaUse) float64) func(metrics.ReportFunc) {
		return func(r metrics.ReportFunc) {
			for _, c := range s.watchedIndexes() {
				if replica := c.State().Replica; replica.IsConfigured {
					r(value(replica), c.folders)
				}
			}
		}
	}
	folders := []string{"folders"}
	s.set.GaugeFunc("vademecum_replica_away", "Whether the replica of --store-read does not answer or is behind, so that the database itself is asked.", folders,
		of(func(r progress.ReplicaUse) float64 { return boolToNumber(r.FallbackReason != "") }))
	s.set.CounterFunc("vademecum_replica_asked_total", "Questions to the database that the replica has answered.", folders,
		of(func(r progress.ReplicaUse) float64 { return float64(r.AnsweredByReplica) }))
	s.set.CounterFunc("vademecum_replica_instead_total", "Questions to the database that it had to answer itself in place of the replica.", folders,
		of(func(r progress.ReplicaUse) float64 { return float64(r.AnsweredByDatabase) }))
}

func (s *Stats) watchedIndexes() []watchedIndex {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.served[:len(s.served):len(s.served)]
}

func boolToNumber(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// countRequest counts a finished request. It ignores paths that the server does not have, as
// clients could otherwise create any number of labels.
func (s *Stats) countRequest(path string, status int) {
	switch {
	case strings.HasPrefix(path, signin.ResourceMetadataPath):
		path = signin.ResourceMetadataPath
	case path != pathMCP && path != pathSSE && path != pathHealth && path != pathReady && path != pathMetrics:
		path = "other"
	}
	s.requests.Add(1, strings.TrimPrefix(path, "/"), strconv.Itoa(status))
}

// countRefusal counts a request that failed authentication or authorization.
func (s *Stats) countRefusal(r *http.Request, why *signin.ErrorResponse) {
	reason := "scope"
	switch why.Status {
	case http.StatusBadRequest:
		reason = "malformed"
	case http.StatusServiceUnavailable:
		reason = "unavailable"
	case http.StatusUnauthorized:
		reason = "invalid"
		if r.Header.Get("Authorization") == "" {
			reason = "missing"
		}
	}
	s.refused.Add(1, reason)
}
