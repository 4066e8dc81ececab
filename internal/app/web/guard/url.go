package guard

import (
	"net/url"
	"strings"
)

// defaultPorts are the ports that browsers and clients omit.
var defaultPorts = map[string]string{"https": ":443", "http": ":80"}

// CanonicalURL returns a URL as clients normalise it: scheme and host in lower case, without a
// default port and trailing slashes. A text that is not a URL with a host is returned unchanged.
func CanonicalURL(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return text
	}
	u.Host = strings.TrimSuffix(strings.ToLower(u.Host), defaultPorts[u.Scheme])
	return strings.TrimRight(u.String(), "/")
}
