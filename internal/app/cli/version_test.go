package cli

import (
	"runtime/debug"
	"testing"
)

func TestCommitOf(t *testing.T) {
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "a450dbf0d62e4aadd96f1c0dd0d1d3e9d3f6ee01"}
	time := debug.BuildSetting{Key: "vcs.time", Value: "2026-11-22T14:55:36Z"}
	modified := func(v string) debug.BuildSetting { return debug.BuildSetting{Key: "vcs.modified", Value: v} }
	for _, c := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{nil, ""},
		{[]debug.BuildSetting{modified("true")}, ""},
		{[]debug.BuildSetting{revision, time, modified("false")}, " (commit a450dbf0d62e of 2026-11-22)"},
		{[]debug.BuildSetting{revision, time, modified("true")}, " (commit a450dbf0d62e of 2026-11-22, changed since)"},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: "17"}}, " (commit 17)"},
	} {
		if got := commitText(c.settings); got != c.want {
			t.Errorf("commitOf(%v) = %q, want %q", c.settings, got, c.want)
		}
	}
}
