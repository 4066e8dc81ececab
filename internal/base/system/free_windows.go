package system

import "golang.org/x/sys/windows"

// freeBytesOn returns how many bytes a user may write to the disk of a folder.
func freeBytesOn(dir string) (bytes uint64, ok bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	if err := windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil); err != nil {
		return 0, false
	}
	return bytes, true
}
