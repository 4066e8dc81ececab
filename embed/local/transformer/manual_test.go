package transformer

import (
	"regexp"
	"strings"
	"testing"

	"vademecum/internal/app/manual"
	"vademecum/internal/app/manual/manualtest"
	"vademecum/internal/base/message"
)

// architectures finds the sentence of the manual that lists them.
var architectures = regexp.MustCompile(`(?:The supported architectures are |可用的架构是 )(.+?)(?:, with weights|，)`)

// TestManual holds the manual to the architectures that Parse takes.
func TestManual(t *testing.T) {
	divide := func(list string) []string {
		return regexp.MustCompile(`, | and | 和 |、`).Split(strings.ToLower(list), -1)
	}
	known := divide(supportedArchitectures)
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		found := architectures.FindSubmatch(manual.Markdown("models", l))
		if found == nil {
			t.Fatal("the manual lists no architectures")
		}
		manualtest.RequireSameNames(t, "architecture", divide(string(found[1])), known)
	})
	for _, name := range known {
		if _, err := Parse([]byte(`{"model_type": "` + name + `"}`)); err == nil || strings.Contains(err.Error(), supportedArchitectures) {
			t.Errorf("%s is refused for its architecture: %v", name, err)
		}
	}
}
