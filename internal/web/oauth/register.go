package oauth

import (
	"encoding/json"
	"net/http"
)

// registerClient has a client register itself (RFC 7591). What it says of itself is in the
// name that it gets, signed: nothing is kept of it, however many register, and a name
// holds for as long as the key of the server.
func (s *Server) registerClient(r *http.Request) (any, *errorResponse) {
	var m clientMetadata
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		return nil, &errorResponse{Code: "invalid_client_metadata", Description: "the registration is no JSON of a client, or is too long"}
	}
	c, err := m.toClient()
	if err != nil {
		code := "invalid_client_metadata"
		if kept, _ := usableRedirects(m.Redirects); len(kept) == 0 {
			code = "invalid_redirect_uri"
		}
		return nil, &errorResponse{Code: code, Description: err.Error()}
	}
	text, err := json.Marshal(c)
	if err != nil {
		return nil, &errorResponse{Code: "invalid_client_metadata", Description: err.Error()}
	}
	return clientMetadata{
		ID: s.o.Grants.signPayload(kindClient, text), Name: c.Name, Redirects: c.Redirects,
		AuthMethod: "none", GrantTypes: grantTypes, Responses: []string{"code"},
	}, nil
}

// registeredClient returns a client by the name that it was given.
func (s *Server) registeredClient(id string) (c Client, ok bool) {
	text, ok := s.o.Grants.verifyPayload(kindClient, id)
	return c, ok && json.Unmarshal(text, &c) == nil
}

// mayKnow tells a client that has registered with the key that there is now, or has a
// document.
func (s *Server) mayKnow(id string) bool {
	_, ok := s.registeredClient(id)
	return ok || isDocumentURL(id)
}
