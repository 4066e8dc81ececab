package guard

import (
	"net/url"
	"strings"
)

// defaultPorts are those that browsers and clients leave out.
var defaultPorts = map[string]string{"https": ":443", "http": ":80"}

// CanonicalURL returns the URL of a site or of a resource as clients write it once they have
// read it: scheme and host in small letters, without the port that goes without saying,
// and without a slash at its end. What is no URL of a host comes back as it is.
func CanonicalURL(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return text
	}
	u.Host = strings.TrimSuffix(strings.ToLower(u.Host), defaultPorts[u.Scheme])
	return strings.TrimRight(u.String(), "/")
}
