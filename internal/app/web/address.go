package web

import (
	"net/http"
	"strings"

	"vademecum/internal/app/web/guard"
)

// rateLimitKey identifies the client whose rate limit a request counts against.
func (s *Server) rateLimitKey(r *http.Request) string { return guard.NetworkOf(s.clientAddress(r)) }

// clientAddress returns the address of the client. A trusted proxy appends it to X-Forwarded-For;
// the entries before it may be forged.
func (s *Server) clientAddress(r *http.Request) string {
	if s.o.TrustProxy {
		if all := r.Header.Values("X-Forwarded-For"); len(all) > 0 {
			list := strings.Split(all[len(all)-1], ",")
			return strings.TrimSpace(list[len(list)-1])
		}
	}
	return r.RemoteAddr
}
