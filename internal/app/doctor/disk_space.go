package doctor

import (
	"context"
	"fmt"
	"path/filepath"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
	"vademecum/internal/base/system"
)

// Free disk space, in bytes, below which checkRoom reports a warning (littleRoom) or a fault
// (noRoom). An index takes about as much space as the text of its documents, and a snapshot beside
// it as much again.
const (
	littleRoom = 500 << 20
	noRoom     = 20 << 20
)

// checkRoom reports free space on the disk of the index, and free memory.
func (s *examination) checkRoom(_ context.Context, report func(Finding)) {
	for _, f := range s.status.Folders {
		if f.IsShared {
			continue
		}
		if free, ok := system.FreeBytes(filepath.Dir(f.IndexLocation)); ok {
			report(diskSpaceFinding(f.IndexLocation, free))
		}
	}
	if free, ok := freeMemory(); ok {
		report(memoryFinding(free, s.status.Chunks))
	}
}

func diskSpaceFinding(file string, free uint64) Finding {
	f := Finding{LevelOK, aboutDisk, message.New("%s free for %s", formatSize(free), present.QuoteName(file)), ""}
	switch {
	case free < noRoom:
		f.Level, f.Advice = LevelFault, message.New("free up space, or choose another disk with --index: the index is only kept in memory")
	case free < littleRoom:
		f.Level, f.Advice = LevelWarning, message.New("free up space: a large folder may not fit")
	}
	return f
}

// Memory that a server needs, in bytes: for itself, and per passage.
const (
	serverBytes  = 30 << 20
	passageBytes = 2600
)

func memoryFinding(free uint64, passages int) Finding {
	needed := serverBytes + uint64(passages)*passageBytes
	f := Finding{LevelOK, aboutMemory, message.New("%s free; a server takes some %s for %v", formatSize(free), formatSize(needed), message.New("%d passages", passages)), ""}
	if free < needed {
		f.Level, f.Advice = LevelWarning, message.New("close other programs, or serve a smaller folder")
	}
	return f
}

func formatSize(bytes uint64) string {
	if bytes >= 10_000_000_000 {
		return fmt.Sprintf("%d GB", bytes/1_000_000_000)
	}
	return fmt.Sprintf("%d MB", bytes/1_000_000)
}
