package index

import (
	"testing"

	"vademecum/docs/extract/extracttest"
	"vademecum/index/indextest"
	"vademecum/index/syncer"
)

// TestFileStandsBeforeItsCopyInAnArchive: wherever the archive lies and however its members are
// called, the file itself is shown, with the place of the copy.
func TestFileStandsBeforeItsCopyInAnArchive(t *testing.T) {
	const text = "# Snake bite\n\nImmobilise the limb with a pressure bandage, note the time of the bite, and give antivenom only on signs of envenomation.\n"
	raw := extracttest.Zip(t, "a.md", "# Tides\n\nThe sea comes and goes twice a day.\n", "protocols/snake bite.md", text)
	n := indextest.NewNotesFolder(t, map[string]string{"a.zip": string(raw), "Archive/long name of a ward/snake bite.md": text})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, syncer.Scope{})
	for _, question := range []string{"pressure bandage antivenom", "snake bite protocols"} {
		found := mustSearch(t, ix, Query{Text: question}).Passages
		if len(found) == 0 || found[0].Path != "Archive/long name of a ward/snake bite.md" {
			t.Fatalf("%q: %+v", question, found)
		}
		first := found[0]
		if len(first.Copies) != 1 || first.Copies[0].Path != "a.zip" || first.Copies[0].At.String() != "chapter 2 (protocols/snake bite.md)" || len(first.Near) != 0 {
			t.Errorf("%q: the same text in %v, in part in %v", question, first.Copies, first.Near)
		}
	}
}
