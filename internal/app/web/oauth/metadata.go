package oauth

import (
	"net/http"

	"vademecum/internal/app/web/signin"
)

// serveMetadata serves the authorization server metadata (RFC 8414). Clients that look for OpenID
// Connect discovery get the same document, although the server issues no ID tokens.
func (s *Server) serveMetadata(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Access-Control-Allow-Origin", "*") // it is public
	w.Header().Set("Cache-Control", "max-age=300")
	none := []string{"none"}
	writeJSON(w, http.StatusOK, map[string]any{
		"issuer":                                         s.o.Issuer,
		"authorization_endpoint":                         s.o.Issuer + PathAuthorize,
		"token_endpoint":                                 s.o.Issuer + pathToken,
		"registration_endpoint":                          s.o.Issuer + pathRegister,
		"revocation_endpoint":                            s.o.Issuer + pathRevoke,
		"scopes_supported":                               signin.DocumentScopes,
		"response_types_supported":                       []string{"code"},
		"response_modes_supported":                       []string{"query"},
		"grant_types_supported":                          grantTypes,
		"token_endpoint_auth_methods_supported":          none,
		"revocation_endpoint_auth_methods_supported":     none,
		"code_challenge_methods_supported":               []string{"S256"},
		"client_id_metadata_document_supported":          s.documents.areSupported(),
		"authorization_response_iss_parameter_supported": true,
		"ui_locales_supported":                           []string{"en", "zh-CN"},
	})
}
