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
				return usageErrorf("version takes no argument, got %q", args[0])
			}
			var settings []debug.BuildSetting
			if info, ok := debug.ReadBuildInfo(); ok {
				settings = info.Settings
			}
			fmt.Fprintf(&p.out, "vademecum %s%s\n", p.release, commitText(settings))
			return nil
		},
	}
}

// commitText returns the commit from which the program was built; "" if it was not built in a
// repository.
func commitText(settings []debug.BuildSetting) string {
	commit := buildSetting(settings, "vcs.revision")
	if commit == "" {
		return ""
	}
	said := " (commit " + commit[:min(12, len(commit))]
	if day := commitDay(settings); day != "" {
		said += " of " + day
	}
	if buildSetting(settings, "vcs.modified") == "true" {
		said += ", changed since"
	}
	return said + ")"
}

// commitDay returns the day of the commit; "" if it is unknown.
func commitDay(settings []debug.BuildSetting) string {
	day, _, _ := strings.Cut(buildSetting(settings, "vcs.time"), "T")
	return day
}

// buildSetting returns the value of a build setting; "" if it is not set.
func buildSetting(settings []debug.BuildSetting, key string) string {
	for _, s := range settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
