//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestHTTPHangup: SIGHUP, as for other daemons, makes the server read changed files
// again, and ends nothing.
func TestHTTPHangup(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	own := t.TempDir()
	tokens, rights, cert, key := filepath.Join(own, "tokens"), filepath.Join(own, "rights"), filepath.Join(own, "cert.pem"), filepath.Join(own, "key.pem")
	newToken(t, tokens, "alice")
	writeText(t, rights, "*="+dir+"\n")
	writeCertificate(t, cert, key, 1)
	s := serveHTTP(t, "--tokens", tokens, "--allow-file", rights, "--tls-cert", cert, "--tls-key", key, ownIndex(t), dir)
	hangUp := func(want string) {
		t.Helper()
		if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		deadline := time.After(longestWait)
		for {
			select {
			case line, more := <-s.stderr:
				if strings.HasPrefix(line, "vademecum: read again: ") && line != want || !more {
					t.Errorf("it says %q, want %q", line, want)
					return
				}
				if line == want {
					return
				}
			case <-deadline:
				t.Fatalf("it does not say %q", want)
			}
		}
	}
	hangUp("vademecum: read again: certificate, tokens, rights")
	writeText(t, rights, "alice=elsewhere\n")
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	hangUp("vademecum: read again: tokens; could not be read, and was kept as it was: certificate, rights")
	hangUp("vademecum: read again: tokens; could not be read, and was kept as it was: certificate, rights")
}
