package e2e

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// TestModelThroughAProxy reaches a hub through the proxy of the environment, and trusts it
// only by its certificate.
func TestModelThroughAProxy(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(newModelHub(t))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS() // with an untrusted certificate
	t.Cleanup(server.Close)
	var asked atomic.Value
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.Method + " " + r.Host)
		near, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer near.Close()
		far, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		defer far.Close()
		_, _ = io.WriteString(near, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(far, near) }()
		_, _ = io.Copy(near, far)
	}))
	t.Cleanup(proxy.Close)
	c := vademecum(t, "model", "get", "leaf-ir")
	c.Env = append(append(c.Env, cacheIn(t.TempDir())...), "HTTPS_PROXY="+proxy.URL, "https_proxy=", "NO_PROXY=", "no_proxy=", "HF_ENDPOINT=https://hub.example.com")
	out, err := c.CombinedOutput()
	if asked.Load() != "CONNECT hub.example.com:443" {
		t.Errorf("the proxy was asked %v", asked.Load())
	}
	if err == nil || !strings.Contains(string(out), "hub.example.com does not answer: tls: failed to verify certificate") {
		t.Errorf("%v: %s", err, out)
	}
}
