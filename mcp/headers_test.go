package mcp

import (
	"net/http/httptest"
	"testing"
)

// TestPlainName checks that the name of a tool or resource reaches the SDK as the client meant it,
// whatever its encoding in the header.
func TestPlainName(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"":                            "",
		"read_doc":                    "read_doc",
		"file:///%E7%AC%94":           "file:///%E7%AC%94",
		"=?base64?ZmlsZTovLy/nrJQ=?=": "file:///笔",
		"=?base64?PT9iYXNlNjQ/QT89?=": "=?base64?A?=", // the name is encoded in the body, too
		"=?base64?not base64?=":       "=?base64?not base64?=",
		"=?base64?QQ==":               "=?base64?QQ==",
		"=?base64?=":                  "=?base64?=",
		"=?BASE64?QQ==?=":             "=?BASE64?QQ==?=",
	} {
		r := httptest.NewRequest("POST", "/mcp", nil)
		r.Header.Set(nameHeader, header)
		if got := withNameFromBody(r).Header.Get(nameHeader); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
		if r.Header.Get(nameHeader) != header {
			t.Errorf("%q: the request itself is changed", header)
		}
	}
}
