package cli

import (
	"net"
	"slices"
	"strconv"
	"strings"

	"vademecum/internal/base/lazyregexp"
)

// parseAddressArg takes the address of --http from the arguments if it is not part of the flag:
// from the argument directly after the flag, given as after, or else from the first one. It returns
// the other arguments, of which at least least must be left. A port without a host means one of
// this machine. A folder that is called like an address has to be given as ./NAME.
func (f *httpFlags) parseAddressArg(folders []string, least int, after string) []string {
	f.address = portAddress(f.address)
	if f.address != defaultAddress {
		return folders
	}
	if at := slices.Index(folders, after); at >= 0 && isMeantAsAddress(after) {
		f.address = after // checkFlags refuses an invalid address later
		return slices.Delete(folders, at, at+1)
	}
	if len(folders) <= least {
		return folders
	}
	at := max(0, slices.Index(folders, after))
	given := folders[at]
	if !isFolder(given) { // a folder may be called 2024
		given = portAddress(given)
	}
	if !isAddress(given) {
		return folders
	}
	f.address = given
	return slices.Delete(folders, at, at+1)
}

// likeAddress matches mistyped addresses such as 80x, 99999, 10.0.0.1, localhost and kb:http.
var likeAddress = lazyregexp.New(`^(\d+[A-Za-z]{0,2}|[\d.]+|localhost|[^/\\]*:[^/\\]*)$`)

// isMeantAsAddress reports whether an argument, which is neither an address nor a folder, looks
// like a mistyped address.
func isMeantAsAddress(text string) bool {
	return !isAddress(portAddress(text)) && !isFolder(text) && likeAddress.MatchString(text)
}

// isAddress reports whether an argument is an address to listen at, and not the path of a folder
// such as C:\notes.
func isAddress(text string) bool {
	_, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = strconv.Atoi(port)
	}
	return err == nil && !strings.Contains(text, "/")
}

// portAddress returns the address of a port on this machine, given the number of the port; any
// other text is returned unchanged.
func portAddress(given string) string {
	if _, err := strconv.ParseUint(given, 10, 16); err != nil {
		return given
	}
	return net.JoinHostPort("127.0.0.1", given)
}

// isPort reports whether a text may be a port number or a service name.
func isPort(text string) bool {
	n, err := strconv.Atoi(text)
	return err != nil || 0 <= n && n < 1<<16
}
