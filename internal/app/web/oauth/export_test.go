package oauth

import (
	"net/http"
	"time"
)

// With returns the options with another clock and another HTTP client for metadata documents.
func (o Options) With(now func() time.Time, fetch *http.Client) Options {
	o.now, o.fetch = now, fetch
	return o
}
