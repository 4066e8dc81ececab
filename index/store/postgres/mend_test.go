package postgres

import (
	"errors"
	"strings"
	"testing"

	"vademecum/docs/text"
	"vademecum/index/lexical/analysis"
	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/catalogtest"
	"vademecum/index/store/postgres/schema"
)

// passaged is a document with a passage that is the whole of it.
func passaged(path, words string) catalog.RecordWithBody {
	e := indexed(path, words)
	e.Chunks = []catalog.Chunk{{Span: text.Span{EndByte: len(words), StartLine: 1, EndLine: 1}, Terms: analysis.CountTerms(analysis.ChunkNames{}, words)}}
	return e
}

// mended is a library of six documents in two segments, in the place of another.
func mended(t *testing.T, s *Store, name string) *Catalog {
	t.Helper()
	c := named(t, s, name)
	for _, some := range [][]catalog.RecordWithBody{
		{passaged("1.md", "warfarin thins blood"), passaged("22.md", "old words"), passaged("333.md", "insulin lowers sugar")},
		{passaged("22.md", "metformin as well"), passaged("4444.md", "sleep is a remedy"), passaged("55555.md", "salt and 血压"), passaged("666666.md", "a visit")},
	} {
		_, err := c.Put(t.Context(), some...)
		must(t, err)
	}
	return c
}

// inLibrary is a statement about the rows of the library $1 alone.
func inLibrary(statement string) string {
	if strings.Contains(statement, "vademecum.libraries") {
		return statement + " WHERE id = $1"
	}
	if !strings.Contains(statement, "WHERE ") {
		return statement + " WHERE library = $1"
	}
	return strings.ReplaceAll(statement, "WHERE ", "WHERE library = $1 AND ")
}

// TestMend: of a document that is damaged alone nothing is left, so that it is indexed
// again; of a library in which something is damaged that documents have in common,
// nothing at all. What is whole stays.
func TestMend(t *testing.T) {
	_, s, _ := tended(t)
	must(t, schema.CheckVersion(t.Context(), s.DB))
	ctx := t.Context()
	whole := mended(t, s, "whole")
	for name, harm := range map[string]struct {
		statement string
		documents int // that go; 0: all
	}{
		"a text is gone":          {"DELETE FROM vademecum.texts WHERE text = 'metformin as well'::bytea", 1},
		"a text is another's":     {"UPDATE vademecum.texts SET text = 'other words and so'::bytea WHERE text = 'metformin as well'::bytea", 1},
		"chunks are gone":         {"DELETE FROM vademecum.chunks WHERE document = (SELECT max(document) FROM vademecum.chunks WHERE true)", 1},
		"a title is another":      {"UPDATE vademecum.documents SET title = 'x' WHERE path = '1.md'", 1},
		"a passage is gone":       {"DELETE FROM vademecum.passages WHERE slot = 4", 1},
		"a passage is another":    {"UPDATE vademecum.passages SET chunk = (SELECT chunk FROM vademecum.passages WHERE slot = 0) WHERE slot = 4", 1},
		"a wording is another":    {"UPDATE vademecum.passages SET wording = ''::bytea WHERE slot = 4", 1},
		"a sketch is zero":        {"UPDATE vademecum.passages SET sketch = decode(repeat('00', octet_length(sketch)), 'hex') WHERE slot = 4", 1},
		"a path is not found":     {"UPDATE vademecum.documents SET path_key = ''::bytea WHERE path = '1.md'", 1},
		"a document is gone":      {"DELETE FROM vademecum.documents WHERE path = '1.md'", 0},
		"segments are gone":       {"DELETE FROM vademecum.segments", 0},
		"a list is gone":          {"DELETE FROM vademecum.postings WHERE term = 'warfarin'::bytea", 0},
		"a list is another":       {"UPDATE vademecum.postings SET list = (SELECT list FROM vademecum.postings WHERE term = 'sleep'::bytea) WHERE term = 'insulin'::bytea", 0},
		"what was gone is there":  {"DELETE FROM vademecum.gone", 0},
		"a word is gone":          {"DELETE FROM vademecum.vocabulary WHERE word = 'warfarin'::bytea", 0},
		"a word is another":       {"UPDATE vademecum.vocabulary SET word = 'warfare'::bytea WHERE word = 'warfarin'::bytea", 0},
		"the sum of terms":        {"UPDATE vademecum.libraries SET terms = terms + 1", 0},
		"slots are given again":   {"UPDATE vademecum.libraries SET next_slot = 2", 0},
		"the last change":         {"UPDATE vademecum.libraries SET last_change = 1", 0},
		"a number below zero":     {"UPDATE vademecum.segments SET slots = -1", 0},
		"a passage of nobody's":   {"INSERT INTO vademecum.passages SELECT library, 1, wording, text_key, chunk, sketch FROM vademecum.passages WHERE slot = 0", 0},
		"where a document begins": {"UPDATE vademecum.documents SET slot = 0 WHERE path = '333.md'", 0},
	} {
		t.Run(name, func(t *testing.T) {
			c := mended(t, s, name)
			tag, err := s.Pool.Exec(ctx, inLibrary(harm.statement), c.ID)
			must(t, err)
			if tag.RowsAffected() == 0 {
				t.Fatal("nothing is damaged")
			}
			done, err := c.Repair(ctx, true, func() bool { return true })
			must(t, err)
			if !errors.Is(done.Damage, catalog.ErrDamaged) || done.RemovedDocuments != harm.documents || done.RemovedAll != (harm.documents == 0) {
				t.Fatalf("it does %+v", done)
			}
			if _, err := c.ForeignVersion(ctx); errors.Is(err, catalog.ErrStorageRemoved) != done.RemovedAll {
				t.Errorf("after that: %v", err)
			}
			again := named(t, s, name)
			if done, err := again.Repair(ctx, true, func() bool { return true }); err != nil || done.Damage != nil {
				t.Errorf("once more: %+v, %v", done, err)
			}
			left, err := catalogtest.Records(ctx, again)
			if want := 6 - harm.documents; err != nil || len(left) != want && !done.RemovedAll || done.RemovedAll && len(left) > 0 {
				t.Errorf("%d documents are left, %v", len(left), err)
			}
		})
	}
	if done, err := whole.Repair(ctx, true, func() bool { return true }); err != nil || done != (catalog.RepairResult{}) {
		t.Errorf("what is whole: %+v, %v", done, err)
	}
}

// TestVectorsMended: a vector that is not what was written counts as none, and goes.
func TestVectorsMended(t *testing.T) {
	_, s, _ := tended(t)
	ctx := t.Context()
	c := mended(t, s, "vectors")
	keys := []catalog.EmbeddingKey{{1}, {2}}
	must(t, c.SaveVectors(ctx, "", map[catalog.EmbeddingKey][]float32{{1}: {1, 2}, {2}: {3, 4}}))
	if done, err := c.Repair(ctx, true, func() bool { return true }); err != nil || done != (catalog.RepairResult{}) || c.Condition().SkippedDamageCount > 0 {
		t.Fatalf("what is whole: %+v, %v", done, err)
	}
	_, err := s.Pool.Exec(ctx, "UPDATE vademecum.vectors SET checksum = checksum + 1 WHERE model = $1 AND vector = '{1,2}'", c.ModelID)
	must(t, err)
	if found, err := c.FindVectors(ctx, keys); err != nil || len(found) != 1 || c.Condition().SkippedDamageCount != 1 {
		t.Errorf("it finds %v, %v", found, err)
	}
	if done, err := c.Repair(ctx, true, func() bool { return false }); err != nil || done.RemovedVectors != 1 || done.Damage == nil {
		t.Errorf("it does %+v, %v", done, err)
	}
	must(t, c.SaveVectors(ctx, "", map[catalog.EmbeddingKey][]float32{{1}: {1, 2}}))
	if found, err := c.FindVectors(ctx, keys); err != nil || len(found) != 2 || c.Condition().SkippedDamageCount != 1 {
		t.Errorf("in the end %v, %v", found, err)
	}
}

// TestCompare: without a look at what rows hold it is noticed when others have written some,
// and that all is to be read again after this program has.
func TestCompare(t *testing.T) {
	_, s, _ := tended(t)
	ctx := t.Context()
	for name, statement := range map[string]string{
		"a text is gone":         "DELETE FROM vademecum.texts WHERE text = 'metformin as well'::bytea",
		"a list is gone":         "DELETE FROM vademecum.postings WHERE term = 'warfarin'::bytea",
		"a list is another":      "UPDATE vademecum.postings SET list = (SELECT list FROM vademecum.postings WHERE term = 'sleep'::bytea) WHERE term = 'insulin'::bytea",
		"a title is another":     "UPDATE vademecum.documents SET title = 'x' WHERE path = '1.md'",
		"segments are gone":      "DELETE FROM vademecum.segments",
		"what was gone is there": "DELETE FROM vademecum.gone",
		"the last change":        "UPDATE vademecum.libraries SET last_change = 1",
	} {
		t.Run(name, func(t *testing.T) {
			c := mended(t, s, "compared: "+name)
			if err := c.verifyCounts(ctx); !errors.Is(err, errUnread) {
				t.Errorf("at first it says %v", err)
			}
			_, err := c.Repair(ctx, true, func() bool { return true })
			must(t, err)
			for range 2 {
				must(t, c.verifyCounts(ctx))
			}
			_, err = c.Put(ctx, passaged("7.md", "written meanwhile"))
			must(t, err)
			for range 2 { // others may have written beside it
				if err := c.verifyCounts(ctx); !errors.Is(err, errUnread) {
					t.Errorf("after a change it says %v", err)
				}
			}
			if done, err := c.Repair(ctx, true, func() bool { return true }); err != nil || done != (catalog.RepairResult{}) {
				t.Errorf("after a change it does %+v, %v", done, err)
			}
			must(t, c.verifyCounts(ctx))
			_, err = s.Pool.Exec(ctx, inLibrary(statement), c.ID)
			must(t, err)
			for range 2 {
				if err := c.verifyCounts(ctx); !errors.Is(err, catalog.ErrDamaged) {
					t.Errorf("it says %v", err)
				}
			}
			if _, err := c.Repair(ctx, true, func() bool { return false }); err != nil {
				t.Error(err)
			}
		})
	}
}
