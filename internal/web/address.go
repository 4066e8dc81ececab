package web

import (
	"net"
	"net/http"
	"strings"
)

// address is where a request comes from. A proxy puts it at the end of a list
// whose beginning anyone can make up.
func (s *Server) address(r *http.Request) string {
	if s.o.TrustProxy {
		if all := r.Header.Values("X-Forwarded-For"); len(all) > 0 {
			list := strings.Split(all[len(all)-1], ",")
			return strings.TrimSpace(list[len(list)-1])
		}
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
