package live_test

import (
	"fmt"
	"slices"
	"testing"

	"vademecum/docs/meta"
	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/memindex"
	"vademecum/index/search"
	"vademecum/index/store/catalog"

	"vademecum/internal/base/message"
)

// TestGatheredFollows: what documents say is the same whether they were asked before
// others came and went or after that.
func TestGatheredFollows(t *testing.T) {
	before, after := memindex.New(0, indextest.NewCountingModel(t)), memindex.New(0, indextest.NewCountingModel(t))
	both := func(do func(st *live.Store)) { do(before); do(after) }
	put := func(p string, said meta.Data) {
		both(func(st *live.Store) {
			indextest.Must(t, st.PutClientText(t.Context(), catalog.RecordWithBody{Record: catalog.Record{Path: p, Meta: said}}))
		})
	}
	said := func(st *live.Store) (all []string) {
		for _, only := range []meta.Conditions{{meta.Condition{Tag: "heart"}}, {meta.Condition{NotAfter: 20240000}}, {meta.Condition{Key: "state", Value: "draft"}}} {
			for _, d := range st.Matching(search.Filter{Conditions: only}) {
				all = append(all, fmt.Sprint(only, d.Path))
			}
		}
		for _, d := range st.All() {
			for _, from := range st.LinkingTo(d, 0) {
				all = append(all, from.Path+" to "+d.Path)
			}
		}
		for _, d := range st.LinkTargetsNamed("three") {
			all = append(all, "three is "+d.Path)
		}
		for _, c := range st.FrontMatterKeys() {
			all = append(all, fmt.Sprint(c))
		}
		slices.Sort(all)
		return all
	}
	draft := []meta.Field{{Key: "state", Values: []string{"draft"}}}
	put("one.md", meta.Data{Tags: []string{"heart"}, LinkTargets: []string{"two"}, Fields: draft})
	put("two.md", meta.Data{Date: 20230500})
	said(before)
	put("a/three.md", meta.Data{Tags: []string{"heart"}, LinkTargets: []string{"one", "two"}, Fields: draft})
	put("two.md", meta.Data{Date: 20250500, LinkTargets: []string{"three"}})
	both(func(st *live.Store) { st.ForgetAt(search.Location{Folder: search.NoFolder, Path: "one.md"}) })
	put("four.md", meta.Data{Date: 20200500, LinkTargets: []string{"a/three"}})
	got, want := said(before), said(after)
	if !slices.Equal(got, want) || len(want) < 6 {
		t.Errorf("asked before: %q, after: %q", got, want)
	}
}

// TestCommonIsHeldOnce: what is the same for many documents is held once, also when
// there is much that no two have in common.
func TestCommonIsHeldOnce(t *testing.T) {
	st := memindex.New(0, indextest.NewCountingModel(t))
	held := func(r catalog.Record) *search.InternedFields {
		indextest.Must(t, st.PutClientText(t.Context(), catalog.RecordWithBody{Record: r}))
		d, _ := st.Document(search.Location{Folder: search.NoFolder, Path: r.Path})
		return d.InternedFields
	}
	first, second := held(catalog.Record{Path: "a.md", MIME: "text/markdown"}), held(catalog.Record{Path: "b.md", MIME: "text/markdown"})
	if other := held(catalog.Record{Path: "c.pdf", MIME: "application/pdf"}); first != second || other == first || other.MIME != "application/pdf" {
		t.Errorf("%p and %p of one kind, %p of another", first, second, other)
	}
	for i := range 3 * live.MostCommons {
		held(catalog.Record{Path: fmt.Sprint(i), SkipReason: message.Message(fmt.Sprint("reason ", i))})
	}
	if st.CountCommons() > live.MostCommons+1 {
		t.Errorf("%d are known", st.CountCommons())
	}
}
