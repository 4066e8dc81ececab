package docs

import (
	"fmt"
	"os"
	"path"
	"sync"

	"vademecum/docs/extract/schema"
)

// lastSlackNames caches the names of the Slack export that was read last: its messages are in
// thousands of files, all of which need the names.
type lastSlackNames struct {
	mu      sync.Mutex
	export  string // path of the export; "" if none was read
	version string // version of the files that contain the names
	names   schema.SlackNames
}

// in returns the names of an export. It reads them again if one of their files has changed.
func (l *lastSlackNames) in(root *os.Root, export string, read func(name string) []byte) schema.SlackNames {
	version := ""
	for _, name := range schema.SlackNameFiles {
		if info, err := root.Stat(path.Join(export, name)); err == nil { // stats the target of a link
			version += fmt.Sprintln(name, info.Size(), info.ModTime().UnixNano())
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.export == export && l.version == version {
		return l.names
	}
	var files [][]byte
	for _, name := range schema.SlackNameFiles {
		files = append(files, read(path.Join(export, name)))
	}
	l.export, l.version, l.names = export, version, schema.ReadSlackNames(files...)
	return l.names
}
