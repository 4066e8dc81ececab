package docs

import (
	"fmt"
	"os"
	"path"
	"sync"

	"vademecum/docs/extract/schema"
)

// lastSlackNames caches the names in the Slack export read last: its messages are in thousands of
// files, each of which needs them.
type lastSlackNames struct {
	mu      sync.Mutex
	export  string // "" for none yet
	version string // of the files that the names are in
	names   schema.SlackNames
}

// in returns the names in an export, which are read again where a file with them has changed.
func (l *lastSlackNames) in(root *os.Root, export string, read func(name string) []byte) schema.SlackNames {
	version := ""
	for _, name := range schema.SlackNameFiles {
		if info, err := root.Stat(path.Join(export, name)); err == nil { // of what a link leads to
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
