package signin

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// newHost is a name of this machine that nobody knows.
func newHost() string { return strings.ToLower(rand.Text()) + ".localhost" }

// keptAddress is what a file of OpenAddress says.
var keptAddress = regexp.MustCompile(`^([a-z2-7]{20,40}\.localhost):([1-9][0-9]{3,4})\n$`)

// OpenAddress listens at the address of a page for one person, which a file keeps from one
// start to the next: bookmarks lead there again. Whoever reads the file knows a name that
// browsers send their cookie to, so that it is for its owner alone; where others could
// read it, another is made. The address is a new one too, and is not kept, while something
// else has the port: two servers at one name would get the cookies of each other.
func OpenAddress(file string) (on net.Listener, host string, err error) {
	if kept := keptAddress.FindStringSubmatch(readOwn(file)); kept != nil {
		if on, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", kept[2])); err == nil {
			return on, kept[1], nil
		}
		on, err = net.Listen("tcp", "127.0.0.1:0")
		return on, newHost(), err
	}
	on, err = net.Listen("tcp", "127.0.0.1:0")
	host = newHost()
	if err != nil || file == "" { // nothing is kept
		return on, host, err
	}
	_, port, _ := net.SplitHostPort(on.Addr().String())
	if err := writeFile(file, net.JoinHostPort(host, port)+"\n", true); err != nil {
		return on, host, fmt.Errorf("keep the address of the page: %w", err)
	}
	return on, host, nil
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
