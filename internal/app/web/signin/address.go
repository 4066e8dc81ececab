package signin

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"vademecum/internal/base/message"
)

// OwnPlace is where the page of one person is, and what only that person's processes know
// of it.
type OwnPlace struct {
	Host   string // a name of this machine that nobody knows
	Port   string
	secret string // of the process that serves it

	session string // what browsers are let in by at Host, from one process to the next
}

// newPlace is one at a port that nobody knows yet.
func newPlace(port string) OwnPlace {
	return OwnPlace{Host: strings.ToLower(rand.Text()) + ".localhost", Port: port, secret: rand.Text(), session: rand.Text()}
}

// Address is where the page is for programs of this machine.
func (p OwnPlace) Address() string { return net.JoinHostPort("127.0.0.1", p.Port) }

// keptPlace is what a file of ListenOwn says. Before there were secrets it had one line, and
// then two.
var keptPlace = regexp.MustCompile(`^([a-z2-7]{20,40}\.localhost):([1-9][0-9]{3,4})\n(?:([A-Z2-7]{20,40})\n(?:([A-Z2-7]{20,40})\n)?)?$`)

// ListenOwn listens at the address of a page for one person, which a file keeps from one
// start to the next: bookmarks lead there again. Whoever reads the file knows a name that
// browsers send their cookie to, so that it is for its owner alone; where others could
// read it, another is made. While another process of that person serves the page, on is
// nil, and the place is there. The address is a new one, and is not kept, while something
// else has the port: two servers at one name would get the cookies of each other.
func ListenOwn(ctx context.Context, file string) (on net.Listener, place OwnPlace, err error) {
	kept, isKept := readPlace(file)
	if isKept {
		if on, err = net.Listen("tcp", kept.Address()); err != nil {
			return listenBeside(ctx, file)
		}
		kept.secret = rand.Text() // tickets of processes that have ended count no more
		if kept.session == "" {
			kept.session = rand.Text()
		}
		place = kept
	} else {
		if on, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return nil, OwnPlace{}, err
		}
		place = newPlace(portOf(on))
	}
	if file == "" { // nothing is kept
		return on, place, nil
	}
	if err := writeFile(file, net.JoinHostPort(place.Host, place.Port)+"\n"+place.secret+"\n"+place.session+"\n", true); err != nil {
		return on, place, message.Errorf("keep the address of the page: %v", err)
	}
	return on, place, nil
}

// listenBeside returns the place that a file keeps where another process serves the page
// there, and else listens at a new one. A process that has just begun to listen may not
// have written yet what it knows.
func listenBeside(ctx context.Context, file string) (net.Listener, OwnPlace, error) {
	ctx, cancel := context.WithTimeout(ctx, longestProof)
	defer cancel()
	question := rand.Text()
	if said, err := askProof(ctx, file, question); err == nil {
		if place, ok := readPlace(file); ok && place.secret != "" && subtle.ConstantTimeCompare([]byte(said), []byte(place.sign(forProof, question))) == 1 {
			return nil, place, nil
		}
	}
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, OwnPlace{}, err
	}
	return on, newPlace(portOf(on)), nil
}

// longestProof is how long a process may take to say that it serves the page: one that
// loads a large index answers late.
const longestProof = 10 * time.Second

// PathProof is where a server of a page proves that it knows its place.
const PathProof = "/open/proof"

// askProof has whatever listens at a place answer a question that only a process can
// which knows that place.
func askProof(ctx context.Context, file, question string) (said string, err error) {
	place, _ := readPlace(file)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+place.Address()+PathProof+"?"+url.Values{"question": {question}}.Encode(), nil)
	if err != nil {
		return "", err
	}
	direct := &http.Transport{DisableKeepAlives: true} // without the proxy that the environment may name
	answer, err := direct.RoundTrip(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 100))
	return strings.TrimSpace(string(text)), err
}

func portOf(on net.Listener) string {
	_, port, _ := net.SplitHostPort(on.Addr().String())
	return port
}

// readPlace is the place that a file keeps.
func readPlace(file string) (p OwnPlace, ok bool) {
	kept := keptPlace.FindStringSubmatch(readOwn(file))
	if kept == nil {
		return OwnPlace{}, false
	}
	return OwnPlace{Host: kept[1], Port: kept[2], secret: kept[3], session: kept[4]}, true
}

// readOwn is the text of a file that its owner alone can read, "" for another.
func readOwn(file string) string {
	info, err := os.Lstat(filepath.Clean(file))
	if err != nil || !info.Mode().IsRegular() || info.Size() > 200 || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return ""
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	return string(text)
}
