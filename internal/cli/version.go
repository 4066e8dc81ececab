package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func (p *program) version() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return newUsageError("", "version takes no argument, got %q", args[0])
			}
			var settings []debug.BuildSetting
			if info, ok := debug.ReadBuildInfo(); ok {
				settings = info.Settings
			}
			fmt.Fprintf(&p.out, "vademecum %s%s\n", p.release, commitOf(settings))
			return nil
		},
	}
}

// commitOf says of which commit a program was built, "" where the build had no
// repository to look at.
func commitOf(settings []debug.BuildSetting) string {
	commit := built(settings, "vcs.revision")
	if commit == "" {
		return ""
	}
	said := " (commit " + commit[:min(12, len(commit))]
	if day := dayOf(settings); day != "" {
		said += " of " + day
	}
	if built(settings, "vcs.modified") == "true" {
		said += ", changed since"
	}
	return said + ")"
}

// dayOf is the day of the commit, "" where it is not known.
func dayOf(settings []debug.BuildSetting) string {
	day, _, _ := strings.Cut(built(settings, "vcs.time"), "T")
	return day
}

// built is what the compiler was set to.
func built(settings []debug.BuildSetting, key string) string {
	for _, s := range settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
