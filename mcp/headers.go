package mcp

import (
	"encoding/base64"
	"net/http"
	"strings"
)

const nameHeader = "Mcp-Name"

// withNameFromBody returns a request whose header contains the name of the tool or resource as it
// is in the body. Clients encode a name that is not ASCII, such as a URI with Chinese characters,
// in base64 (SEP-2243), which the SDK (v1.8.0) compares with the body without decoding it.
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
