package index

import (
	"bytes"
	"crypto/sha256"
	"image"
	"image/color"
	"image/png"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/extract/extracttest"
	"vademecum/docs/ocr"
	"vademecum/docs/ocr/ocrtest"
	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/sync"
)

// TestRecognise: what was recognised is found by its page, which can be seen, and the report of
// the run before has what came of it.
func TestRecognise(t *testing.T) {
	t.Parallel()
	var photo bytes.Buffer
	if err := png.Encode(&photo, image.NewGray(image.Rect(0, 0, 2500, 600))); err != nil {
		t.Fatal(err)
	}
	n := indextest.NewNotesFolder(t, map[string]string{
		"a.md": "alpha", "scan.pdf": string(extracttest.PDF("", extracttest.PDFScan(10), extracttest.PDFScan(20))), "photo.png": photo.String(), "icon.gif": "no picture",
	})
	o := Options{
		Folders: []string{n.Dir}, IndexPaths: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: indextest.NewCountingModel(t), Logger: indextest.QuietLog,
		Recogniser: ocr.New(ocr.Options{Program: ocrtest.Program(t, ocrtest.Working), PagesDir: t.TempDir()}),
	}
	opened := func() *Index {
		ix, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = ix.Close() })
		return ix
	}
	ix := opened()
	if err := ix.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	report := mustSync(t, ix, sync.Scope{})
	if len(report.Skipped) != 3 {
		t.Fatalf("before, the report is %+v", report)
	}
	if s := ix.syncer.Freshness().PagesToRecognise(); s.Left != 3 {
		t.Errorf("before, %d pages are left", s.Left)
	}
	isUnknown := func(n notice.Note) bool {
		return n.Kind == notice.UnknownWords || n.Kind == notice.QuestionSubjectNotFound
	}
	notes := mustSearch(t, ix, Query{Text: "zanzibar"}).Notes
	if i := slices.IndexFunc(notes, isUnknown); i < 0 || !notes[i].MayBeIncomplete {
		t.Errorf("before, a word that may be in a scan is nowhere: %+v", notes)
	}
	if o, err := ix.Overview(t.Context()); err != nil || len(o.Skipped) != 3 || o.Skipped[2].Reason != waiting || o.PagesToRecognise+o.PicturesToRecognise != 3 {
		t.Errorf("before, the status is %+v, %v", o.Status, err)
	}
	if s, err := opened().Status(t.Context()); err != nil || len(s.Skipped) != 3 || s.Skipped[2].Reason != waiting {
		t.Errorf("before, another process tells %+v, %v", s.Skipped, err)
	}
	if a := mustSearch(t, ix, Query{Text: "what is on scan.pdf"}); len(a.Notes) == 0 || a.Notes[0].Kind != notice.NamedFileNotIndexed || a.Notes[0].Why != waiting {
		t.Errorf("a question that names a scan has the notes %v", a.Notes)
	}
	if a := mustSearch(t, ix, Query{Text: "Metoprolol", Filter: Filter{Path: "scan.pdf"}}); !slices.ContainsFunc(a.Notes, func(n notice.Note) bool {
		return n.Kind == notice.NamedFileNotIndexed && n.Path == "scan.pdf" && n.Why == waiting
	}) {
		t.Errorf("a question within a scan has the notes %v", a.Notes)
	}
	if err := ix.Recognise(t.Context(), &report); err != nil {
		t.Fatal(err)
	}
	if s := ix.syncer.Freshness().PagesToRecognise(); s.Left != 0 {
		t.Errorf("in the end %d pages are left", s.Left)
	}
	if report.Indexed != 3 || report.SearchableDocuments != 3 || len(report.Skipped) != 1 || !strings.Contains(report.Skipped[0].Reason.String(), "damaged") {
		t.Errorf("the report is %+v", report)
	}
	if o, err := ix.Overview(t.Context()); err != nil || o.RecognisedDocuments != 2 || len(o.PartlyRead) != 0 || o.PagesToRecognise+o.PicturesToRecognise != 0 {
		t.Errorf("the status is %+v, %v", o.Status, err)
	}
	found := make(map[string]bool)
	for _, p := range mustSearch(t, ix, Query{Text: "Metoprolol", TopK: 5}).Passages {
		found[p.URI[strings.LastIndexByte(p.URI, '/')+1:]] = true
		picture, err := ix.DrawPage(t.Context(), PageDrawingQuery{Ref: p.URI, Words: NewHighlightWords("Metoprolol")})
		if err != nil {
			t.Fatalf("%s: %v", p.URI, err)
		}
		look, err := png.Decode(bytes.NewReader(picture))
		if err != nil || max(look.Bounds().Dx(), look.Bounds().Dy()) > 1600 {
			t.Fatalf("%s looks like %v, %v", p.URI, look.Bounds(), err)
		}
		const scanned = 2500 // pixels across, of all of them
		word, marked := ocrtest.WorkingWordBox, underlined(look)
		inShown := func(n int) int { return n * look.Bounds().Dx() / scanned }
		below := image.Rect(inShown(word.Min.X), inShown(word.Max.Y), inShown(word.Max.X), inShown(word.Max.Y)+8)
		if around := image.Rect(below.Min.X-8, below.Min.Y, below.Max.X+8, below.Max.Y); !marked.In(around) || marked.Dx() < below.Dx() {
			t.Errorf("%s is underlined at %v, want %v", p.URI, marked, below)
		}
	}
	for _, want := range []string{"scan.pdf#page=1&L1-3", "photo.png#page=1"} { // the pages of the scan have two words each
		if !found[want] {
			t.Errorf("%s is not found, but %v", want, found)
		}
	}
}

// underlined returns where marks on a picture have their lines.
func underlined(picture image.Image) (at image.Rectangle) {
	line := color.RGBA{0xE0, 0x7B, 0, 0xFF}
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			if picture.At(x, y) == color.Color(line) {
				at = at.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return at
}

// TestRecognisedInPart: a document counts as recognised while another page of it waits.
func TestRecognisedInPart(t *testing.T) {
	t.Parallel()
	scan := extracttest.PDF("", extracttest.PDFScan(10), extracttest.PDFScan(20))
	n := indextest.NewNotesFolder(t, map[string]string{"scan.pdf": string(scan)})
	recogniser := ocr.New(ocr.Options{Program: ocrtest.Program(t, ocrtest.Working), PagesDir: t.TempDir()})
	indextest.Must(t, recogniser.Open(t.Context()))
	indextest.Must(t, recogniser.Save(t.Context(), sha256.Sum256(scan), 1, ocr.Page{Text: "Metoprolol", ConfidencePercent: 95}))
	ix, err := New(Options{
		Folders: []string{n.Dir}, IndexPaths: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: indextest.NewCountingModel(t), Logger: indextest.QuietLog, Recogniser: recogniser,
	})
	indextest.Must(t, err)
	t.Cleanup(func() { _ = ix.Close() })
	indextest.Must(t, ix.Load(t.Context()))
	mustSync(t, ix, sync.Scope{})
	if o, err := ix.Overview(t.Context()); err != nil || o.RecognisedDocuments != 1 || o.PagesToRecognise != 1 {
		t.Errorf("the status is %+v, %v", o.Status, err)
	}
}
