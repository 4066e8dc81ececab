package web

import (
	"net/http"
	"strings"

	"vademecum/internal/web/guard"
)

// address is what a request is counted by.
func (s *Server) address(r *http.Request) string { return guard.Network(s.origin(r)) }

// origin is where a request comes from, as far as is known. A proxy puts it at the end
// of a list whose beginning anyone can make up.
func (s *Server) origin(r *http.Request) string {
	if s.o.TrustProxy {
		if all := r.Header.Values("X-Forwarded-For"); len(all) > 0 {
			list := strings.Split(all[len(all)-1], ",")
			return strings.TrimSpace(list[len(list)-1])
		}
	}
	return r.RemoteAddr
}
