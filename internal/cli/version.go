package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (p *program) version() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return mistake("", "version takes no argument, got %q", args[0])
			}
			var settings []debug.BuildSetting
			if built, ok := debug.ReadBuildInfo(); ok {
				settings = built.Settings
			}
			fmt.Fprintf(&p.out, "vademecum %s%s\n", p.release, commitOf(settings))
			return nil
		},
	}
}

// commitOf says of which commit a program was built, "" where the build had no
// repository to look at.
func commitOf(settings []debug.BuildSetting) string {
	of := make(map[string]string)
	for _, s := range settings {
		of[s.Key] = s.Value
	}
	commit, day := of["vcs.revision"], of["vcs.time"]
	if commit == "" {
		return ""
	}
	said := " (commit " + commit[:min(12, len(commit))]
	if len(day) >= len("2006-01-02") {
		said += " of " + day[:len("2006-01-02")]
	}
	if of["vcs.modified"] == "true" {
		said += ", changed since"
	}
	return said + ")"
}
