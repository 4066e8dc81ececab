package mcp

import (
	"encoding/base64"
	"net/http"
	"strings"
)

const nameHeader = "Mcp-Name"

// withNameFromBody returns a copy of a request in which the header Mcp-Name is the name of the tool
// or resource from the body. Clients encode a name that is not ASCII, such as a URI with Chinese
// characters, in base64 (SEP-2243), and the SDK (v1.8.0) compares the header with the body without
// decoding it.
func withNameFromBody(r *http.Request) *http.Request {
	encoded, isEncoded := strings.CutPrefix(r.Header.Get(nameHeader), "=?base64?")
	encoded, ends := strings.CutSuffix(encoded, "?=")
	name, err := base64.StdEncoding.DecodeString(encoded)
	if !isEncoded || !ends || err != nil {
		return r
	}
	plain := r.Clone(r.Context())
	plain.Header.Set(nameHeader, string(name))
	return plain
}
