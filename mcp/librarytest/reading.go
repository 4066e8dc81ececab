package librarytest

import (
	"errors"
	"path/filepath"
	"strings"

	"vademecum/docs"
	"vademecum/docs/extract/extracttest"
	"vademecum/index"
)

// testShowPage checks that pages of documents can be shown, whether these are indexed or not, and
// that documents without pages are refused.
func testShowPage(k *fixture) {
	k.write("scan.pdf", string(extracttest.PDF("", "0 0 1 rg 100 500 300 200 re f")))
	k.sync()
	shown, err := index.Ask(k.Context(), k.library, index.PageImageQuery{Ref: "scan.pdf", MaxBytes: 20_000})
	if err != nil || shown.Path != "scan.pdf" || shown.Place.String() != "page 1" || len(shown.JPEG) == 0 || len(shown.JPEG) > 20_000 {
		k.Errorf("a scan is shown as %s %s in %d bytes, %v", shown.Path, shown.Place, len(shown.JPEG), err)
	}
	for _, ref := range []string{"asthma.md", "none.pdf", "../scan.pdf"} {
		if shown, err := index.Ask(k.Context(), k.library, index.PageImageQuery{Ref: ref, MaxBytes: 20_000}); err == nil {
			k.Errorf("%s is shown in %d bytes", ref, len(shown.JPEG))
		}
	}
}

func testRead(k *fixture) {
	k.sync()
	const whole = "# Asthma\n\nAn inhaler opens the bronchi.\n"
	file := filepath.Join(k.dir, "asthma.md")
	for _, r := range []struct {
		index.ReadQuery
		want string
	}{
		{index.ReadQuery{Ref: "asthma.md"}, whole},
		{index.ReadQuery{Ref: file}, whole},
		{index.ReadQuery{Ref: docs.FileURI(file)}, whole},
		{index.ReadQuery{Ref: "asthma.md", StartLine: 3}, "An inhaler opens the bronchi."},
		{index.ReadQuery{Ref: "asthma.md", EndLine: 1}, "# Asthma"},
		{index.ReadQuery{Ref: "asthma.md", StartLine: 2, EndLine: 3}, "\nAn inhaler opens the bronchi."},
		{index.ReadQuery{Ref: "asthma.md#line=2,3"}, "An inhaler opens the bronchi."},
		{index.ReadQuery{Ref: docs.FileURI(file) + "#line=0,1"}, "# Asthma"},
	} {
		part := k.read(r.ReadQuery)
		if strings.TrimSuffix(part.Text, "\n") != strings.TrimSuffix(r.want, "\n") || part.Path != "asthma.md" || part.RestURI != "" {
			k.Errorf("%+v reads %+v, want %q", r.ReadQuery, part, r.want)
		}
		if again := k.read(index.ReadQuery{Ref: part.URI}); again.Text != part.Text {
			k.Errorf("%+v: its uri %s reads %q, want %q", r.ReadQuery, part.URI, again.Text, part.Text)
		}
	}
	part := k.read(index.ReadQuery{Ref: "asthma.md"})
	if part.Document.URI != docs.FileURI(file) || part.Title != "Asthma" || part.TextMIME != "text/markdown" || part.Size != int64(len(whole)) || part.Modified.IsZero() {
		k.Errorf("it is %+v", part.Document)
	}
}

// testBudget checks that a document is read in parts that fit a budget.
func testBudget(k *fixture) {
	k.sync()
	all := k.read(index.ReadQuery{Ref: "long.txt"})
	r := index.Budget{Characters: 1000, Bytes: 1000}
	var read []string
	next := 1
	for ref := "long.txt"; ref != ""; {
		part := k.read(index.ReadQuery{Ref: ref, Budget: r})
		if part.Text == "" || r.FittingBytes(part.Text) != len(part.Text) || part.StartLine != next {
			k.Fatalf("from line %d on it reads lines %d to %d, %d bytes", next, part.StartLine, part.EndLine, len(part.Text))
		}
		read = append(read, strings.TrimSuffix(part.Text, "\n"))
		next, ref = part.EndLine+1, part.RestURI
	}
	if strings.Join(read, "\n") != strings.TrimSuffix(all.Text, "\n") || len(read) < 5 {
		k.Errorf("%d parts do not make up the whole", len(read))
	}
	if part := k.read(index.ReadQuery{Ref: "asthma.md", Budget: r}); part.RestURI != "" {
		k.Errorf("of a document that fits there is the rest %s", part.RestURI)
	}
}

func testNotFound(k *fixture) {
	k.sync()
	for _, ref := range []string{"none.md", docs.FileURI(filepath.Join(k.dir, "none.md")), "vademecum:text/0000000000000000"} {
		if _, err := index.Ask(k.Context(), k.library, index.ReadQuery{Ref: ref}); !errors.Is(err, index.ErrNotFound) {
			k.Errorf("%s: error %v, want one that matches ErrNotFound", ref, err)
		}
	}
}
