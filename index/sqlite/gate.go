package sqlite

import (
	"context"
	"time"

	"github.com/gofrs/flock"

	"vademecum/internal/lockfile"
)

// lockOpening keeps the opening of an index apart from the moment in which another
// process sets a damaged one aside: several files change their names then. lock
// says as which of the two. Where the system has no locks there is no gate, and
// nobody waits long for a process that is stopped in it.
func lockOpening(ctx context.Context, file string, lock func(*flock.Flock) (bool, error)) (leave func()) {
	gate := lockfile.New(file + ".open.lock")
	for deadline := time.Now().Add(gateLimit); time.Now().Before(deadline) && ctx.Err() == nil; {
		if passed, err := lock(gate); passed || err != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return func() { _ = gate.Close() }
}

// gateLimit is how long the gate may be closed, which takes milliseconds.
const gateLimit = 3 * time.Second
