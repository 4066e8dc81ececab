package guard

import "net/http"

// What pages of allowed origins may send and see.
const (
	corsMethods = "GET, POST, DELETE, OPTIONS"
	corsSends   = "Authorization, Content-Type, Accept, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID"
	corsSees    = "Mcp-Session-Id, WWW-Authenticate, Retry-After"
)

// AnswerCORS lets the page that a request comes from see the answer, after Check. It
// tells whether the request is a browser's question for that alone, which is
// answered then.
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
