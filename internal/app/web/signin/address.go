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
	"runtime"
	"strings"
	"time"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

// PrivatePageAddress is the address of a page for one person, with secrets that only the processes of
// that person know.
type PrivatePageAddress struct {
	SecretHostname string // secret host name that resolves to this machine
	Port           string
	secret         string // secret of the process that serves the page, which signs login codes and proofs

	session string // token for browsers that use SecretHostname; the next process keeps it
}

// newPlace returns a PrivatePageAddress with a port and new secrets.
func newPlace(port string) PrivatePageAddress {
	return PrivatePageAddress{SecretHostname: strings.ToLower(rand.Text()) + ".localhost", Port: port, secret: rand.Text(), session: rand.Text()}
}

// LoopbackAddress returns the network address of the page for programs on this machine.
func (p PrivatePageAddress) LoopbackAddress() string { return net.JoinHostPort("127.0.0.1", p.Port) }

// keptPlace matches the content of the file of ListenPrivatePage. Earlier versions wrote one or two
// lines, without secrets.
var keptPlace = lazyregexp.New(`^([a-z2-7]{20,40}\.localhost):([1-9][0-9]{3,4})\n(?:([A-Z2-7]{20,40})\n(?:([A-Z2-7]{20,40})\n)?)?$`)

// ListenPrivatePage listens at the address of a page for one person. The address is stored in a file,
// unless that is "", so that bookmarks keep working. The file contains a host name to which
// browsers send their cookie, so only its owner may read it; if others could, a new name is made.
// If another process of that person serves the page already, listener is nil, and address is that
// of the page. If another program uses the port, the address is a new one that is not stored, as
// two servers with the same name would get each other's cookies.
func ListenPrivatePage(ctx context.Context, file string) (listener net.Listener, address PrivatePageAddress, err error) {
	kept, isKept := readPlace(file)
	if isKept {
		if listener, err = net.Listen("tcp", kept.LoopbackAddress()); err != nil {
			return listenBeside(ctx, file)
		}
		kept.secret = rand.Text() // makes the login codes of processes that have ended invalid
		if kept.session == "" {
			kept.session = rand.Text()
		}
		address = kept
	} else {
		if listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return nil, PrivatePageAddress{}, err
		}
		address = newPlace(portOf(listener))
	}
	if file == "" { // nothing is stored
		return listener, address, nil
	}
	if err := writeFile(file, net.JoinHostPort(address.SecretHostname, address.Port)+"\n"+address.secret+"\n"+address.session+"\n", true); err != nil {
		return listener, address, message.Errorf("keep the address of the page: %v", err)
	}
	return listener, address, nil
}

// listenBeside returns the stored address, and no listener, if the process that listens there
// proves that it serves the private page. Otherwise it listens at a new address. It reads the
// stored secrets only after the proof, as a process that has just begun to listen may not have
// stored them before.
func listenBeside(ctx context.Context, file string) (net.Listener, PrivatePageAddress, error) {
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
		return nil, PrivatePageAddress{}, err
	}
	return on, newPlace(portOf(on)), nil
}

// longestProof is how long a process may take to prove that it serves the page; one that is loading
// a large index responds late.
const longestProof = 10 * time.Second

// PathServerProof is the path at which a server proves that it knows the secrets of its PrivatePageAddress.
const PathServerProof = "/open/proof"

// askProof sends a challenge to the process that listens at the address stored in a file, and
// returns its answer. Only a process that knows the secrets of the address can compute the right
// one.
func askProof(ctx context.Context, file, question string) (said string, err error) {
	place, _ := readPlace(file)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+place.LoopbackAddress()+PathServerProof+"?"+url.Values{"question": {question}}.Encode(), nil)
	if err != nil {
		return "", err
	}
	direct := &http.Transport{DisableKeepAlives: true} // ignore proxies in the environment
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

// readPlace returns the address stored in a file; ok is false if there is none.
func readPlace(file string) (p PrivatePageAddress, ok bool) {
	kept := keptPlace.FindStringSubmatch(readOwn(file))
	if kept == nil {
		return PrivatePageAddress{}, false
	}
	return PrivatePageAddress{SecretHostname: kept[1], Port: kept[2], secret: kept[3], session: kept[4]}, true
}

// readOwn returns the content of a file that only its owner can read; "" for any other file.
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
