package oauth

import (
	"encoding/json"
	"net/http"
)

// registerClient handles a dynamic client registration (RFC 7591). The client ID that it returns is
// the signed metadata of the client. So nothing is stored however many clients register, and an ID
// is valid as long as the signing key.
func (s *Server) registerClient(r *http.Request) (any, *errorResponse) {
	var m clientMetadata
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		return nil, &errorResponse{Code: "invalid_client_metadata", Description: "the registration is no JSON of a client, or is too long"}
	}
	c, err := m.toClient()
	if err != nil {
		code := "invalid_client_metadata"
		if accepted, _ := acceptedRedirectURIs(m.RedirectURIs); len(accepted) == 0 {
			code = "invalid_redirect_uri"
		}
		return nil, &errorResponse{Code: code, Description: err.Error()}
	}
	text, err := json.Marshal(c)
	if err != nil {
		return nil, &errorResponse{Code: "invalid_client_metadata", Description: err.Error()}
	}
	return clientMetadata{
		ID: s.o.Grants.signPayload(prefixClient, text), Name: c.Name, RedirectURIs: c.RedirectURIs,
		AuthMethod: "none", GrantTypes: grantTypes, ResponseTypes: []string{"code"},
	}, nil
}

// registeredClient returns the client in a client ID that registerClient has returned.
func (s *Server) registeredClient(id string) (c Client, ok bool) {
	text, ok := s.o.Grants.verifyPayload(prefixClient, id)
	return c, ok && json.Unmarshal(text, &c) == nil
}

// isKnownClient reports whether a client ID was returned by a registration with the current key, or
// is the URL of a metadata document.
func (s *Server) isKnownClient(id string) bool {
	_, ok := s.registeredClient(id)
	return ok || isDocumentURL(id)
}
