package ranking

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/kind"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/script"
)

// shelf is a set of documents, each with one chunk, and their order in an answer.
type shelf struct {
	documents []*search.Document
	found     []search.Candidate
}

// add puts a document on the shelf that is found after those before it.
func (s *shelf) add(p, text string, k kind.Kind) *search.Document {
	d := search.NewDocument(&catalog.Record{Path: p}, 0)
	s.documents = append(s.documents, d)
	mark := kind.Traits{Kind: k, Language: script.LanguageOf(text), MinHash: kind.MinHashOf(text)}
	score := 1 - float64(len(s.found))/100
	s.found = append(s.found, search.Candidate{Chunk: search.Chunk{Document: d, Traits: mark}, Score: score})
	return d
}

func (s *shelf) paths() iter.Seq[search.Location] {
	return func(yield func(search.Location) bool) {
		for _, d := range s.documents {
			if !yield(d.Location()) {
				return
			}
		}
	}
}

// ranked is a question past its versions and kinds.
func (s *shelf) ranked(question string) *Ranking {
	folders := NewSimilarFolders(s.paths)
	r := newRanking(Question{Text: question, SimilarFolders: func() *SimilarFolders { return folders }}, nil, slices.Clone(s.found))
	for _, stage := range []func(context.Context, *Ranking) error{foldVersions, weighKinds} {
		if err := stage(context.Background(), r); err != nil {
			panic(err)
		}
	}
	return r
}

// order answers with the paths that are left, each with those that it stands for.
func (s *shelf) order(question string) string {
	ranked := s.ranked(question)
	var out []string
	for _, c := range ranked.candidates {
		one := c.Document.Path
		for _, v := range ranked.versions[c.Document] {
			one += "=" + v.Path
		}
		out = append(out, one)
	}
	return strings.Join(out, " ")
}

// translated is a folder with pages in three languages, of which those called tar are
// found.
func translated(names ...string) *shelf {
	s := &shelf{}
	words := map[string]string{"pages.de": "das ist der Text von einer Seite", "pages.zh": "这是一页的内容", "pages": "this is the text of a page"}
	for _, folder := range []string{"pages.de", "pages.zh", "pages"} {
		for _, name := range names {
			s.add(folder+"/"+name, words[folder], kind.OrdinaryText)
		}
	}
	s.found = slices.DeleteFunc(s.found, func(c search.Candidate) bool { return !strings.HasSuffix(c.Document.Path, names[0]) })
	return s
}

func TestVersions(t *testing.T) {
	pages := []string{"c/tar.md", "c/ls.md", "c/cp.md"}
	for _, c := range []struct {
		name     string
		shelf    *shelf
		question string
		want     string
	}{
		{"no sign of a language: the shortest path", translated(pages...), "tar", "pages/c/tar.md=pages.de/c/tar.md=pages.zh/c/tar.md"},
		{"the language of the question", translated(pages...), "wie ist das mit der Seite", "pages.de/c/tar.md=pages/c/tar.md=pages.zh/c/tar.md"},
		{"its writing system", translated(pages...), "打包文件", "pages.zh/c/tar.md=pages/c/tar.md=pages.de/c/tar.md"},
		{"few names in common", translated(pages[:2]...), "tar", "pages.de/c/tar.md pages.zh/c/tar.md pages/c/tar.md"},
		{"a name of many folders", translated("c/README.md", "c/ls.md", "c/cp.md"), "tar", "pages.de/c/README.md pages.zh/c/README.md pages/c/README.md"},
	} {
		if got := c.shelf.order(c.question); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestOriginal: without a sign of the language of a question the original stands, by
// the names of the folders and by how much is in them, whatever was found first.
func TestOriginal(t *testing.T) {
	words := map[string]string{"de": "das ist der Text von einer Seite", "en": "this is the text of a page", "en-GB": "this is the text of the page", "fr": "ceci est le texte pour les pages"}
	names := []string{"tar.md", "ls.md", "cp.md", "mv.md", "rm.md"}
	for _, c := range []struct {
		files    map[string]int // in each folder
		question string
		want     string
	}{
		{map[string]int{"de": 4, "en": 5, "fr": 3}, "tar", "docs/en/tar.md"},
		{map[string]int{"de": 4, "en": 5, "fr": 3}, "tar comment", "docs/en/tar.md"},
		{map[string]int{"de": 4, "en": 5, "fr": 3}, "come back, die", "docs/en/tar.md"},
		{map[string]int{"de": 4, "en": 5, "fr": 3}, "comment faire des archives", "docs/fr/tar.md"},
		{map[string]int{"de": 3, "en": 4, "en-GB": 5}, "tar", "docs/en/tar.md"},
	} {
		s := &shelf{}
		for _, folder := range []string{"fr", "de", "en-GB", "en"} {
			for _, name := range names[:c.files[folder]] {
				s.add("docs/"+folder+"/"+name, words[folder], kind.OrdinaryText)
			}
		}
		s.found = slices.DeleteFunc(s.found, func(c search.Candidate) bool { return !strings.HasSuffix(c.Document.Path, names[0]) })
		if got, _, _ := strings.Cut(s.order(c.question), "="); got != c.want {
			t.Errorf("%q of %v finds %s, want %s", c.question, c.files, got, c.want)
		}
	}
}

// TestUnclearLanguage: a page of commands alone is the original of one in a folder
// that is called by its language, and of none that is not.
func TestUnclearLanguage(t *testing.T) {
	for folder, want := range map[string]string{"pages.ko": "pages/tar.md=pages.ko/tar.md", "pages-ko-KR": "pages/tar.md=pages-ko-KR/tar.md", "korea": "korea/tar.md pages/tar.md"} {
		s := &shelf{}
		for _, name := range []string{"tar.md", "ls.md", "cp.md"} {
			s.add(folder+"/"+name, "파일의 권한을 변경", kind.OrdinaryText)
			s.add("pages/"+name, "tar -x archive", kind.OrdinaryText)
		}
		s.found = s.found[:2]
		if got := s.order("tar"); got != want {
			t.Errorf("%s: %s, want %s", folder, got, want)
		}
	}
}

// TestOneLanguageIsNoTranslation: the applications of a project have files of the same
// names, and diaries of several years.
func TestOneLanguageIsNoTranslation(t *testing.T) {
	s := &shelf{}
	for _, p := range []string{"shop/models.py", "shop/views.py", "shop/urls.py", "blog/models.py", "blog/views.py", "blog/urls.py"} {
		s.add(p, "what is in the "+p, kind.OrdinaryText)
	}
	if got := s.order("models"); strings.Contains(got, "=") || strings.Count(got, " ") != 5 {
		t.Errorf("folded: %s", got)
	}
}

// TestLikelyLanguage: a question that may be in several languages is answered in the one
// of them whose page has most of its words; folders named after languages are taken at
// their word, also where the pages in them are too short to tell.
func TestLikelyLanguage(t *testing.T) {
	texts := map[string]string{
		"pages": "this is the text of a page", "pages.fr": "ceci est le texte pour les pages", "pages.ca": "aquesta és una pàgina amb el text",
		"pages.nb": "viser filer", "pages.zh": "这是一页的内容", "pages.zh_TW": "這是一頁的內容",
	}
	for _, c := range []struct{ question, found, want string }{
		{"supprimer les fichiers", "pages pages.fr pages.ca", "pages.fr"},
		{"esborrar les fitxers", "pages.ca pages.fr pages", "pages.ca"},
		{"supprimer les fichiers", "pages pages.fr", "pages.fr"},
		{"hvordan er det med filer og når kan jeg vise dem", "pages pages.de pages.nb pages.fr", "pages.nb"},
		{"列出文件", "pages.zh_TW pages.zh pages", "pages.zh"},
		{"列出檔案與檔案的內容", "pages.zh pages.zh_TW pages", "pages.zh_TW"},
		{"列出文件", "pages.zh_TW pages.zh", "pages.zh"},
	} {
		s := &shelf{}
		for folder := range strings.FieldsSeq(c.found) {
			s.add(folder+"/ls.md", texts[folder], kind.OrdinaryText)
		}
		s.add("about.txt", "what this is all about", kind.OrdinaryText)
		for folder := range strings.FieldsSeq(c.found) {
			for _, name := range []string{"cp.md", "mv.md", "rm.md"} {
				s.documents = append(s.documents, search.NewDocument(&catalog.Record{Path: folder + "/" + name}, 0))
			}
		}
		ranked := s.ranked(c.question)
		if got := ranked.candidates[0].Document.Path; got != c.want+"/ls.md" || len(ranked.candidates) != 2 {
			t.Errorf("%q finds %s first, of %d; want that in %s for all", c.question, got, len(ranked.candidates), c.want)
		}
	}
}

// TestForeignBest: the version that has the words of the question is not given up for
// one that hardly has any.
func TestForeignBest(t *testing.T) {
	s := translated("c/tar.md", "c/ls.md", "c/cp.md")
	for i := range s.found {
		if s.found[i].Document.Path == "pages/c/tar.md" {
			s.found[i].Score = leastOfBest / 2
		}
	}
	if got, want := s.order("Archiv"), "pages.de/c/tar.md=pages/c/tar.md=pages.zh/c/tar.md"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestFoldingKeepsAll: whatever is folded, each document is found once, by itself or by
// one that stands for it, and the best score stays the best.
func TestFoldingKeepsAll(t *testing.T) {
	folders := []string{"", "en/", "de/", "zh/", "a/en/", "a/de/"}
	texts := []string{"this is the text", "das ist der Text", "这是内容", "tar"}
	for n := range 200 {
		s := &shelf{}
		for i := range 12 {
			at := (n*31 + i*i*7 + i) % 48
			p := fmt.Sprintf("%s%d.md", folders[at%len(folders)], at/len(folders)%4)
			if !slices.ContainsFunc(s.documents, func(d *search.Document) bool { return d.Path == p }) {
				s.add(p, texts[(at+n)%len(texts)], kind.OrdinaryText)
			}
		}
		ranked := s.ranked("the text")
		times := make(map[*search.Document]int)
		for _, c := range ranked.candidates {
			times[c.Document]++
			for _, v := range ranked.versions[c.Document] {
				times[v]++
			}
		}
		for _, d := range s.documents {
			if times[d] != 1 {
				t.Fatalf("%d: %s is found %d times: %s", n, d.Path, times[d], s.order("the text"))
			}
		}
		if ranked.candidates[0].Score != s.found[0].Score {
			t.Fatalf("%d: the best score is %v", n, ranked.candidates[0].Score)
		}
	}
}

func TestKinds(t *testing.T) {
	s := &shelf{}
	for p, k := range map[string]kind.Kind{"links.md": kind.LinkList} {
		s.add(p, "", k)
	}
	s.add("CHANGELOG.md", "", kind.ChangeLog)
	s.add("LICENSE", "", kind.Licence)
	s.add("paper.md", "", kind.References)
	s.add("bread.md", "how to bake", kind.OrdinaryText)
	for question, first := range map[string]string{
		"how to bake bread":         "bread.md",
		"what changed in version 2": "CHANGELOG.md",
		"which license is it under": "LICENSE",
		"参考文献":                      "paper.md",
		"a list of links":           "links.md",
		"changelog":                 "CHANGELOG.md",
	} {
		if got, _, _ := strings.Cut(s.order(question), " "); got != first {
			t.Errorf("%q finds %s first, want %s", question, got, first)
		}
	}
}

func TestNamesFile(t *testing.T) {
	for _, c := range []struct {
		question, path string
		want           bool
	}{
		{"what is in go.sum", "a/go.sum", true},
		{"show gchmod", "gchmod.md", true},
		{"show gchmods", "gchmod.md", false},
		{"egchmod gchmod", "gchmod.md", true},
		{"查看目录的内容", "目录.md", true},
		{"anything", ".md", false},
	} {
		if got := namesFile(c.question, c.path); got != c.want {
			t.Errorf("%q names %s: %t", c.question, c.path, got)
		}
	}
}
