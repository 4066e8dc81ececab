package archive

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

const (
	recipes = " 0123456789abcdef0123456789abcdef"
	salt    = " fedcba9876543210fedcba9876543210"
)

func TestNotionExport(t *testing.T) {
	first := extracttest.Zip(t,
		"Recipes"+recipes+".md", "# Recipes", "Recipes"+recipes+"/Salt"+salt+".md", "# Salt",
		"Recipes"+recipes+"/List"+salt+".csv", "Name\n", "Recipes"+recipes+"/List"+salt+"_all.csv", "Name\nSalt\n",
		"scan 0123456789.pdf", "", "deeper-Part-1.zip", string(extracttest.Zip(t, "a.txt", "deep")))
	second := extracttest.Zip(t, "Export-01234567-0123-0123-0123-0123456789ab/Recipes"+salt+".md", "# Recipes too")
	a := open(t, extracttest.Zip(t, "ExportBlock-1-Part-1.zip", string(first), "ExportBlock-1-Part-2.zip", string(second), "other.zip", string(second)))
	want := "Recipes.md | Recipes (2).md | Recipes/List_all.csv | Recipes/Salt.md | deeper-Part-1.zip | other.zip | scan 0123456789.pdf"
	if got := a.names(); got != want || !a.IsNotionExport {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if content, err := a.Read(&a.Members[2]); string(content) != "Name\nSalt\n" || err != nil {
		t.Errorf("%q, %v", content, err)
	}
}

// TestOtherExport checks that names in an archive that is not from Notion are not changed.
func TestOtherExport(t *testing.T) {
	a := open(t, extracttest.Zip(t, "doses.csv", "", "doses_all.csv", "", "0123456789abcdef0123456789abcdef.md", ""))
	if want := "0123456789abcdef0123456789abcdef.md | doses.csv | doses_all.csv"; a.names() != want || a.IsNotionExport {
		t.Errorf("got %s", a.names())
	}
}

func TestRemovePageIDs(t *testing.T) {
	const text = "[Salt](Recipes%200123456789abcdef0123456789abcdef/Salt%20fedcba9876543210fedcba9876543210.md), [a](https://www.notion.so/Salt-fedcba9876543210fedcba9876543210?pvs=21) 100%20"
	if got, want := RemoveNotionPageIDs(text), "[Salt](Recipes/Salt.md), [a](https://www.notion.so/Salt?pvs=21) 100%20"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestHostileParts checks that a nested archive that cannot be unpacked is skipped with a reason
// and does not affect the others.
func TestHostileParts(t *testing.T) {
	var many []string
	for i := range extract.MaxArchiveEntries {
		many = append(many, fmt.Sprint(i), "")
	}
	a := open(t, extracttest.Zip(t, "a-Part-1.zip", "PK\x03\x04cut", "b-Part-1.zip", string(extracttest.Zip(t, many...)), "c-Part-1.zip", string(extracttest.Zip(t, "good.md", "words")),
		"d-Part-1.zip", strings.Repeat("\x00", 8<<20), "e-Part-1.zip", ""))
	if want := "a-Part-1.zip | b-Part-1.zip | d-Part-1.zip | e-Part-1.zip | good.md"; a.names() != want {
		t.Fatalf("got %s", a.names())
	}
	for i, want := range []string{extract.ErrDamagedZip.Error(), extract.ErrTooManyFiles.Error(), errRatio.Error(), extract.ErrDamagedZip.Error()} {
		_, err := a.Read(&a.Members[i])
		extracttest.WantSkip(t, err, want)
		extracttest.WantSkip(t, a.Members[i].CheckReadable(), want)
	}
}
