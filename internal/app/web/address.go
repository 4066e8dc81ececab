package web

import (
	"net/http"
	"strings"

	"vademecum/internal/app/web/guard"
)

// rateLimitKey returns the key of the client in rate limits: its network.
func (s *Server) rateLimitKey(r *http.Request) string { return guard.NetworkOf(s.clientAddress(r)) }

// clientAddress returns the address of the client. Behind a trusted proxy, it is the last entry of
// X-Forwarded-For, which the proxy has added; the entries before it may be forged.
func (s *Server) clientAddress(r *http.Request) string {
	if s.o.TrustProxy {
		if all := r.Header.Values("X-Forwarded-For"); len(all) > 0 {
			list := strings.Split(all[len(all)-1], ",")
			return strings.TrimSpace(list[len(list)-1])
		}
	}
	return r.RemoteAddr
}
