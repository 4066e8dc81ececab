package searcher

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// proxy passes connections on to a server and sees each statement of a transaction before
// it does.
type proxy struct {
	mu     sync.Mutex
	before func(statement string) // called before each that is passed on
}

func (p *proxy) set(before func(string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before = before
}

func (p *proxy) see(statement string) {
	p.mu.Lock()
	before := p.before
	p.mu.Unlock()
	if before != nil {
		before(statement)
	}
}

// newProxy listens, and returns its address.
func newProxy(t *testing.T, server string) (*proxy, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	p := &proxy{}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(client, server)
		}
	}()
	return p, l.Addr().String()
}

func (p *proxy) serve(client net.Conn, server string) {
	defer client.Close()
	to, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer to.Close()
	go func() { _, _ = client.(*net.TCPConn).ReadFrom(to) }() // until either is closed
	from := bufio.NewReader(client)
	prepared, began := make(map[string]string), false // statements by their names
	see := func(statement string) {
		if began = began || strings.HasPrefix(statement, "begin"); began { // others listen for news
			p.see(statement)
		}
		began = began && statement != "rollback"
	}
	for startup := true; ; startup = false {
		kind, body, err := readMessage(from, startup)
		if err != nil {
			return
		}
		fields := strings.Split(string(body[4:]), "\x00")
		switch kind {
		case 'Q':
			see(fields[0])
		case 'P':
			prepared[fields[0]] = fields[1]
		case 'B':
			see(prepared[fields[1]])
		}
		if !startup {
			body = append([]byte{kind}, body...)
		}
		if _, err := to.Write(body); err != nil {
			return
		}
	}
}

// readMessage reads a message of a client: its length, what it says, and before them, but
// for the first, its kind.
func readMessage(from *bufio.Reader, startup bool) (kind byte, body []byte, err error) {
	if !startup {
		if kind, err = from.ReadByte(); err != nil {
			return 0, nil, err
		}
	}
	size, err := from.Peek(4)
	if err != nil {
		return 0, nil, err
	}
	body = make([]byte, binary.BigEndian.Uint32(size))
	_, err = io.ReadFull(from, body)
	return kind, body, err
}

// through makes a proxy to the server of an address, and returns that with the proxy in
// its place.
func through(t *testing.T, u url.URL) (*proxy, *url.URL) {
	t.Helper()
	if u.Hostname() == "" {
		t.Skip("the server has no address of a network")
	}
	port := u.Port()
	if port == "" {
		port = "5432"
	}
	p, at := newProxy(t, net.JoinHostPort(u.Hostname(), port))
	u.Host = at
	with := u.Query()
	with.Set("sslmode", "disable") // what is encrypted cannot be seen
	u.RawQuery = with.Encode()
	return p, &u
}

// mostStatements is how many a question to one library is at most, that it begins and
// ends included.
const mostStatements = 11

// TestOneMoment: all that a question asks is as at one moment, in one transaction of few
// statements, whatever is committed between two of them.
func TestOneMoment(t *testing.T) {
	address, name := newDatabase(t), rand.Text()
	writer := loaded(t, connect(t, address), indextest.Builtin(t), name)
	write(t, writer, "warfarin state0")
	p, seen := through(t, *address)
	s := loaded(t, connect(t, seen), indextest.Builtin(t), name)
	asked := func() (statements []string) {
		p.set(func(statement string) { statements = append(statements, statement) })
		defer p.set(nil)
		checkMoment(t, s)
		return statements
	}
	all := asked()
	begins := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return !strings.Contains(strings.ToLower(s), "begin") })
	if len(begins) != 1 || len(all) > mostStatements {
		t.Errorf("%d statements, %d transactions:\n%s", len(all), len(begins), strings.Join(all, "\n"))
	}
	for n := range all {
		count := 0
		p.set(func(string) {
			if count++; count == n+1 {
				write(t, writer, fmt.Sprintf("warfarin state%d", n+1))
			}
		})
		checkMoment(t, s)
	}
	p.set(nil)
}

// checkMoment asks a question, and fails unless all that it is reported belongs together.
func checkMoment(t *testing.T, s search.Searcher) {
	t.Helper()
	err := s.View(t.Context(), func(ctx context.Context, v search.View) error {
		question := []search.Phrasing{{Text: "warfarin"}}
		found, err := v.Search(ctx, question, search.Filter{}, 1)
		if err != nil || len(found.Candidates) != 1 {
			t.Errorf("found %v", found.Candidates)
			return err
		}
		c := found.Candidates[0].Chunk
		bodies, err := v.LoadBodies(ctx, []*search.Document{c.Document})
		if err != nil {
			return err
		}
		said := bodies[c.Document].Text
		if rank.ChunkTextHashOf(said) != c.ContentHash {
			t.Errorf("the text is %q, which is not that of the passage", said)
		}
		copies, err := v.AppendCopies(ctx, nil, map[rank.ChunkTextHash]bool{c.ContentHash: true}, search.Filter{})
		if len(copies) != 1 {
			t.Errorf("%q has the copies %v", said, copies)
		}
		if err != nil {
			return err
		}
		unknown, _, err := v.UnknownWords(ctx, said)
		if len(unknown) != 0 {
			t.Errorf("of %q are unknown %q", said, unknown)
		}
		if err != nil {
			return err
		}
		weights, err := v.Explain(ctx, question, c)
		if len(weights) != 1 {
			t.Errorf("%q is found for %v", said, weights)
		}
		return err
	})
	must(t, err)
}
