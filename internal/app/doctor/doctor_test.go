package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vademecum/docs"
	"vademecum/docs/ocr"
	"vademecum/docs/ocr/ocrtest"
	"vademecum/embed"
	"vademecum/index"
	"vademecum/internal/base/message"
)

func TestEnough(t *testing.T) {
	for _, c := range []struct {
		got   Finding
		level Level
		says  string
	}{
		{watchLimitFinding(10, 0), LevelOK, "10 folders can be watched"},
		{watchLimitFinding(1, 100), LevelOK, "1 folder can be watched"},
		{watchLimitFinding(90, 100), LevelOK, "90 folders of at most 100"},
		{watchLimitFinding(101, 100), LevelWarning, "changes are found by scans"},
		{diskSpaceFinding("notes.db", 2<<30), LevelOK, "2147 MB free"},
		{diskSpaceFinding("notes.db", 40<<30), LevelOK, "42 GB free"},
		{diskSpaceFinding("notes.db", littleRoom-1), LevelWarning, "524 MB free"},
		{diskSpaceFinding("notes.db", noRoom-1), LevelFault, "20 MB free"},
		{memoryFinding(1<<30, 100_000), LevelOK, "some 291 MB for 100000 passages"},
		{memoryFinding(1<<30, 1_000_000), LevelWarning, "1000000 passages"},
	} {
		if c.got.Level != c.level || !strings.Contains(c.got.Description.String(), c.says) || (c.level == LevelOK) != (c.got.Advice == "") {
			t.Errorf("%+v, want %s with %q", c.got, c.level, c.says)
		}
	}
}

func TestCensus(t *testing.T) {
	var files []docs.File
	for i, reason := range []string{"a", "b", "b", "c", "d", "e", ""} {
		files = append(files, docs.File{Path: fmt.Sprintf("x/%d/y.md", i), SkipReason: message.Message(reason)})
	}
	f := countFiles("notes", files)
	if want := "notes: 1 file to read, 6 left out (2: b; 1: a; 1: c; 1: d; …)"; f.Description.String() != want || f.Level != LevelOK {
		t.Errorf("%+v, want %s", f, want)
	}
	if f := countFiles("notes", files[:6]); f.Level != LevelWarning || f.Advice == "" {
		t.Errorf("nothing is read: %+v", f)
	}
	if n := countDirectories(files); n != 9 { // the folder, x and the directories in it
		t.Errorf("%d directories, want 9", n)
	}
}

// TestPicturesAreRead checks that pictures count as readable if there is a program that recognises
// their text.
func TestPicturesAreRead(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.md", "b.png", "c.exe"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		recogniser *ocr.Recogniser
		want       string
	}{
		{nil, ": 1 file to read, 2 left out"},
		{ocr.New(ocr.Options{Program: "no-such-program"}), ": 1 file to read, 2 left out"},
		{ocr.New(ocr.Options{Program: ocrtest.Program(t, ocrtest.Working)}), ": 2 files to read, 1 left out (1: not a text format (.exe))"},
	} {
		s := examination{Target: Target{Folders: []string{dir}, Recogniser: c.recogniser}}
		s.checkFolders(t.Context(), func(f Finding) {
			if !strings.Contains(f.Description.String(), c.want) {
				t.Errorf("it says %+v, want %s", f, c.want)
			}
		})
	}
}

// TestFoldersLeftOutByName checks that the folders that are excluded by name are reported, and
// nothing if there are none.
func TestFoldersLeftOutByName(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/node_modules/b/c.md", "b/CVS/c.md"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var got []Finding
	s := examination{Target: Target{Folders: []string{dir, filepath.Join(dir, "b")}}}
	s.checkFolders(t.Context(), func(f Finding) { got = append(got, f) })
	if len(got) != 3 || got[1].Level != LevelOK || !strings.Contains(got[1].Description.String(), ", left out: 1 folder called node_modules, filled by programs: a/node_modules/; to index one, put the line ") || !strings.HasSuffix(got[2].Description.String(), ": 1 file to read") {
		t.Errorf("it says %+v", got)
	}
}

func TestAdviceOnAccess(t *testing.T) {
	for _, c := range []struct {
		err  error
		says string
	}{
		{fmt.Errorf("open: %w", fs.ErrPermission), "give your user permission"},
		{fmt.Errorf("scan: %w", docs.ErrNotResponding), "drive does not respond"},
		{fs.ErrInvalid, "other programs"},
	} {
		if got := adviceOnAccess(c.err); !strings.Contains(got.String(), c.says) {
			t.Errorf("%v: %s", c.err, got)
		}
	}
}

func TestTroubles(t *testing.T) {
	now := time.Now()
	s := &examination{Target: Target{Embedder: failing{}}}
	if got := s.indexProblems(index.FolderStatus{Folder: "notes", LastScan: now}); len(got) != 0 {
		t.Errorf("no trouble: %+v", got)
	}
	got := s.indexProblems(index.FolderStatus{Folder: "notes", LastScan: now, Failure: "x\ny", ModelFailure: "no key", SnapshotFailure: "full", IsVectorIndexDue: true, UncomparedReason: "no time"})
	if len(got) != 5 || !strings.Contains(got[4].Advice.String(), "store vacuum") || got[1].Description.String() != "the last run failed: x�y" || got[1].Level != LevelWarning || !strings.HasPrefix(got[1].Advice.String(), "vademecum index FOLDER ") || got[2].Advice == "" || !strings.HasSuffix(got[0].Description.String(), ": no time") {
		t.Errorf("%+v", got)
	}
}

// failing is an embedder in this process whose model does not work.
type failing struct{ embed.Embedder }

func (failing) ModelIdentity() string        { return "local:bert" }
func (failing) Properties() embed.Properties { return embed.Properties{InProcess: true} }
func (failing) Embed(context.Context, embed.TextKind, []string) ([][]float32, error) {
	return nil, errors.New("a number in it is not finite")
}

// TestFailingModel checks that the advice on a model in this process mentions neither a service nor
// a key.
func TestFailingModel(t *testing.T) {
	s := examination{Target: Target{Embedder: failing{}}}
	s.checkModel(t.Context(), func(f Finding) {
		if f.Level != LevelFault || !strings.Contains(f.Description.String(), "not finite") || !strings.HasPrefix(f.Advice.String(), "copy the folder of the model again") {
			t.Errorf("%+v", f)
		}
	})
}

func TestScans(t *testing.T) {
	told := func(s examination) (all []Finding) {
		s.checkScans(t.Context(), func(f Finding) { all = append(all, f) })
		return all
	}
	if got := told(examination{}); len(got) != 0 {
		t.Errorf("without scans: %+v", got)
	}
	s := examination{status: index.Status{PagesToRecognise: 3}}
	for name, c := range map[string]struct {
		recogniser *ocr.Recogniser
		level      Level
		says       string
	}{
		"off":     {nil, LevelOK, "the text of 3 scanned pages is not recognised: --ocr off"},
		"missing": {ocr.New(ocr.Options{Program: "no-such-program"}), LevelWarning, "there is no text recognition program no-such-program"},
		"old":     {ocr.New(ocr.Options{Program: ocrtest.Program(t, ocrtest.OldVersion)}), LevelWarning, "too old"},
		"good":    {ocr.New(ocr.Options{Program: ocrtest.Program(t, ocrtest.Working)}), LevelOK, "still to be recognised, in eng+chi_sim+deu: a server does it gradually, vademecum index FOLDER at once"},
	} {
		s.Recogniser = c.recogniser
		got := told(s)
		if len(got) != 1 || got[0].Level != c.level || !strings.Contains(got[0].Description.String(), c.says) || (c.level == LevelOK) != (got[0].Advice == "") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	s.Recogniser = ocr.New(ocr.Options{Program: ocrtest.Program(t, ocrtest.Working), Languages: "eng+fra"})
	if got := told(s); len(got) != 1 || !strings.Contains(got[0].Description.String(), "the language fra of tesseract is not installed") || !strings.Contains(got[0].Advice.String(), "such as --ocr-lang eng+chi_sim+deu, or leave --ocr-lang out") {
		t.Errorf("a language that is not installed: %+v", got)
	}
	t.Setenv("PATH", t.TempDir())
	s.Recogniser = ocr.New(ocr.Options{Program: ocr.AutoProgram})
	if got := told(s); !s.Recogniser.IsInstalled() && (len(got) != 1 || got[0].Level != LevelWarning || !strings.Contains(got[0].Description.String(), "tesseract is not installed") || !strings.Contains(got[0].Advice.String(), "tesseract")) {
		t.Errorf("not installed: %+v", got)
	}
}

// TestChosenRecogniser checks that an OCR program or language that the user has chosen and that
// cannot be used is reported even if no pages are waiting.
func TestChosenRecogniser(t *testing.T) {
	good := ocrtest.Program(t, ocrtest.Working)
	for _, c := range []struct {
		options      ocr.Options
		says, advice string
	}{
		{ocr.Options{Program: good}, "", ""},
		{ocr.Options{Program: good, Languages: "eng"}, "", ""},
		{ocr.Options{Program: good, Languages: "fra"}, "the language fra of tesseract is not installed", "such as --ocr-lang eng+chi_sim+deu"},
		{ocr.Options{Program: "no-such-program"}, "there is no text recognition program no-such-program", "--ocr PROGRAM"},
	} {
		said, advice := "", ""
		s := examination{Target: Target{Recogniser: ocr.New(c.options)}}
		s.checkScans(t.Context(), func(f Finding) { said, advice = said+f.Description.String(), advice+f.Advice.String() })
		if !strings.Contains(said, c.says) || !strings.Contains(advice, c.advice) || (said == "") != (c.says == "") {
			t.Errorf("%+v: it says %q, and advises %q", c.options, said, advice)
		}
	}
}

// TestPhotographs checks that for a folder of pictures the OCR program that would recognise them is
// reported, without a warning.
func TestPhotographs(t *testing.T) {
	missing := ocr.New(ocr.Options{Program: "no-such-program"})
	for _, test := range []struct {
		status     index.Status
		recogniser *ocr.Recogniser
		want       int
	}{
		{index.Status{PicturesToRecognise: 1}, missing, 1}, {index.Status{}, missing, 0}, {index.Status{PicturesToRecognise: 1}, nil, 0},
		{index.Status{PicturesToRecognise: 1, PagesToRecognise: 1}, missing, 0}, // checkScans reports this
		{index.Status{PicturesToRecognise: 1}, ocr.New(ocr.Options{Program: ocrtest.Program(t, ocrtest.Working)}), 0},
	} {
		var all []Finding
		s := examination{status: test.status}
		s.Recogniser = test.recogniser
		s.checkPictures(t.Context(), func(f Finding) { all = append(all, f) })
		if len(all) != test.want {
			t.Errorf("of %d pictures and %d scanned pages it tells %+v", test.status.PicturesToRecognise, test.status.PagesToRecognise, all)
		}
		for _, f := range all {
			if f.Level != LevelOK || !strings.Contains(f.Description.String(), "1 picture may have text") || !strings.Contains(f.Description.String(), "install") {
				t.Errorf("it tells %+v", f)
			}
		}
	}
}

// TestPicturesBeforeAnIndex checks that possible scans are reported before there is an index, with
// the command that installs an OCR program.
func TestPicturesBeforeAnIndex(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.md", "b.png", "c.PDF", "d.exe"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		program string
		bytes   int64
		want    string
	}{{"no-such-program", 0, "pictures and PDF files (2) may have text"}, {"no-such-program", 1, ""}, {ocrtest.Program(t, ocrtest.Working), 0, ""}} {
		s := examination{Target: Target{Folders: []string{dir}, Recogniser: ocr.New(ocr.Options{Program: test.program})}}
		s.status.Folders = []index.FolderStatus{{Bytes: test.bytes}}
		s.checkFolders(t.Context(), func(Finding) {})
		var said string
		s.checkPictures(t.Context(), func(f Finding) { said += f.Description.String() })
		if !strings.HasPrefix(said, test.want) || (said == "") != (test.want == "") || test.want != "" && !strings.Contains(said, adviceOnTesseract().String()) {
			t.Errorf("with %s and an index of %d bytes it tells %q", test.program, test.bytes, said)
		}
	}
}

// TestPictures checks that pictures that wait for a converter are reported.
func TestPictures(t *testing.T) {
	good, missing := ocr.New(ocr.Options{Program: ocrtest.Program(t, ocrtest.Working)}), ocr.New(ocr.Options{Program: "no-such-program"})
	for _, test := range []struct {
		pictures   int
		recogniser *ocr.Recogniser
		want       bool
	}{{2, good, true}, {0, good, false}, {2, nil, false}, {2, missing, false}} {
		var all []Finding
		s := examination{status: index.Status{UnconvertiblePictures: test.pictures}}
		s.Recogniser = test.recogniser
		s.checkPictures(t.Context(), func(f Finding) { all = append(all, f) })
		if got := len(all) == 1 && all[0].Level == LevelWarning && strings.HasPrefix(all[0].Description.String(), "2 pictures in HEIC") && all[0].Advice != ""; got != test.want || len(all) > 1 {
			t.Errorf("of %d pictures it tells %+v, want %v", test.pictures, all, test.want)
		}
	}
}

// TestUnreadableFolder checks that the advice on a folder without permissions is given once.
func TestUnreadableFolder(t *testing.T) {
	f := unreadableFolder("/notes", docs.FolderMissingError{Dir: "/notes", Reason: fs.ErrPermission})
	if f.Description.String() != "/notes cannot be read: permission denied" || !strings.HasPrefix(f.Advice.String(), "give your user permission to read the folder") {
		t.Errorf("it says %+v", f)
	}
}
