package signin

import (
	"bufio"
	"io"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// isOwnConnection reports whether a connection on this machine belongs to the user of this process,
// or to root, who can read everything anyway. remote is its other end. If the system does not show
// the owner, it returns true.
func isOwnConnection(remote string) bool {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return false
	}
	isOwner, isKnown := ownsConnection(at)
	return isOwner || !isKnown
}

// IsKnownOwnConnection reports whether a connection on this machine is known to belong to the user of
// this process, or to root. remoteAddress is its other end. If the system does not show the owner, it
// returns false.
func IsKnownOwnConnection(remoteAddress string) bool {
	at, err := netip.ParseAddrPort(remoteAddress)
	if err != nil {
		return false
	}
	isOwner, _ := ownsConnection(at)
	return isOwner
}

// ownsConnection reports whether the user of this process, or root, owns an end of a connection,
// and whether the system shows the owner.
func ownsConnection(at netip.AddrPort) (isOwner, isKnown bool) {
	for _, table := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue
		}
		isKnown = true
		owner := connectionOwner(f, at)
		f.Close()
		if owner == strconv.Itoa(os.Getuid()) || owner == "0" {
			return true, true
		}
	}
	return false, isKnown
}

// connectionOwner returns the ID of the user who owns an end of an open connection, according to a
// table of connections that Linux provides; "" if it is not in the table.
func connectionOwner(table io.Reader, at netip.AddrPort) string {
	const local, state, user, established = 1, 3, 7, "01"
	for lines := bufio.NewScanner(table); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) > user && fields[state] == established && isEncodedAddress(fields[local], at) {
			return fields[user]
		}
	}
	return ""
}

// isEncodedAddress reports whether an address is the one written in the table, where it is encoded
// in words of four bytes in little-endian order.
func isEncodedAddress(written string, at netip.AddrPort) bool {
	address, port, ok := strings.Cut(written, ":")
	n, err := strconv.ParseUint(port, 16, 16)
	if !ok || err != nil || uint16(n) != at.Port() {
		return false
	}
	var bytes []byte
	for ; len(address) >= 8; address = address[8:] {
		word, err := strconv.ParseUint(address[:8], 16, 32)
		if err != nil {
			return false
		}
		bytes = append(bytes, byte(word), byte(word>>8), byte(word>>16), byte(word>>24))
	}
	a, ok := netip.AddrFromSlice(bytes)
	return ok && a.Unmap() == at.Addr().Unmap()
}
