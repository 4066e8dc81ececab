// This file hands something to what the user's desktop has for it: a page to the
// browser, a file to the program of its kind, a folder to the one that shows files.

package system

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// ErrNoDesktop is that nobody looks at this machine, as far as can be known.
var ErrNoDesktop = errors.New("there is no desktop")

// patience is for how long a command that hands something on is waited for. One that
// has not failed by then has become what it has started.
const patience = 5 * time.Second

// OpenOnDesktop opens a URL or a file. A file is run where the desktop takes it for a program:
// it is for documents of known kinds.
func OpenOnDesktop(ctx context.Context, target string) error {
	switch runtime.GOOS {
	case "darwin":
		if strings.HasPrefix(target, "http") {
			return openURLOnMac(ctx, target)
		}
		return startCommand(ctx, "open", target)
	case "windows": // not by cmd, which takes & and % for itself
		return startCommand(ctx, "rundll32", "url.dll,FileProtocolHandler", target)
	}
	return openByXDG(ctx, target)
}

// RevealOnDesktop shows where a file lies.
func RevealOnDesktop(ctx context.Context, file string) error {
	switch runtime.GOOS {
	case "darwin":
		return startCommand(ctx, "open", "-R", file)
	case "windows":
		err := startCommand(ctx, "explorer", "/select,"+file)
		if errors.As(err, new(*exec.ExitError)) { // it says 1 when all is well
			return nil
		}
		return err
	}
	return openByXDG(ctx, filepath.Dir(file))
}

// openByXDG opens something on the systems whose desktops agree on xdg-open. Without a
// screen that would run a browser in the terminal, or none.
func openByXDG(ctx context.Context, target string) error {
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return ErrNoDesktop
	}
	return startCommand(ctx, "xdg-open", target)
}

// openURLOnMac opens a URL on macOS, where all users see what programs are started
// with: a link may be secret.
func openURLOnMac(ctx context.Context, url string) error {
	c := exec.Command("osascript")
	c.Stdin = strings.NewReader("open location " + strconv.Quote(url))
	return awaitEarlyEnd(ctx, c)
}

// startCommand starts a command, and returns why it failed if it does soon. It may live on.
func startCommand(ctx context.Context, name string, args ...string) error {
	return awaitEarlyEnd(ctx, exec.Command(name, args...))
}

func awaitEarlyEnd(ctx context.Context, c *exec.Cmd) error {
	name := filepath.Base(c.Path)
	if err := c.Start(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	case <-limit.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
