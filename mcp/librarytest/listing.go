package librarytest

import (
	"crypto/sha256"
	"path/filepath"
	"slices"
	"strings"

	"vademecum/docs"
	"vademecum/index"
)

func testFolders(k *fixture) {
	if got := k.library.Folders(); !slices.Equal(got, []string{k.dir}) { // also before loading
		k.Errorf("folders %q, want %q", got, k.dir)
	}
}

func testList(k *fixture) {
	k.sync()
	for pattern, want := range map[string]string{
		"":         "asthma.md cardio/pressure.md long.txt photo.png",
		"cardio":   "cardio/pressure.md",
		"**/*.md":  "asthma.md cardio/pressure.md",
		"none.pdf": "",
	} {
		all, err := k.library.List(k.Context(), index.Filter{Path: pattern})
		if err != nil {
			k.Errorf("list %q: %v", pattern, err)
		}
		var paths []string
		for _, d := range all {
			paths = append(paths, d.Path)
			if skipped := d.Path == "photo.png"; skipped != (d.SkipReason != "") || d.URI != docs.FileURI(filepath.Join(k.dir, filepath.FromSlash(d.Path))) {
				k.Errorf("%s: skip %q, uri %s", d.Path, d.SkipReason, d.URI)
			}
		}
		if got := strings.Join(paths, " "); got != want {
			k.Errorf("list %q: %q, want %q", pattern, got, want)
		}
	}
}

func testPage(k *fixture) {
	k.sync()
	for _, tt := range []struct {
		after string
		most  int
		want  string
	}{
		{"", 10, "asthma.md cardio/pressure.md long.txt"},
		{"", 3, "asthma.md cardio/pressure.md long.txt"},
		{"", 1, "asthma.md"},
		{"asthma.md", 1, "cardio/pressure.md"},
		{"b", 2, "cardio/pressure.md long.txt"},
		{"long.txt", 2, ""},
		{"", 0, ""},
	} {
		all, err := k.library.ListAfter(k.Context(), tt.after, tt.most)
		if err != nil {
			k.Error(err)
		}
		var paths []string
		for _, d := range all {
			paths = append(paths, d.Path)
			if d.Title == "" || d.URI != docs.FileURI(filepath.Join(k.dir, filepath.FromSlash(d.Path))) {
				k.Errorf("%s is described as %+v", d.Path, d)
			}
		}
		if got := strings.Join(paths, " "); got != tt.want {
			k.Errorf("%d after %q: %q, want %q", tt.most, tt.after, got, tt.want)
		}
	}
}

func testDocumentFingerprints(k *fixture) {
	look := func() map[uint64]uint64 {
		k.sync()
		all, err := k.library.DocumentFingerprints(k.Context())
		if err != nil {
			k.Fatal(err)
		}
		found := make(map[uint64]uint64)
		for _, v := range all {
			found[v.URIHash] = v.ContentHash
		}
		if len(found) != 3 || len(all) != 3 {
			k.Errorf("of three documents that can be searched there are %v", all)
		}
		return found
	}
	before, written := look(), k.library.ChangeNumber()
	k.write("asthma.md", "# Asthma\n\nA spacer helps.\n")
	after := look()
	if k.library.ChangeNumber() == written {
		k.Error("nobody is told that a document has changed")
	}
	asthma, long := documentKey(k.dir, "asthma.md"), documentKey(k.dir, "long.txt")
	if after[asthma] == before[asthma] || after[asthma] != index.HashPrefix(sha256.Sum256([]byte("# Asthma\n\nA spacer helps.\n"))) || after[long] != before[long] || after[long] == 0 {
		k.Errorf("from %v to %v", before, after)
	}
}

func documentKey(dir, name string) uint64 {
	return index.HashURI(docs.FileURI(filepath.Join(dir, name)))
}

func testCanonicalURI(k *fixture) {
	k.sync()
	listed := docs.FileURI(filepath.Join(k.dir, "asthma.md"))
	escaped := strings.Replace(listed, "asthma", "%61sthma", 1)
	for uri, want := range map[string]string{listed: listed, escaped: listed, escaped + "#line=0,1": listed + "#line=0,1"} {
		if got, found := k.library.CanonicalURI(uri); got != want || !found {
			k.Errorf("%s: %s, %t, want %s", uri, got, found, want)
		}
	}
	missing := strings.Replace(listed, "asthma", "gone", 1)
	if got, found := k.library.CanonicalURI(missing); got != missing || found {
		k.Errorf("of no document: %s, %t", got, found)
	}
}
