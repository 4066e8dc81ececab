package sync_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vademecum/docs"
	"vademecum/docs/extract/extracttest"
	"vademecum/docs/ocr"
	"vademecum/docs/ocr/ocrtest"
	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/search"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// scan is a PDF whose pages are pictures, each of another shade.
func scan(shades ...int) string {
	var pages []string
	for _, shade := range shades {
		pages = append(pages, extracttest.PDFScan(shade))
	}
	return string(extracttest.PDF("", pages...))
}

func picture(t *testing.T, width, height int) string {
	t.Helper()
	var out bytes.Buffer
	indextest.Must(t, png.Encode(&out, image.NewGray(image.Rect(0, 0, width, height))))
	return out.String()
}

// open opens a folder, and brings its index up to date, where text is recognised by a
// program that keeps its pages in a place.
func open(t *testing.T, dir, program, kept string) *sync.Syncer {
	t.Helper()
	k := syncertest.NewLoaded(t, syncertest.Options{
		Folders: []string{dir}, Files: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: indextest.NewCountingModel(t),
		Recogniser: ocr.New(ocr.Options{Program: program, PagesDir: kept}),
	})
	syncertest.MustSync(t, k, sync.Scope{})
	return k
}

func finish(t *testing.T, k *sync.Syncer) {
	t.Helper()
	_, err := k.Recognition.RecogniseNow(t.Context())
	indextest.Must(t, err)
}

func document(t *testing.T, k *sync.Syncer, path string) *search.Document {
	t.Helper()
	d, ok := k.Store.Document(search.Location{Path: path})
	if !ok {
		t.Fatalf("there is no %s", path)
	}
	return d
}

// skipShort skips a test in which one goroutine does the work: where races are looked for it
// finds none, and each page takes a second.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine does the work")
	}
}

// TestRecognise: scanned pages and pictures are documents once they were recognised, and stay so.
func TestRecognise(t *testing.T) {
	t.Parallel()
	skipShort(t)
	n := indextest.NewNotesFolder(t, map[string]string{
		"a.md": "alpha", "scan.pdf": scan(10, 20), "photo.png": picture(t, 500, 600), "icon.png": picture(t, 64, 64), "broken.jpg": "no picture",
		"some.pdf": string(extracttest.PDF("", extracttest.PDFLines("The cover of a letter."), extracttest.PDFScan(30))),
		"fax.tif":  string(extracttest.TIFF(binary.BigEndian, extracttest.TIFFPage{Picture: image.NewGray(image.Rect(0, 0, 500, 700))}, extracttest.TIFFPage{Picture: image.NewGray(image.Rect(0, 0, 500, 800))})),
	})
	program := ocrtest.Program(t, ocrtest.Working)
	k := open(t, n.Dir, program, t.TempDir())
	if d := document(t, k, "scan.pdf"); d.SkipReason.String() != "scanned PDF: no text layer" || docs.CountUnrecognisedPages(d.ExtractionNote, d.SkipReason) != 2 {
		t.Errorf("before, it says %q", d.SkipReason)
	}
	for _, path := range []string{"icon.png", "broken.jpg"} {
		if d := document(t, k, path); docs.CountUnrecognisedPages(d.ExtractionNote, d.SkipReason) != 0 {
			t.Errorf("%s waits, though its header tells that there is no text: %q", path, d.SkipReason)
		}
	}
	finish(t, k)
	for path, want := range map[string]string{
		"a.md":       "",
		"scan.pdf":   "the text of 2 pages was recognised from their pictures (about 96 % sure)",
		"some.pdf":   "the text of 1 page was recognised from its picture (about 96 % sure)",
		"photo.png":  "the text of 1 page was recognised from its picture (about 96 % sure)",
		"fax.tif":    "the text of 2 pages was recognised from their pictures (about 96 % sure)",
		"icon.png":   "too small to contain a page of text",
		"broken.jpg": "the picture is damaged or of an unsupported type",
	} {
		d := document(t, k, path)
		if got := d.ExtractionNote.String() + d.SkipReason.String(); got != want || docs.CountUnrecognisedPages(d.ExtractionNote, d.SkipReason) != 0 {
			t.Errorf("%s says %q, want %q", path, got, want)
		}
	}
	read := ocrtest.Read(t, program)
	if len(read) != 6 {
		t.Errorf("it read %v", read)
	}
	body, _, err := k.Store.Body(t.Context(), document(t, k, "scan.pdf"))
	if want := "Metoprolol " + read[0] + "\n\nMetoprolol " + read[1] + "\n"; err != nil || body.Text != want || len(body.Parts) != 2 || body.Parts[1].Number != 2 {
		t.Errorf("the text is %q in %v, %v, want %q", body.Text, body.Parts, err, want)
	}
	for _, scope := range []sync.Scope{{}, {Paths: []string{"photo.png"}}, {Force: true}} {
		syncertest.MustSync(t, k, scope)
		finish(t, k)
		if d := document(t, k, "photo.png"); d.SkipReason != "" {
			t.Errorf("after %+v, the picture says %s", scope, d.SkipReason)
		}
	}
	n.Rename("photo.png", "renamed.png")
	n.Write("copy.pdf", scan(10, 20))
	syncertest.MustSync(t, k, sync.Scope{})
	finish(t, k)
	if a, b := document(t, k, "renamed.png"), document(t, k, "copy.pdf"); a.SkipReason != "" || b.SkipReason != "" {
		t.Errorf("of the same content, they say %q and %q", a.SkipReason, b.SkipReason)
	}
	if again := ocrtest.Read(t, program); len(again) != len(read) {
		t.Errorf("it read %d pages, then %d", len(read), len(again))
	}
}

// TestGoesOn: what was recognised before the end of a process is not recognised again, and
// nothing is left out.
func TestGoesOn(t *testing.T) {
	t.Parallel()
	skipShort(t)
	n := indextest.NewNotesFolder(t, map[string]string{"scan.pdf": scan(10, 20, 30, 40)})
	program, kept := ocrtest.Program(t, ocrtest.Working), t.TempDir()
	k := open(t, n.Dir, program, kept)
	errEnded := errors.New("ended")
	pages := 0
	_, err := k.Recognition.All(t.Context(), func(context.Context) error {
		if pages++; pages > 3 { // it is called once before any page
			return errEnded
		}
		return nil
	})
	if d := document(t, k, "scan.pdf"); err != nil && !errors.Is(err, errEnded) || d.SkipReason == "" || len(ocrtest.Read(t, program)) != 2 {
		t.Fatalf("it read %v, says %q, %v", ocrtest.Read(t, program), d.SkipReason, err)
	}
	k = open(t, n.Dir, program, kept)
	finish(t, k)
	read := ocrtest.Read(t, program)
	if slices.Sort(read); len(read) != 4 || len(slices.Compact(read)) != 4 {
		t.Errorf("it read %v", read)
	}
	if d := document(t, k, "scan.pdf"); d.SkipReason != "" || d.CountChunks() == 0 {
		t.Errorf("it says %q", d.SkipReason)
	}
	if s := k.State().PagesToRecognise; s.Left != 0 { // of which two had been recognised before
		t.Errorf("in the end %d pages are left", s.Left)
	}
}

// TestProgramThatGoesAway: what was recognised of a document before the program fails can be found.
func TestProgramThatGoesAway(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"scan.pdf": scan(10, 20, 30)})
	program := ocrtest.Program(t, ocrtest.Working)
	k := open(t, n.Dir, program, t.TempDir())
	calls := 0
	done, err := k.Recognition.All(t.Context(), func(context.Context) error {
		if calls++; calls == 4 { // before the third page
			return os.Remove(program)
		}
		return nil
	})
	d := document(t, k, "scan.pdf")
	if err == nil || len(done) != 1 || d.SkipReason != "" || docs.CountUnrecognisedPages(d.ExtractionNote, d.SkipReason) != 1 {
		t.Errorf("of %d documents, it says %q, %q, %v", len(done), d.ExtractionNote, d.SkipReason, err)
	}
}

// TestReplacedScan: the pages of a file are given up that another one has replaced meanwhile.
func TestReplacedScan(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"scan.pdf": scan(10, 20, 30, 40)})
	program := ocrtest.Program(t, ocrtest.Working)
	k := open(t, n.Dir, program, t.TempDir())
	calls := 0
	_, err := k.Recognition.All(t.Context(), func(context.Context) error {
		if calls++; calls == 3 { // before the second page
			n.Write("scan.pdf", scan(50))
			syncertest.MustSync(t, k, sync.Scope{})
		}
		return nil
	})
	indextest.Must(t, err)
	if read := ocrtest.Read(t, program); len(read) != 1 {
		t.Errorf("it read %v, want one page of the first file", read)
	}
	finish(t, k)
	if d, read := document(t, k, "scan.pdf"), ocrtest.Read(t, program); d.SkipReason != "" || len(read) != 2 {
		t.Errorf("in the end it says %q, and read %v", d.SkipReason, read)
	}
}

// TestGivenUpPagesDoNotWait: pages that are not tried again are none that answers wait for.
func TestGivenUpPagesDoNotWait(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"scan.pdf": scan(10)})
	k := open(t, n.Dir, ocrtest.Program(t, ocrtest.Working), t.TempDir())
	n.Remove("scan.pdf") // which the index does not know yet
	finish(t, k)
	if s := k.Freshness().PagesToRecognise(); s.Left != 0 || s.GivenUp != 1 {
		t.Errorf("it waits for %+v", s)
	}
}

// TestBusyMachine: a document for which the machine was too busy waits, and is tried again after a
// while.
func TestBusyMachine(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"scan.pdf": scan(10)})
	k := open(t, n.Dir, ocrtest.Program(t, ocrtest.Working), t.TempDir())
	r, d := k.Recognition, document(t, k, "scan.pdf")
	for _, step := range []struct {
		err             error
		now, left, over int // documents to recognise, pages that wait, and documents after a while
	}{
		{ocr.ErrTooLittleCPU, 0, 1, 1},
		{errors.New("another"), 0, 0, 0},
	} {
		indextest.Must(t, r.GiveUp(t.Context(), d, step.err))
		finish(t, k)
		if left := k.Freshness().PagesToRecognise().Left; len(r.Waiting()) != step.now || left != step.left {
			t.Errorf("after %v there are %d documents to recognise, %d pages wait", step.err, len(r.Waiting()), left)
		}
		if isTimed := r.HasRetryTimer(); isTimed != (step.over > 0) {
			t.Errorf("after %v there is a timer: %t", step.err, isTimed)
		}
		r.EndRetries()
		if over := len(r.Waiting()); over != step.over {
			t.Errorf("a while after %v there are %d documents to recognise, want %d", step.err, over, step.over)
		}
	}
}

// TestKilled: where the program is killed the documents wait, and each is tried.
func TestKilled(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"one.pdf": scan(10), "two.pdf": scan(20)})
	program := ocrtest.Program(t, ocrtest.AlwaysKilled)
	k := open(t, n.Dir, program, t.TempDir())
	if _, err := k.Recognition.RecogniseNow(t.Context()); !ocr.IsTransient(err) {
		t.Errorf("the error is %v", err)
	}
	if left, tried := k.Freshness().PagesToRecognise().Left, ocrtest.Read(t, program); left != 2 || len(tried) != 4 {
		t.Errorf("%d pages wait, and %v were tried, each twice", left, tried)
	}
	if !k.Recognition.HasRetryTimer() {
		t.Error("they are not tried again")
	}
}

// TestTouchedScans: the text of a picture stays that was only touched.
func TestTouchedScans(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"photo.png": picture(t, 500, 600), "scan.pdf": scan(10)})
	k := open(t, n.Dir, ocrtest.Program(t, ocrtest.Working), t.TempDir())
	finish(t, k)
	for _, name := range []string{"photo.png", "scan.pdf"} {
		later := time.Now().Add(time.Hour)
		indextest.Must(t, os.Chtimes(filepath.Join(n.Dir, name), later, later))
	}
	report := syncertest.MustSync(t, k, sync.Scope{})
	if report.Indexed != 0 || report.Unchanged != 2 || document(t, k, "photo.png").SkipReason != "" {
		t.Errorf("%+v, and the picture says %q", report, document(t, k, "photo.png").SkipReason)
	}
	n.Write("photo.png", picture(t, 500, 601))
	syncertest.MustSync(t, k, sync.Scope{})
	if d := document(t, k, "photo.png"); docs.CountUnrecognisedPages(d.ExtractionNote, d.SkipReason) != 1 {
		t.Errorf("another picture says %q", d.SkipReason)
	}
}

// TestGivenUpAfterSomePages: a document that fails after it was read again with its first pages is
// given up as it is then.
func TestGivenUpAfterSomePages(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"scan.pdf": scan(10)})
	k := open(t, n.Dir, ocrtest.Program(t, ocrtest.Working), t.TempDir())
	r, d := k.Recognition, document(t, k, "scan.pdf")
	indextest.Must(t, r.Reread(t.Context(), d.Location()))
	indextest.Must(t, r.GiveUp(t.Context(), d, errors.New("a fault of the document")))
	if now := document(t, k, "scan.pdf"); now == d || len(r.Waiting()) != 0 {
		t.Errorf("%d documents wait, read again: %t", len(r.Waiting()), now != d)
	}
}

// TestProgramThatFails: nothing changes but that one line says why.
func TestProgramThatFails(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "scan.pdf": scan(10), "photo.png": picture(t, 500, 600)})
	for name, reason := range map[string]string{ocrtest.AlwaysFailing: "no traineddata", ocrtest.OldVersion: "too old", ocrtest.NoLanguages: "no language"} {
		k := open(t, n.Dir, ocrtest.Program(t, name), t.TempDir())
		if _, err := k.Recognition.RecogniseNow(t.Context()); err == nil {
			t.Errorf("%s: no error", name)
		}
		s := k.State().PagesToRecognise
		if s.Left != 2 || !strings.Contains(s.Failure.String(), reason) {
			t.Errorf("%s: the state is %+v", name, s)
		}
		if d := document(t, k, "scan.pdf"); d.SkipReason.String() != "scanned PDF: no text layer" || docs.CountUnrecognisedPages(d.ExtractionNote, d.SkipReason) != 1 {
			t.Errorf("%s: it says %q", name, d.SkipReason)
		}
		if note := k.Freshness().AllNotes()[0].String(); !strings.HasPrefix(note, "The text of 2 scanned pages is not recognised: ") {
			t.Errorf("%s: the note is %q", name, note)
		}
	}
}

// TestPageThatFails: the program fails of pages, and the documents say so.
func TestPageThatFails(t *testing.T) {
	t.Parallel()
	skipShort(t)
	n := indextest.NewNotesFolder(t, map[string]string{"scan.pdf": scan(10), "some.pdf": string(extracttest.PDF("", extracttest.PDFLines("The cover."), extracttest.PDFScan(30)))})
	program := ocrtest.Program(t, ocrtest.Crashing)
	k := open(t, n.Dir, program, t.TempDir())
	finish(t, k)
	if d := document(t, k, "scan.pdf"); !strings.Contains(d.SkipReason.String(), "tesseract failed") || docs.CountUnrecognisedPages(d.ExtractionNote, d.SkipReason) != 0 {
		t.Errorf("it says %q", d.SkipReason)
	}
	if d := document(t, k, "some.pdf"); d.SkipReason != "" || !strings.Contains(d.ExtractionNote.String(), "1 scanned page yields no text: tesseract failed") {
		t.Errorf("it says %q, %q", d.ExtractionNote, d.SkipReason)
	}
	finish(t, k)
	if read := ocrtest.Read(t, program); len(read) != 2 {
		t.Errorf("it read %v", read)
	}
}

// TestWithoutProgram: all is as without recognition.
func TestWithoutProgram(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	r := ocr.New(ocr.Options{Program: ocr.AutoProgram})
	if r.IsInstalled() {
		t.Skip("it is found where it was installed")
	}
	n := indextest.NewNotesFolder(t, map[string]string{"scan.pdf": scan(10)})
	k := open(t, n.Dir, ocr.AutoProgram, t.TempDir())
	finish(t, k)
	if d := document(t, k, "scan.pdf"); d.SkipReason.String() != "scanned PDF: no text layer" || k.State().PagesToRecognise != (progress.PagesToRecognise{}) || len(k.Freshness().AllNotes()) != 0 {
		t.Errorf("it says %q, %+v, %v", d.SkipReason, k.State().PagesToRecognise, k.Freshness().AllNotes())
	}
}

// TestInBackground: a server recognises what is there and what comes.
func TestInBackground(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"scan.pdf": scan(10)})
	program, kept := ocrtest.Program(t, ocrtest.Working), t.TempDir()
	k := syncertest.New(t, syncertest.Options{
		Folders: []string{n.Dir}, Files: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: indextest.NewCountingModel(t),
		Recogniser: ocr.New(ocr.Options{Program: program, PagesDir: kept}),
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- k.Run(ctx) }()
	changes := k.FreshnessPublisher.Changes(ctx)
	await := func(path string) {
		for {
			if d, ok := k.Store.Document(search.Location{Path: path}); ok && d.SkipReason == "" {
				return
			}
			<-changes
		}
	}
	await("scan.pdf")
	n.Write("photo.png", picture(t, 500, 600))
	await("photo.png")
	stop()
	indextest.Must(t, <-ended)
	if read := ocrtest.Read(t, program); len(read) != 2 {
		t.Errorf("it read %v", read)
	}
}

// TestHEIC: the text of a photograph in HEIC is recognised where a program converts it.
func TestHEIC(t *testing.T) {
	t.Parallel()
	skipShort(t)
	encoder, err := exec.LookPath("heif-enc")
	extracttest.SkipNotInstalled(t, err)
	n := indextest.NewNotesFolder(t, map[string]string{"photo.png": picture(t, 500, 600)})
	if said, err := exec.Command(encoder, "-o", filepath.Join(n.Dir, "photo.heic"), filepath.Join(n.Dir, "photo.png")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	n.Remove("photo.png")
	n.Write("screen.heif", picture(t, 500, 700)) // which is none, whatever it is called
	k := open(t, n.Dir, ocrtest.Program(t, ocrtest.Working), t.TempDir())
	finish(t, k)
	for _, path := range []string{"photo.heic", "screen.heif"} {
		d := document(t, k, path)
		if body, _, err := k.Store.Body(t.Context(), d); err != nil || d.SkipReason != "" || !strings.HasPrefix(body.Text, "Metoprolol ") || body.Parts[0].PackedLayout == "" {
			t.Errorf("%s says %q, %+v, %v", path, d.SkipReason, body, err)
		}
	}
}

// TestLanguageGoesOn: a page is read in what the one before turned out to be in, also when another
// process goes on.
func TestLanguageGoesOn(t *testing.T) {
	t.Parallel()
	skipShort(t)
	n := indextest.NewNotesFolder(t, map[string]string{"scan.pdf": scan(10, 20, 30)})
	program, kept := ocrtest.Program(t, ocrtest.ManyLanguagesGerman), t.TempDir()
	k := open(t, n.Dir, program, kept)
	errEnded := errors.New("ended")
	pages := 0
	_, err := k.Recognition.All(t.Context(), func(context.Context) error {
		if pages++; pages > 2 { // it is called once before any page
			return errEnded
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnded) {
		t.Fatal(err)
	}
	finish(t, open(t, n.Dir, program, kept))
	want := []string{"osd", "eng+chi_sim", "deu", "deu", "deu"}
	if got := ocrtest.Languages(t, program); !slices.Equal(got, want) {
		t.Errorf("it was asked to read in %v, want %v", got, want)
	}
}

// TestOtherMachine: what one machine has recognised, another that goes on does not recognise
// again, nor what is in a copy of the file.
func TestOtherMachine(t *testing.T) {
	t.Parallel()
	skipShort(t)
	n := indextest.NewNotesFolder(t, map[string]string{"scan.pdf": scan(10, 20, 30)})
	program, shared := ocrtest.Program(t, ocrtest.Working), pageStore{}
	machine := func() *sync.Syncer {
		r := ocr.New(ocr.Options{Program: program, PagesDir: t.TempDir()})
		r.SetSharedStore(shared)
		k := syncertest.NewLoaded(t, syncertest.Options{
			Folders: []string{n.Dir}, Files: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: indextest.NewCountingModel(t), Recogniser: r,
		})
		syncertest.MustSync(t, k, sync.Scope{})
		return k
	}
	finish(t, machine())
	n.Write("copy.pdf", scan(10, 20, 30))
	other := machine()
	finish(t, other)
	for _, path := range []string{"scan.pdf", "copy.pdf"} {
		if d := document(t, other, path); d.SkipReason != "" || docs.CountUnrecognisedPages(d.ExtractionNote, d.SkipReason) != 0 {
			t.Errorf("%s says %q", path, d.SkipReason)
		}
	}
	if read := ocrtest.Read(t, program); len(read) != 3 {
		t.Errorf("the two read %v", read)
	}
}

// pageStore keeps pages for all machines of a test, by file, languages and number.
type pageStore map[string]map[int][]byte

func (s pageStore) RecognisedPages(_ context.Context, file [32]byte, languages string) (map[int][]byte, error) {
	return maps.Clone(s[string(file[:])+languages]), nil
}

func (s pageStore) SaveRecognised(_ context.Context, file [32]byte, languages string, page int, content []byte) error {
	key := string(file[:]) + languages
	if s[key] == nil {
		s[key] = make(map[int][]byte)
	}
	s[key][page] = content
	return nil
}

// TestWaitingAtOnce: that a page waits is reported by the first answer which knows its document, before
// anybody has come to recognise it.
func TestWaitingAtOnce(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "scan.pdf": scan(10)})
	k := open(t, n.Dir, ocrtest.Program(t, ocrtest.Working), t.TempDir())
	finish(t, k)
	if left := scansLeft(k); left != 0 {
		t.Errorf("when all is recognised, %d are left", left)
	}
	n.Write("new.pdf", scan(20, 30))
	syncertest.MustSync(t, k, sync.Scope{})
	if left := scansLeft(k); left != 2 {
		t.Errorf("with a new scan of 2 pages, %d are left", left)
	}
	n.Remove("new.pdf")
	syncertest.MustSync(t, k, sync.Scope{})
	if left := scansLeft(k); left != 0 {
		t.Errorf("when that is gone, %d are left", left)
	}
}

// scansLeft is how many pages wait according to the notes of an answer.
func scansLeft(k *sync.Syncer) int {
	for _, n := range k.Freshness().AllNotes() {
		if n.Kind == notice.PagesToRecognise {
			return n.Count
		}
	}
	return 0
}

// TestKnownPagesTakeNoTime: pages that were recognised before are none of those that take time.
func TestKnownPagesTakeNoTime(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"scan.pdf": scan(10, 20)})
	program, cache := ocrtest.Program(t, ocrtest.Working), t.TempDir()
	for i, want := range []int{2, 0} {
		k := open(t, n.Dir, program, cache)
		indextest.Must(t, k.Recognition.RecogniseDocument(t.Context(), document(t, k, "scan.pdf")))
		if counted := k.FreshnessPublisher.Current().State.PagesToRecognise.Total; counted != want {
			t.Errorf("index %d: it has counted %d pages, want %d", i+1, counted, want)
		}
	}
}
