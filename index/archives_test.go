package index

import (
	"errors"
	"strings"
	"testing"

	"vademecum/docs/extract/extracttest"
	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// TestFileStandsBeforeItsCopyInAnArchive: wherever the archive lies and however its members are
// called, the file itself is shown, with the place of the copy.
func TestFileStandsBeforeItsCopyInAnArchive(t *testing.T) {
	t.Parallel()
	const text = "# Snake bite\n\nImmobilise the limb with a pressure bandage, note the time of the bite, and give antivenom only on signs of envenomation.\n"
	raw := extracttest.Zip(t, "a.md", "# Tides\n\nThe sea comes and goes twice a day.\n", "protocols/snake bite.md", text)
	n := indextest.NewNotesFolder(t, map[string]string{"a.zip": string(raw), "Archive/long name of a ward/snake bite.md": text})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, question := range []string{"pressure bandage antivenom", "snake bite protocols"} {
		found := mustSearch(t, ix, Query{Text: question}).Passages
		if len(found) == 0 || found[0].Path != "Archive/long name of a ward/snake bite.md" {
			t.Fatalf("%q: %+v", question, found)
		}
		first := found[0]
		if len(first.Copies) != 1 || first.Copies[0].Path != "a.zip" || first.Copies[0].Position.String() != "chapter 2 (protocols/snake bite.md)" || len(first.SimilarPlaces) != 0 {
			t.Errorf("%q: the same text in %v, in part in %v", question, first.Copies, first.SimilarPlaces)
		}
	}
}

// TestFilesInArchivesAreFoundByTheirPaths: a file in an archive is read by the path that notes name
// it by, and reported by its name, as what it is: read, or why not.
func TestFilesInArchivesAreFoundByTheirPaths(t *testing.T) {
	t.Parallel()
	raw := extracttest.Zip(t, "protocols/snake bite.md", "# Snake bite\n\nImmobilise the limb.\n", "talks/tides.ipynb", someNotebook, "ward/scan.pdf", string(extracttest.PDF("", extracttest.PDFScan(0))))
	n := indextest.NewNotesFolder(t, map[string]string{
		"Archive/backup 2018.zip": string(raw),
		"scans.zip":               string(extracttest.Zip(t, "letter.pdf", string(extracttest.PDF("", extracttest.PDFScan(0))))),
		"other/snake bite.md":     "# Snake bite\n\nAnother note.\n",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for ref, want := range map[string]string{
		"Archive/backup 2018.zip/protocols/snake bite.md":         "chapter 1 (protocols/snake bite.md)",
		"Archive/backup 2018.zip/Protocols/Snake Bite.md":         "chapter 1 (protocols/snake bite.md)",
		"Archive/backup 2018.zip/talks/tides.ipynb":               "chapters 2-3",
		"Archive/backup 2018.zip/talks/tides.ipynb#cell=2":        "chapter 3 (talks/tides.ipynb#cell=2)",
		n.Path("Archive/backup 2018.zip/protocols/snake bite.md"): "chapter 1 (protocols/snake bite.md)",
		"Archive/backup 2018.zip/nothing.md":                      "",
	} {
		part, err := ix.Read(t.Context(), ReadQuery{Ref: ref})
		if want == "" {
			if !errors.Is(err, ErrNotFound) {
				t.Errorf("%s: %+v, %v", ref, part, err)
			}
			continue
		}
		if err != nil || part.Path != "Archive/backup 2018.zip" || part.Place.String() != want {
			t.Errorf("%s: %s, %s, %v, want %s", ref, part.Path, part.Place, err, want)
		}
	}
	for _, ref := range []string{"Archive/backup 2018.zip/ward/scan.pdf", "scans.zip/letter.pdf"} {
		_, err := ix.Read(t.Context(), ReadQuery{Ref: ref})
		if !errors.Is(err, errMemberNotIndexed) || !strings.HasPrefix(err.Error(), ref+": it is in the archive and not indexed: ") || !strings.Contains(err.Error(), "unpack it") {
			t.Errorf("%s: %v", ref, err)
		}
	}
	for asked, want := range map[string][]string{
		"snake bite.md":                         {"Archive/backup 2018.zip/protocols/snake bite.md: it is indexed", "other/snake bite.md: it is indexed"},
		"tides":                                 {"Archive/backup 2018.zip/talks/tides.ipynb: it is indexed"},
		"scan.pdf":                              {"Archive/backup 2018.zip/ward/scan.pdf: not indexed: "},
		"Archive/backup 2018.zip/ward/scan.pdf": {"Archive/backup 2018.zip/ward/scan.pdf: not indexed: "},
		"scans.zip/letter.pdf":                  {"scans.zip/letter.pdf: not indexed: "},
		"backup":                                {"Archive/backup 2018.zip: it is indexed"},
	} {
		files, err := ix.FindFiles(t.Context(), asked, nil)
		if err != nil || len(files) != len(want) {
			t.Errorf("%s: %v, %v, want %v", asked, files, err, want)
			continue
		}
		for i, f := range files {
			if !strings.HasPrefix(f.Message().String(), want[i]) {
				t.Errorf("%s: %v, want %s", asked, f.Message(), want[i])
			}
		}
	}
}

// someNotebook has two cells.
const someNotebook = `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
{"cell_type": "markdown", "metadata": {}, "source": ["The tide rises twice."]},
{"cell_type": "markdown", "metadata": {}, "source": ["It falls twice as well."]}]}`
