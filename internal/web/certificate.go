package web

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"
)

// Certificate is a pair of files that are read again when they change, as they do
// every few weeks.
type Certificate struct {
	cert, key string
	log       *slog.Logger

	mu     sync.Mutex
	looked time.Time
	times  [2]time.Time
	now    *tls.Certificate
}

// lookEvery is how often the files are looked at, at most.
const lookEvery = time.Second

// OpenCertificate reads the files.
func OpenCertificate(cert, key string, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{cert: cert, key: key, log: log}
	return c, c.read()
}

// Config is for a listener that shows the certificate.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		NextProtos:     []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current(), nil },
	}
}

// current is the certificate as the files have it. One that cannot be read, as while
// it is being replaced, leaves that before in use.
func (c *Certificate) current() *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.looked) < lookEvery {
		return c.now
	}
	c.looked = time.Now()
	if c.changed() {
		if err := c.read(); err != nil {
			c.log.Error("the new certificate cannot be read; the old one stays", "error", err)
		}
	}
	return c.now
}

func (c *Certificate) changed() bool {
	times, err := timesOf(c.cert, c.key)
	return err == nil && times != c.times
}

func (c *Certificate) read() error {
	times, err := timesOf(c.cert, c.key)
	if err != nil {
		return err
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return err
	}
	c.now, c.times = &pair, times
	return nil
}

func timesOf(files ...string) (times [2]time.Time, err error) {
	for i, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return times, err
		}
		times[i] = info.ModTime()
	}
	return times, nil
}
