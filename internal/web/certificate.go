package web

import (
	"crypto/tls"
	"log/slog"
	"sync/atomic"

	"vademecum/internal/web/reread"
)

// Certificate is a pair of files that are read again when they change, as they do
// every few weeks. While one of them is not there yet, or they do not go together,
// the pair before stays in use.
type Certificate struct {
	cert, key string
	files     *reread.Files
	now       atomic.Pointer[tls.Certificate]
}

// OpenCertificate reads the files.
func OpenCertificate(cert, key string, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{cert: cert, key: key}
	var err error
	c.files, err = reread.Open(log, "the certificate", c.read, cert, key)
	return c, err
}

// Config is for a listener that shows the certificate.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			c.files.Look()
			return c.now.Load(), nil
		},
	}
}

// Reread reads the files again.
func (c *Certificate) Reread() error { return c.files.Again() }

func (c *Certificate) read() error {
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return err
	}
	c.now.Store(&pair)
	return nil
}
