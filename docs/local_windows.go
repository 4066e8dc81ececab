package docs

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// isLocal reports whether only this machine can change a directory.
func isLocal(dir *os.File) bool {
	volume := filepath.VolumeName(dir.Name())
	if strings.HasPrefix(volume, `\\`) {
		return false
	}
	root, err := windows.UTF16PtrFromString(volume + `\`)
	return err == nil && windows.GetDriveType(root) != windows.DRIVE_REMOTE
}
