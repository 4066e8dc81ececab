package web

import (
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"vademecum/internal/app/web/signin"
)

// refusalLog logs refused sign-ins: the first few of each address with a line each, and the number
// of the others once a minute.
type refusalLog struct {
	log *slog.Logger

	mu    sync.Mutex
	of    map[string]*refusalCount // by network; nil if nothing was refused in this minute
	lines int                      // lines logged in this minute
	over  *time.Timer              // ends the minute
}

// refusalCount counts the refusals of one address, or of all addresses that are not counted
// individually.
type refusalCount struct{ logged, more int }

// Limits of the log lines per minute.
const (
	summaryInterval   = time.Minute
	maxLinesOfAddress = 3
	maxLines          = 20
	maxAddresses      = 1000 // addresses that are counted individually
	maxSummaryLines   = 10
	otherRefused      = "others"
)

// logRefusal logs a refusal of an address, or only counts it once there are too many.
func (f *refusalLog) logRefusal(network, address string, said ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil {
		f.of = make(map[string]*refusalCount)
		f.over = time.AfterFunc(summaryInterval, f.logSummary)
	}
	one := f.of[network]
	if one == nil && len(f.of) >= maxAddresses {
		network = otherRefused
		one = f.of[network]
	}
	if one == nil {
		one = new(refusalCount)
		f.of[network] = one
	}
	if one.logged >= maxLinesOfAddress || f.lines >= maxLines {
		one.more++
		return
	}
	one.logged++
	f.lines++
	f.log.Warn("sign-in refused", append([]any{"address", address}, said...)...)
}

// logSummary logs how many refusals were only counted, and resets the counts.
func (f *refusalLog) logSummary() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil {
		return
	}
	f.over.Stop()
	maps.DeleteFunc(f.of, func(_ string, one *refusalCount) bool { return one.more == 0 })
	most := slices.SortedFunc(maps.Keys(f.of), func(a, b string) int { return f.of[b].more - f.of[a].more })
	others := 0
	for i, network := range most {
		if more := f.of[network].more; i < maxSummaryLines && network != otherRefused {
			f.log.Warn("more sign-ins refused", "address", network, "count", more)
		} else {
			others += more
		}
	}
	if others > 0 {
		f.log.Warn("more sign-ins refused", "address", otherRefused, "count", others)
	}
	f.of, f.lines = nil, 0
}

// logRefusal logs that a request with a token was refused.
func (s *Server) logRefusal(r *http.Request, user signin.User, why *signin.ErrorResponse) {
	if why.Status == http.StatusServiceUnavailable || r.Header.Get("Authorization") == "" {
		return
	}
	said := []any{"at", r.URL.Path, "reason", why.Reason}
	if user.Name != "" {
		said = append(said, "user", user.Name)
	}
	s.refusals.logRefusal(s.rateLimitKey(r), s.loggedAddress(r), said...)
}

// loggedAddress returns the client's address for the log.
func (s *Server) loggedAddress(r *http.Request) string {
	said := s.clientAddress(r)
	if host, _, err := net.SplitHostPort(said); err == nil {
		said = host
	}
	address, err := netip.ParseAddr(strings.Trim(said, "[]"))
	if err != nil {
		return s.rateLimitKey(r)
	}
	return address.Unmap().WithZone("").String()
}
