package formats

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/internal/app/manual/manualtest"
	"vademecum/internal/base/message"
)

// TestManual checks that the manual lists exactly the formats that are read.
func TestManual(t *testing.T) {
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		var listed []string
		for _, row := range manualtest.TableRows(t, "formats", l, 0) {
			listed = append(listed, manualtest.CodeSpans(row[1])...)
		}
		manualtest.RequireSameNames(t, "extension", listed, slices.AppendSeq(slices.Collect(maps.Keys(byExtension)), maps.Keys(pictures)))

		code := manualtest.AllCode(t, "formats", l)
		for _, span := range code {
			if strings.HasPrefix(span, ".") && !strings.HasSuffix(span, "ignore") && byExtension[span] == nil && oldFormats()[span] == "" && !IsPicture(span) {
				t.Errorf("%s is neither read nor an old format", span)
			}
		}
		if !slices.Contains(code, extract.ErrPasswordProtected.Error()) {
			t.Errorf("the manual does not say %q", extract.ErrPasswordProtected.Error())
		}
	})
}
