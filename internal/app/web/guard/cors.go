package guard

import "net/http"

// Methods and headers that pages of allowed origins may use (CORS).
const (
	corsMethods = "GET, POST, DELETE, OPTIONS"
	corsSends   = "Authorization, Content-Type, Accept, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID"
	corsSees    = "Mcp-Session-Id, WWW-Authenticate, Retry-After"
)

// AnswerCORS sets the CORS headers for the origin of a request, which AllowedHosts must have
// checked. If the request is a preflight, it responds and returns true.
func AnswerCORS(w http.ResponseWriter, r *http.Request) (answered bool) {
	w.Header().Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	w.Header().Set("Access-Control-Allow-Origin", origin)
	w.Header().Set("Access-Control-Expose-Headers", corsSees)
	if r.Method != http.MethodOptions {
		return false
	}
	w.Header().Set("Access-Control-Allow-Methods", corsMethods)
	w.Header().Set("Access-Control-Allow-Headers", corsSends)
	w.Header().Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}
