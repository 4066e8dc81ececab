package index

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"vademecum/docs"
	"vademecum/docs/extract/extracttest"
	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/index/sync"
	"vademecum/internal/base/message"
)

// TestNamedUnread: who asks for a file that is there and cannot be read is told so, and
// nobody else.
func TestNamedUnread(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"discharge letter.md":       "# Discharge letter\n\nIbuprofen was stopped in May.\n",
		"scans/Lab_Report-2024.pdf": "%PDF-1.4 broken",
		"scans/出院小结.pdf":            "%PDF-1.4 broken",
		"notes.pdf":                 "%PDF-1.4 broken",
		"ibuprofen.png":             "\x89PNG\r\n\x1a\n\x00\x00\x00\x00",
		"garden party.jpg":          "\xff\xd8\xff\xe0\x00\x00\x00\x00",
		"old.zip":                   string(extracttest.Zip(t, "a.txt", "words", "ward/Doppler findings.pdf", string(extracttest.PDF("", extracttest.PDFScan(0))))),
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for question, want := range map[string][]string{
		"what does lab report 2024 say of ibuprofen": {"scans/Lab_Report-2024.pdf"},
		"Lab_Report-2024.pdf":                        {"scans/Lab_Report-2024.pdf"},
		"出院小结里写了什么":                                  {"scans/出院小结.pdf"},
		"请看出院小结.pdf和 lab report 2024":                {"scans/Lab_Report-2024.pdf", "scans/出院小结.pdf"},
		"what do my notes say of ibuprofen":          nil,
		"what do my notes.pdf say of ibuprofen":      {"notes.pdf"},
		"who was at the garden party":                nil,
		"who is on garden party.jpg":                 {"garden party.jpg"},
		"what does the discharge letter say":         nil,
		"lab report 20245":                           {"scans/Lab_Report-2024.pdf"},
		"出院时的用药":                                     {"scans/出院小结.pdf"},
		"stopped in the lab":                         {"scans/Lab_Report-2024.pdf"},
		"stopped in the laboratory":                  nil,
		"where are the doppler findings":             {"old.zip/ward/Doppler findings.pdf"},
		"old.zip":                                    nil,
	} {
		var named []string
		for _, n := range mustSearch(t, ix, Query{Text: question}).Notes {
			if n.Kind == notice.NamedFileNotIndexed {
				if named = append(named, n.Path); n.Why == "" {
					t.Errorf("%q: there is no reason for %s", question, n.Path)
				}
			}
		}
		if !slices.Equal(named, want) {
			t.Errorf("%q: %q are named, want %q", question, named, want)
		}
	}
	n.Write("scans/Lab_Report-2024.md", "# Lab report 2024\n\nFine.\n")
	n.Remove("scans/Lab_Report-2024.pdf")
	mustSync(t, ix, sync.Scope{})
	for _, note := range mustSearch(t, ix, Query{Text: "lab report 2024"}).Notes {
		if note.Kind == notice.NamedFileNotIndexed {
			t.Errorf("of a file that is gone it says %v", note)
		}
	}
}

// TestUnreadHiddenParts: an answer that found nothing names the spreadsheets whose hidden rows are not read,
// if they meet the filter.
func TestUnreadHiddenParts(t *testing.T) {
	t.Parallel()
	const rows = `<Worksheet ss:Name="A"><Table><Row><Cell><Data ss:Type="String">Ibuprofen</Data></Cell></Row><Row ss:Hidden="1"><Cell><Data ss:Type="String">Secretol</Data></Cell></Row></Table></Worksheet>`
	n := indextest.NewNotesFolder(t, map[string]string{
		"ward/a.md":       "# Discharge letter\n\nParacetamol was stopped in May.\n",
		"lists/doses.xls": `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">` + rows + `</Workbook>`,
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	isTold := func(notes []notice.Note) bool {
		return slices.ContainsFunc(notes, func(n notice.Note) bool {
			return n.Kind == notice.HiddenPartsNotRead && slices.Equal(n.Words, []string{"lists/doses.xls"}) && n.Count == 0
		})
	}
	for _, of := range []struct {
		text, path string
		want       bool
	}{{"Secretol", "", true}, {"Secretol", "lists", true}, {"Secretol", "ward", false}, {"Ibuprofen", "", false}} {
		filter := Filter{Path: of.path}
		found, err := ix.Find(t.Context(), FindQuery{Text: of.text, Filter: filter})
		indextest.Must(t, err)
		if isTold(found.Notes) != of.want {
			t.Errorf("find %q in %q says %v", of.text, of.path, found.Notes)
		}
		if notes := mustSearch(t, ix, Query{Text: of.text, Filter: filter}).Notes; isTold(notes) != of.want {
			t.Errorf("a question for %q in %q says %v", of.text, of.path, notes)
		}
		if of.path != "" {
			continue
		}
		checked, err := ix.checkQuotes(t.Context(), QuoteQuery{Quotes: []Quote{{Text: of.text}}})
		indextest.Must(t, err)
		if isTold(checked.Notes) != of.want {
			t.Errorf("the check of %q says %v", of.text, checked.Notes)
		}
	}
}

// listedDocuments are documents of which only the list is asked for.
type listedDocuments struct {
	search.Documents
	all     []*search.Document
	changes uint64
}

func (l *listedDocuments) All() []*search.Document { return l.all }
func (l *listedDocuments) ChangeNumber() uint64    { return l.changes }

// TestClosedFolders: folders that may not be opened are known until the documents change.
func TestClosedFolders(t *testing.T) {
	t.Parallel()
	closed := message.New("the folder cannot be opened").WithCode("closed folder")
	documents := &listedDocuments{all: []*search.Document{
		{Path: "closed", InternedFields: &search.InternedFields{SkipReason: closed}}, {Path: "scan.pdf", InternedFields: &search.InternedFields{SkipReason: "empty"}}, {Path: "a.md", InternedFields: &search.InternedFields{}},
	}}
	var u unreadNames
	for range 2 {
		if got := u.closedFolders(documents); len(got) != 1 || got[0].Path != "closed" {
			t.Errorf("closed are %v", got)
		}
	}
	documents.all, documents.changes = documents.all[1:], 1
	if got := u.closedFolders(documents); len(got) > 0 {
		t.Errorf("closed are still %v", got)
	}
}

// TestClosedFolder: an answer that has little names the folder that may not be opened, another
// one does not.
func TestClosedFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("every folder can be opened")
	}
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "Ibuprofen was stopped in May.\n", "closed/b.md": "Doppler findings.\n"})
	closed := filepath.Join(n.Dir, "closed")
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(closed, 0o700) })
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for question, want := range map[string]bool{"doppler": true, "ibuprofen": false} {
		told := slices.ContainsFunc(mustSearch(t, ix, Query{Text: question}).Notes, func(n notice.Note) bool {
			return n.Kind == notice.NamedFileNotIndexed && n.Path == "closed" && docs.IsInaccessibleFolderSkip(n.Why)
		})
		if told != want {
			t.Errorf("%s: the folder is named: %v, want %v", question, told, want)
		}
	}
}
