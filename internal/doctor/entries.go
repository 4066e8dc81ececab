package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"vademecum/internal/hosts"
	"vademecum/internal/present"
)

// entries tells of each host that was found whether it starts the program, and whether
// what it would start is there.
func (s *examination) entries(ctx context.Context, tell func(Finding)) {
	if s.Machine.Home == "" {
		return
	}
	var without []string
	for _, h := range hosts.All {
		if h.File(s.Machine) == "" || !h.IsHere(s.Machine) {
			continue
		}
		all, err := h.Installed(s.Machine, s.Name)
		switch {
		case err != nil:
			tell(Finding{Fault, "host", fmt.Sprintf("%s: %s", h.Title, present.Message(err)), "correct the file: the host reads nothing of it as it is"})
		case len(all) == 0:
			without = append(without, h.Title)
		}
		for _, e := range all {
			tell(s.entry(ctx, h, e))
		}
	}
	if len(without) > 0 {
		tell(Finding{OK, "host", "found without this program: " + strings.Join(without, ", ") + "; vademecum install adds it", ""})
	}
}

// entry tells what a host would meet that starts what stands in its file.
func (s *examination) entry(ctx context.Context, h hosts.Host, e hosts.Installed) Finding {
	f := Finding{OK, "host", fmt.Sprintf("%s starts %q", h.Title, present.Line(e.Name)), ""}
	again := fmt.Sprintf("vademecum install %s FOLDER writes it anew", h.Name)
	if e.URL != "" {
		f.Says = fmt.Sprintf("%s reaches %q by its URL", h.Title, present.Line(e.Name))
		return f
	}
	fault := func(format string, args ...any) Finding {
		return Finding{Fault, "host", fmt.Sprintf("%s, entry %q: ", h.Title, present.Line(e.Name)) + fmt.Sprintf(format, args...), again}
	}
	switch info, err := os.Stat(e.Program); {
	case !filepath.IsAbs(e.Program):
		f = fault("%s is no full path: the host may not find it", present.Name(e.Program))
		f.Level = Warning
		return f
	case errors.Is(err, os.ErrNotExist):
		return fault("%s is not there", present.Name(e.Program))
	case err != nil:
		return fault("%s cannot be started: %v", present.Name(e.Program), err)
	case info.IsDir():
		return fault("%s is a folder", present.Name(e.Program))
	}
	if missing := missingFolder(e.Args); missing != "" {
		return fault("no such folder: %s", present.Name(missing))
	}
	version, err := versionOf(ctx, e.Program)
	if err != nil {
		return fault("%s does not start: %v", present.Name(e.Program), err)
	}
	if version != s.Version {
		f.Level, f.Says, f.Advice = Warning, f.Says+fmt.Sprintf(" by %s, version %s; this is %s", present.Name(e.Program), present.Line(version), s.Version), again
	}
	return f
}

// missingFolder is the first argument that is a path of what is not a folder, of a
// server's.
func missingFolder(args []string) string {
	if len(args) > 0 && args[0] == "connect" { // it may name a file
		return ""
	}
	for _, arg := range args {
		if !filepath.IsAbs(arg) {
			continue // a flag, its value, or the command
		}
		if info, err := os.Stat(arg); err != nil || !info.IsDir() && !strings.HasSuffix(arg, ".db") {
			return arg
		}
	}
	return ""
}

const versionLimit = 5 * time.Second

// versionOf asks a program for its version.
func versionOf(ctx context.Context, program string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionLimit)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, "version").Output()
	if err != nil {
		return "", err
	}
	said, found := strings.CutPrefix(strings.TrimSpace(string(out)), "vademecum ")
	if !found {
		return "", errors.New("it is another program")
	}
	version, _, _ := strings.Cut(said, " ") // the commit follows
	return version, nil
}
