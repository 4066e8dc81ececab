package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// examples are the files that say how the program is started for a shared library, and how
// its commands stand in them.
var examples = map[string]*regexp.Regexp{
	"compose.yaml": regexp.MustCompile(`(?m)^ *command: \[(.*)\]$`),
	"store.conf":   regexp.MustCompile(`(?m)^(?:ExecStart=/usr/bin/|# .*PGPASSWORD=… )vademecum (.*)$`),
}

// TestSharedExamples: the program takes the commands and flags of the examples.
func TestSharedExamples(t *testing.T) {
	t.Parallel()
	for name, pattern := range examples {
		content, err := os.ReadFile(filepath.Join(repository, ".packaging", "shared", name))
		if err != nil {
			t.Fatal(err)
		}
		found := pattern.FindAllStringSubmatch(string(content), -1)
		if len(found) < 2 {
			t.Errorf("%s has %d commands", name, len(found))
		}
		for _, m := range found {
			args := strings.FieldsFunc(m[1], func(r rune) bool { return strings.ContainsRune(`", `, r) })
			if !slices.Contains(args, "serve") && !slices.Contains(args, "migrate") {
				t.Errorf("%s: no command is seen in %s", name, m[1])
			}
			if out, err := vademecum(t, append(args, "--help")...).CombinedOutput(); err != nil { // what stands before is looked at first
				t.Errorf("%s: %s: %s %v", name, m[1], out, err)
			}
		}
	}
}
