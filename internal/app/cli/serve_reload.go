package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"vademecum/internal/base/message"
)

// reloaders are the files that the server reads again at once on a signal. Without one, it notices
// changes later.
type reloaders []reloader

type reloader struct {
	what string
	read func() error
}

func (a *reloaders) add(what string, read func() error) { *a = append(*a, reloader{what, read}) }

// reloadOnSignal reads files again at each SIGHUP until ctx is done. In a terminal SIGHUP ends the
// server instead.
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
				fmt.Fprintln(p.stderr, p.localise("vademecum: %v", files.reloadAll()))
			}
		}
	}()
}

// reloadAll reads all files again, logs errors, and returns a message that names the files that it
// has read.
func (a reloaders) reloadAll() message.Message {
	var read, kept []string
	for _, file := range a {
		if file.read() == nil {
			read = append(read, file.what)
		} else {
			kept = append(kept, file.what)
		}
	}
	said := message.New("there is nothing to reload")
	if len(read) > 0 {
		said = message.New("read again: %s", strings.Join(read, ", "))
	}
	if len(kept) > 0 {
		said = message.New("%v; could not be read, and was kept as it was: %s", said, strings.Join(kept, ", "))
	}
	return said
}
