package oauth

import (
	"net/http"
	"time"
)

// With returns options with another clock and another way to fetch documents of clients.
func (o Options) With(now func() time.Time, fetch *http.Client) Options {
	o.now, o.fetch = now, fetch
	return o
}
