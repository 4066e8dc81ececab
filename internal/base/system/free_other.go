//go:build solaris || aix || netbsd || openbsd || !(unix || windows)

package system

// freeBytesOn is not known here.
func freeBytesOn(string) (bytes uint64, ok bool) { return 0, false }
