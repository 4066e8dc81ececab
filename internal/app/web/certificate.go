package web

import (
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"sync/atomic"
	"time"

	"vademecum/internal/app/web/reread"
)

// Certificate is a certificate file and a key file, which are reloaded when they change, for
// example at a renewal. While one of them is missing, or they do not match, the previous pair stays
// in use. It is safe for concurrent use.
type Certificate struct {
	cert, key string
	names     []string // host names of the server
	log       *slog.Logger
	files     *reread.Files
	now       atomic.Pointer[tls.Certificate]
}

// OpenCertificate reads the files of a certificate and its key. It logs a warning if the
// certificate is not valid for the host names.
func OpenCertificate(certFile, keyFile string, hostNames []string, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{cert: certFile, key: keyFile, names: hostNames, log: log}
	var err error
	c.files, err = reread.Open(log, "the certificate", c.readFiles, certFile, keyFile)
	return c, err
}

// TLSConfig returns the configuration of a listener that presents the certificate.
func (c *Certificate) TLSConfig() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			c.files.ReloadIfChanged()
			return c.now.Load(), nil
		},
	}
}

// Reload reloads the files.
func (c *Certificate) Reload() error { return c.files.Reload() }

func (c *Certificate) readFiles() error {
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return err
	}
	c.now.Store(&pair)
	c.warnIfUnacceptable(pair.Leaf)
	return nil
}

// soon is how long before its expiry a certificate is expected to have been renewed.
const soon = 10 * 24 * time.Hour

// warnIfUnacceptable logs reasons why clients may reject a certificate.
func (c *Certificate) warnIfUnacceptable(of *x509.Certificate) {
	now := time.Now()
	switch day := of.NotAfter.Format(time.DateOnly); {
	case now.After(of.NotAfter):
		c.log.Warn("the certificate has expired: clients refuse it", "file", c.cert, "until", day)
	case now.Before(of.NotBefore):
		c.log.Warn("the certificate is not valid yet: clients refuse it", "file", c.cert, "from", of.NotBefore)
	case now.Add(soon).After(of.NotAfter):
		c.log.Warn("the certificate expires soon", "file", c.cert, "until", day)
	}
	for _, name := range c.names {
		if err := of.VerifyHostname(name); err != nil {
			c.log.Warn("the certificate is not for the name by which the server is reached: clients refuse it", "file", c.cert, "name", name, "error", err)
		}
	}
}

// daysLeft returns for how many days the certificate is still valid; negative if it has expired.
func (c *Certificate) daysLeft() float64 {
	return time.Until(c.now.Load().Leaf.NotAfter).Hours() / 24
}
