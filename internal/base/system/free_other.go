//go:build solaris || aix || netbsd || openbsd || !(unix || windows)

package system

// freeBytesOn reports that the free space is unknown on this system.
func freeBytesOn(string) (bytes uint64, ok bool) { return 0, false }
