package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"
)

// reloaders are the files that are read reloaders at once when the server is asked to,
// as it is after they were changed; otherwise it looks at them by itself.
type reloaders []reloader

type reloader struct {
	what string
	read func() error
}

func (a *reloaders) add(what string, read func() error) { *a = append(*a, reloader{what, read}) }

// reloadOnSignal reads files again at each signal that asks for it until ctx ends. A
// server in a terminal ends with that instead, by the same signal.
func (p *program) reloadOnSignal(ctx context.Context, files reloaders) {
	if term.IsTerminal(int(p.stdin.Fd())) {
		return
	}
	asked := make(chan os.Signal, 1)
	stop := notifyHangup(asked)
	go func() {
		defer stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-asked:
				fmt.Fprintln(p.stderr, files.reloadAll())
			}
		}
	}()
}

// reloadAll reads all of them, and says what came of it. Why one cannot be read is in the
// log.
func (a reloaders) reloadAll() string {
	var read, kept []string
	for _, file := range a {
		if file.read() == nil {
			read = append(read, file.what)
		} else {
			kept = append(kept, file.what)
		}
	}
	said := "vademecum: nothing is to be read again"
	if len(read) > 0 {
		said = "vademecum: read again: " + strings.Join(read, ", ")
	}
	if len(kept) > 0 {
		said += "; cannot be read, and stays as it was: " + strings.Join(kept, ", ")
	}
	return said
}
