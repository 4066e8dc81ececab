package web

import (
	"net/http"
	"strings"

	"vademecum/internal/web/guard"
)

// rateLimitKey is what a request is counted by.
func (s *Server) rateLimitKey(r *http.Request) string { return guard.NetworkOf(s.clientAddress(r)) }

// clientAddress is where a request comes from, as far as is known. A proxy puts it at the end
// of a list whose beginning anyone can make up.
func (s *Server) clientAddress(r *http.Request) string {
	if s.o.TrustProxy {
		if all := r.Header.Values("X-Forwarded-For"); len(all) > 0 {
			list := strings.Split(all[len(all)-1], ",")
			return strings.TrimSpace(list[len(list)-1])
		}
	}
	return r.RemoteAddr
}
