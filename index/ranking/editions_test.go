package ranking

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/kind"
	"vademecum/docs/meta"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// edition is a passage of a document that is so long, about a topic.
func edition(p string, passages int, score float64, topic string) search.Candidate {
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "%s%d ", topic, i)
	}
	d := search.NewDocument(&catalog.Record{Path: p}, 0)
	d.Slots = make([]rank.Slot, passages)
	return search.Candidate{Chunk: search.Chunk{Document: d, Traits: kind.Traits{MinHash: kind.MinHashOf(text.String())}}, Score: score}
}

// named returns a candidate with a score for the names in the question.
func named(c search.Candidate, score float64) search.Candidate {
	c.Parts[byName] = score
	return c
}

func pathsOf(candidates []*search.Candidate) string {
	var all []string
	for _, c := range candidates {
		all = append(all, c.Document.Path)
	}
	return strings.Join(all, " ")
}

func TestOriginalsFirst(t *testing.T) {
	for _, c := range []struct {
		name, want string
		found      []search.Candidate
	}{
		{"a part of a compilation", "src/a.md other.md all/book.md", []search.Candidate{
			edition("all/book.md", 90, 1, "a"), edition("other.md", 5, .95, "b"), edition("src/a.md", 9, .9, "a")}},
		{"the shorter path", "a.md drafts/2024/a.md", []search.Candidate{
			edition("drafts/2024/a.md", 9, 1, "a"), edition("a.md", 10, .9, "a")}},
		{"of three", "a.md old/a.md drafts/2024/a.md", []search.Candidate{
			edition("drafts/2024/a.md", 9, 1, "a"), edition("old/a.md", 9, .9, "a"), edition("a.md", 9, .85, "a")}},
		{"far less of an answer", "all/book.md src/a.md", []search.Candidate{
			edition("all/book.md", 90, 1, "a"), edition("src/a.md", 9, .7, "a")}},
		{"letters in one folder", "letters/smith.md letters/jo.md", []search.Candidate{
			edition("letters/smith.md", 90, 1, "a"), edition("letters/jo.md", 1, .95, "a")}},
		{"a draft in the folder of its page", "ward/a.md ward/a (draft).md", []search.Candidate{
			edition("ward/a (draft).md", 9, 1, "a"), edition("ward/a.md", 9, .9, "a")}},
		{"a draft of another page there", "ward/b old.md ward/a.md", []search.Candidate{
			edition("ward/b old.md", 9, 1, "a"), edition("ward/a.md", 9, .9, "a")}},
		{"the newest of three years", "ward/plan 2024.md ward/plan 2021.md ward/plan 2019.md", []search.Candidate{
			edition("ward/plan 2019.md", 9, 1, "a"), edition("ward/plan 2021.md", 9, .95, "a"), edition("ward/plan 2024.md", 9, .9, "a")}},
		{"a year that is asked for", "ward/plan 2019.md ward/plan 2024.md", []search.Candidate{
			named(edition("ward/plan 2019.md", 9, 1, "a"), .2), edition("ward/plan 2024.md", 9, .9, "a")}},
		{"other texts of two years", "ward/plan 2019.md ward/plan 2024.md", []search.Candidate{
			edition("ward/plan 2019.md", 9, 1, "a"), edition("ward/plan 2024.md", 9, .9, "b")}},
		{"the newest version by edition number", "ward/plan v10.0.md ward/plan V2.1.md ward/plan v2.docx", []search.Candidate{
			edition("ward/plan v2.docx", 9, 1, "a"), edition("ward/plan V2.1.md", 9, .95, "a"), edition("ward/plan v10.0.md", 9, .9, "a")}},
		{"a later edition in Chinese", "规定第10版.md 规定第2版.md", []search.Candidate{
			edition("规定第2版.md", 9, 1, "a"), edition("规定第10版.md", 9, .9, "a")}},
		{"two chapters", "plan 1.md plan 2.md", []search.Candidate{
			edition("plan 1.md", 9, 1, "a"), edition("plan 2.md", 9, .9, "a")}},
		{"chapters in Chinese", "第2章.md 第10章.md", []search.Candidate{
			edition("第2章.md", 9, 1, "a"), edition("第10章.md", 9, .9, "a")}},
		{"a diary", "2019-05-01.md 2024-05-01.md", []search.Candidate{
			edition("2019-05-01.md", 9, 1, "a"), edition("2024-05-01.md", 9, .9, "a")}},
		{"another text", "all/book.md src/a.md", []search.Candidate{
			edition("all/book.md", 90, 1, "a"), edition("src/a.md", 9, .95, "b")}},
	} {
		found := make([]*search.Candidate, len(c.found))
		for i := range found {
			found[i] = &c.found[i]
		}
		scores := scoresOf(found)
		moveOriginalsFirst(found, 0)
		if got := pathsOf(found); got != c.want {
			t.Errorf("%s: the order is %s, want %s", c.name, got, c.want)
		}
		if !slices.Equal(scoresOf(found), scores) {
			t.Errorf("%s: the scores are %v, were %v", c.name, scoresOf(found), scores)
		}
		sum := 0.0
		for _, f := range found {
			sum += f.Parts[byOriginal] + f.Parts[byEdition]
			if isByEdition := strings.Contains(c.name, "year") || strings.Contains(c.name, "edition"); f.Parts[byOriginal] != 0 && isByEdition || f.Parts[byEdition] != 0 && !isByEdition {
				t.Errorf("%s: the scores are explained by %v", c.name, f.Parts)
			}
		}
		if math.Abs(sum) > 1e-9 {
			t.Errorf("%s: %v more was given than taken", c.name, sum)
		}
	}
}

func scoresOf(candidates []*search.Candidate) (scores []float64) {
	for _, c := range candidates {
		scores = append(scores, math.Round(c.Score*1e9)/1e9)
	}
	return scores
}

// copying has some copies of whatever is asked for.
type copying struct {
	search.View
	copies []search.Chunk
}

func (c copying) AppendCopies(_ context.Context, to []search.Chunk, _ map[rank.ChunkTextHash]bool, _ search.Filter) ([]search.Chunk, error) {
	return append(to, c.copies...), nil
}

func TestTakeOriginals(t *testing.T) {
	book, page := edition("all/book.md", 90, 1, "a"), edition("src/a.md", 9, 0, "a")
	copies := copying{copies: []search.Chunk{book.Chunk, page.Chunk, edition("x/src/a.md", 9, 0, "a").Chunk}}
	originals := func(found ...search.Candidate) string {
		r := newRanking(Question{}, copies, found)
		if err := replaceByOriginals(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, c := range r.candidates {
			paths = append(paths, c.Document.Path)
		}
		return strings.Join(paths, " ")
	}
	other := edition("b.md", 900, .5, "b")
	other.ContentHash = rank.ChunkTextHash{1}
	if got := originals(book, other); got != "src/a.md b.md" {
		t.Errorf("the originals are %s", got)
	}
	for _, parts := range []search.ScoreParts{{byName: namedByName}, {byFolder: namedByFolder}} {
		meant := book
		meant.Parts = parts
		if originals(meant) != "all/book.md" {
			t.Errorf("a document that is named (%+v) gives way to a copy", parts)
		}
	}
}

func TestIsDraftOf(t *testing.T) {
	field := func(key, value string) meta.Data {
		return meta.Data{Fields: []meta.Field{{Key: key, Values: []string{value}}}}
	}
	for _, c := range []struct {
		path string
		says meta.Data
		want bool
	}{
		{"a.md", meta.Data{}, false},
		{"drafts/a.md", meta.Data{}, true},
		{"a - Copy.md", meta.Data{}, false}, // there is no a.md
		{"copies/a.md", meta.Data{}, true},
		{"Kopien/a.md", meta.Data{}, true},
		{"Copy number/a.md", meta.Data{}, false},
		{"Copy number variation.md", meta.Data{}, false},
		{"拷贝数变异.md", meta.Data{}, false},
		{"plan_old.txt", meta.Data{}, true},
		{"文档/草稿1.md", meta.Data{}, true},
		{"plan draft2.md", meta.Data{}, true},
		{"plan v2.md", meta.Data{}, false},
		{"旧稿/计划.md", meta.Data{}, true},
		{"旧/计划.md", meta.Data{}, true},
		{"golden/copyright.md", meta.Data{}, false},
		{"notes.old", meta.Data{}, false}, // the kind of file that it is
		{"b.md", field("draft", "True"), true},
		{"b.md", field("draft", "false"), false},
		{"b.md", field("status", "draft"), true},
	} {
		d, other := search.NewDocument(&catalog.Record{Path: c.path, Meta: c.says}, 0), search.NewDocument(&catalog.Record{Path: "x/y/z/final.md"}, 0)
		if isDraftOf(d, other) != c.want || isOriginal(other, d) != c.want {
			t.Errorf("%s %v: it is a draft: %t, want %t", c.path, c.says.Fields, isDraftOf(d, other), c.want)
		}
		if isDraftOf(d, d) {
			t.Errorf("%s is a draft of itself", c.path)
		}
	}
}

func TestIsDraftOfSameName(t *testing.T) {
	document := func(path string) *search.Document { return search.NewDocument(&catalog.Record{Path: path}, 0) }
	for _, c := range []struct {
		draft, page string
		want        bool
	}{
		{"plan (draft).md", "plan.pdf", true},
		{"plan.draft.md", "plan.md", true},
		{"plan_old.md", "plan.md", true},
		{"plan-bak-2024.md", "plan.md", true},
		{"Plan - Copy (2).md", "plan.md", true},
		{"Plan - Kopie.md", "Plan.md", true},
		{"Plan - Copy - Copy.md", "Plan.md", true},
		{"Plan - copie.md", "Plan.md", true},
		{"Plan copia 3.md", "Plan.md", true},
		{"Copy of Plan.md", "Plan.md", true},
		{"Kopie von Plan 2.md", "Plan 2.md", true},
		{"Sicherungskopie von Plan.md", "Plan.md", true},
		{"plan (1).md", "plan.md", true},
		{"plan（12）.md", "plan.md", true},
		{"drafts/plan.md", "a/b/plan.md", true},
		{"archive/old/plan.md", "archive/plan.md", true},
		{"archive/plan - Kopie.md", "archive/plan.md", true},
		{"旧版计划.md", "计划.md", true},
		{"旧计划.md", "计划.md", true},
		{"计划（旧）.md", "计划.md", true},
		{"计划（副本）.md", "x/计划.md", true},
		{"计划 - 副本 (2).md", "计划.md", true},
		{"计划副本2.md", "计划.md", true},
		{"计划的副本.md", "计划.md", true},
		{"复件 计划.md", "计划.md", true},
		{"計画のコピー.md", "計画.md", true},
		{"plan 1 (draft).md", "plan 2.md", false},
		{"plan (2023).md", "plan.md", false},
		{"plan (1).md", "plan (2).md", false},
		{"Copy number variation.md", "number variation.md", false},
		{"drafts/plan.md", "planning.md", false},
		{"drafts/plan.md", "drafts/plan 2/plan.md", false}, // both are drafts
		{"drafts/copy.md", "draft.md", false},              // no name is left
		{"plan.md", "x/plan.md", false},
	} {
		draft, page := document(c.draft), document(c.page)
		if isDraftOfSameName(draft, page) != c.want || isDraftOfSameName(page, draft) {
			t.Errorf("%s is a draft of %s: %t, want %t, and the other of it: %t", c.draft, c.page, isDraftOfSameName(draft, page), c.want, isDraftOfSameName(page, draft))
		}
	}
}
