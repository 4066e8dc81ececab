package sqlite

import (
	"context"
	"time"

	"github.com/gofrs/flock"

	"vademecum/internal/base/system"
)

// lockOpening takes a file lock that prevents processes from opening an index while another one
// renames the files of a damaged index. lock chooses the mode: shared to open, exclusive to rename.
// On a system without file locks it does nothing. It waits at most gateLimit, in case the process
// that holds the lock is stopped.
func lockOpening(ctx context.Context, file string, lock func(*flock.Flock) (bool, error)) (leave func()) {
	gate := system.NewFileLock(file + ".open.lock")
	for deadline := time.Now().Add(gateLimit); time.Now().Before(deadline) && ctx.Err() == nil; {
		if passed, err := lock(gate); passed || err != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return func() { _ = gate.Close() }
}

// gateLimit is how long lockOpening waits for the lock, which is held for milliseconds.
const gateLimit = 3 * time.Second
