// Opening pages, files and folders with the programs of the user's desktop.

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

// ErrNoDesktop is returned if this machine seems to have no screen.
var ErrNoDesktop = errors.New("there is no desktop")

// patience is how long to wait for a command that opens something to fail. After that it counts as
// having started the program.
const patience = 5 * time.Second

// OpenOnDesktop opens a URL or a file with the desktop's default program. A file that the desktop
// considers a program is run, so call it only for documents of known kinds.
func OpenOnDesktop(ctx context.Context, target string) error {
	switch runtime.GOOS {
	case "darwin":
		if strings.HasPrefix(target, "http") {
			return openURLOnMac(ctx, target)
		}
		return startCommand(ctx, "open", target)
	case "windows": // not with cmd, which interprets & and %
		return startCommand(ctx, "rundll32", "url.dll,FileProtocolHandler", target)
	}
	return openByXDG(ctx, target)
}

// RevealOnDesktop shows a file in the desktop's file manager.
func RevealOnDesktop(ctx context.Context, file string) error {
	switch runtime.GOOS {
	case "darwin":
		return startCommand(ctx, "open", "-R", file)
	case "windows":
		err := startCommand(ctx, "explorer", "/select,"+file)
		if errors.As(err, new(*exec.ExitError)) { // its exit code is 1 on success
			return nil
		}
		return err
	}
	return openByXDG(ctx, filepath.Dir(file))
}

// openByXDG opens something on systems whose desktops share xdg-open. Without a screen xdg-open
// would run a browser in the terminal, or nothing.
func openByXDG(ctx context.Context, target string) error {
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return ErrNoDesktop
	}
	return startCommand(ctx, "xdg-open", target)
}

// openURLOnMac opens a URL on macOS. The URL may be secret, and all users can see the arguments of
// programs, so it is passed through stdin.
func openURLOnMac(ctx context.Context, url string) error {
	c := exec.Command("osascript")
	c.Stdin = strings.NewReader("open location " + strconv.Quote(url))
	return awaitEarlyEnd(ctx, c)
}

// startCommand starts a command, and returns an error if it fails within a short time. The command
// may continue to run.
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
