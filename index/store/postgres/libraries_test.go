package postgres

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/catalogtest"
	"vademecum/internal/base/message"
)

// TestLibrariesAreApart: what is in one library cannot be had from another, whatever
// its number.
func TestLibrariesAreApart(t *testing.T) {
	s, ctx := serving(t), t.Context()
	mine, theirs := named(t, s, anyName()), named(t, s, anyName())
	w, err := theirs.Put(ctx, catalog.RecordWithBody{Record: catalog.Record{Path: "secret.md", Title: "Secret"}})
	must(t, err)
	must(t, theirs.SaveVectors(ctx, "", map[catalog.EmbeddingKey][]float32{{1}: {1, 0}}))
	must(t, theirs.RecordRefusals(ctx, map[catalog.EmbeddingKey]string{{2}: "too long"}))
	must(t, theirs.SetValue(ctx, "key", "value"))
	number, err := catalog.NewRequestMailbox(theirs).SubmitRequest(ctx, "please")
	must(t, err)

	row, id := catalog.Record{ID: w.IDs[0], Path: "secret.md"}, w.IDs[0]
	if r, err := mine.Record(ctx, id); err != nil || r.ID != 0 {
		t.Errorf("its document: %+v, %v", r, err)
	}
	if b, err := mine.LoadBodies(ctx, map[int64][32]byte{id: {}}); err != nil || len(b) != 0 {
		t.Errorf("its text: %v, %v", b, err)
	}
	if all, err := catalogtest.Records(ctx, mine); err != nil || len(all) != 0 {
		t.Errorf("its documents: %v, %v", all, err)
	}
	if v, err := mine.FindVectors(ctx, []catalog.EmbeddingKey{{1}}); err != nil || len(v) != 0 {
		t.Errorf("its vectors: %v, %v", v, err)
	}
	if r, err := mine.RefusedSlots(ctx, time.Time{}); err != nil || len(r) != 0 {
		t.Errorf("its refusals: %v, %v", r, err)
	}
	if v, err := mine.Value(ctx, "key"); err != nil || v != "" {
		t.Errorf("its value: %q, %v", v, err)
	}
	if all, err := catalog.NewRequestMailbox(mine).PendingRequests(ctx); err != nil || len(all) != 0 {
		t.Errorf("its requests: %v, %v", all, err)
	}
	must(t, catalog.NewRequestMailbox(mine).AnswerRequest(ctx, number, "no"))
	must(t, catalog.NewRequestMailbox(mine).CancelRequest(ctx, number))
	must(t, mine.DeleteVectors(ctx))
	must(t, mine.ClearRefusals(ctx))
	row.Size = 99
	_, err = mine.Touch(ctx, []catalog.Record{row})
	must(t, err)
	_, err = mine.Remove(ctx, "secret.md")
	must(t, err)
	if r, err := theirs.Record(ctx, id); err != nil || r.Title != "Secret" || r.Size != 0 {
		t.Errorf("the document has become %+v, %v", r, err)
	}
	if a, err := catalog.NewRequestMailbox(theirs).ReadAnswer(ctx, number); err != nil || a != "" {
		t.Errorf("the request was answered %q, %v", a, err)
	}
	if v, _, err := theirs.VectorsSavedAfter(ctx, 0); err != nil || len(v) != 1 {
		t.Errorf("the vectors are %v, %v", v, err)
	}
}

// TestFormats: programs of two formats have documents of their own and the same
// vectors.
func TestFormats(t *testing.T) {
	s, ctx, name := serving(t), t.Context(), anyName()
	old := named(t, s, name)
	_, err := old.Put(ctx, skipped("a.md"))
	must(t, err)
	must(t, old.SaveVectors(ctx, "", map[catalog.EmbeddingKey][]float32{{1}: {1, 0}}))
	_, err = s.Pool.Exec(ctx, "UPDATE vademecum.libraries SET format = $1 WHERE id = $2", catalog.FormatVersion-1, old.ID)
	must(t, err)
	next := named(t, s, name)
	if all, err := catalogtest.Records(ctx, next); err != nil || len(all) != 0 {
		t.Errorf("the next format begins with %v, %v", all, err)
	}
	if v, _, err := next.VectorsSavedAfter(ctx, 0); err != nil || len(v) != 1 {
		t.Errorf("it has the vectors %v, %v", v, err)
	}
	_, err = next.Put(ctx, skipped("b.md"))
	must(t, err)
	if all, err := catalogtest.Records(ctx, old); err != nil || len(all) != 1 || all[0].Path != "a.md" {
		t.Errorf("the old one has %v, %v", all, err)
	}
}

// TestModelOfLastUse: with no name the model stays, with another the last is reported.
func TestModelOfLastUse(t *testing.T) {
	s, ctx, name := serving(t), t.Context(), anyName()
	named(t, s, name)
	for _, step := range []struct{ name, model, before string }{{"", "m", ""}, {"n", "n", "m"}, {"", "n", ""}} {
		c, err := s.OpenCatalog(ctx, name, step.name)
		must(t, err)
		if model := c.Describe().Model; model != step.model || c.PreviousModel != step.before {
			t.Errorf("opened with %q: the model is %q after %q", step.name, model, c.PreviousModel)
		}
	}
}

// TestDamageIsNoticed: rows that somebody has changed do not pass for what was saved.
func TestDamageIsNoticed(t *testing.T) {
	s, ctx := serving(t), t.Context()
	for name, statement := range map[string]string{
		"title":   "UPDATE vademecum.documents SET title = 'Another' WHERE library = %d",
		"no skip": "UPDATE vademecum.documents SET skip = '' WHERE library = %d",
		"chunks":  "INSERT INTO vademecum.chunks SELECT library, id, 0, '', 0 FROM vademecum.documents WHERE library = %d",
		"vectors": "UPDATE vademecum.vectors SET vector = '{0,1}' WHERE model = (SELECT max(id) FROM vademecum.models) AND %d > 0",
	} {
		c := named(t, s, anyName())
		_, err := c.Put(ctx, skipped("a.md"))
		must(t, err)
		must(t, c.SaveVectors(ctx, "", map[catalog.EmbeddingKey][]float32{{1}: {1, 0}}))
		as(t, fmt.Sprintf(statement, c.ID))
		_, records := catalogtest.Records(ctx, c)
		_, changes := c.Changes(ctx, 0)
		found, _, err := c.VectorsSavedAfter(ctx, 0)
		must(t, err)
		var noticed []bool
		for _, err := range []error{records, changes} {
			noticed = append(noticed, err != nil && strings.Contains(err.Error(), catalog.ErrDamaged.Error()))
		}
		noticed = append(noticed, c.Condition().SkippedDamageCount > 0) // a vector that is damaged counts as none
		if isVector := name == "vectors"; !slices.Equal(noticed, []bool{!isVector, !isVector, isVector}) {
			t.Errorf("%s: documents, changes, vectors: %v, %v, %v", name, records, changes, found)
		}
	}
}

// FuzzStrings: whatever a client or a document says is kept as it is, and nothing is
// taken for a statement.
func FuzzStrings(f *testing.F) {
	for _, s := range []string{"plain", "'; DROP TABLE vademecum.documents; --", `\'"$1 $$ %s`, "\x00", "a\x00\uFDD0\uFDD1b", "血压\u2028", strings.Repeat("long/", 900)} {
		f.Add(s, s)
	}
	s := serving(f)
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) { // so much is sure of what is put
			return
		}
		ctx := t.Context()
		name := rand.Text() + a
		c, err := s.OpenCatalog(ctx, name, b)
		if isLong := len(name) > 500 || len(b) > 500; isLong != (err != nil) {
			t.Fatalf("a library called %q with the model %q: %v", name, b, err)
		} else if isLong {
			c = named(t, s, anyName())
		}
		want := []string{a, b, a, b + "!", a, b, a}
		_, err = c.Put(ctx, catalog.RecordWithBody{Record: catalog.Record{Path: a, Title: b, ExtractionNote: message.Message(a), SkipReason: message.Message(b + "!"), MIME: a, TextMIME: b, Encoding: a}})
		must(t, err)
		got, err := catalogtest.Records(ctx, c)
		must(t, err)
		if r := got[0]; !slices.Equal([]string{r.Path, r.Title, string(r.ExtractionNote), string(r.SkipReason), r.MIME, r.TextMIME, r.Encoding}, want) {
			t.Errorf("%q comes back as %+v", want, r)
		}
		if w, err := c.Remove(ctx, a); err != nil || w.LastChange != 2 {
			t.Errorf("removed %+v, %v", w, err)
		}
	})
}
