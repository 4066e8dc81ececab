package location

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"vademecum/docs"
	"vademecum/index/roots"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres"
)

// execute runs a statement in a database.
func execute(t *testing.T, address, statement string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, address)
	must(t, err)
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	must(t, err)
}

// openedLibrary opens a storage, puts documents there as the one that indexes, and closes what
// it has open in the end.
func openedLibrary(t *testing.T, h roots.Storage, paths ...string) roots.OpenedCatalog {
	t.Helper()
	c, err := h.Open(t.Context(), model)
	must(t, err)
	t.Cleanup(func() { _ = c.Close() })
	if len(paths) > 0 {
		awaitHeld(t, h.IndexingLease())
	}
	for _, path := range paths {
		_, err := c.Put(t.Context(), document(path, "text of "+path))
		must(t, err)
	}
	return c
}

func isThere([]string) bool    { return true }
func isNotThere([]string) bool { return false }

// TestRepairLibrary: of a library that others share only what is damaged goes, and all of
// it only where the folder has the files.
func TestRepairLibrary(t *testing.T) {
	const oneText = "DELETE FROM vademecum.texts WHERE text = 'text of a.md'::bytea"
	const allSegments = "DELETE FROM vademecum.segments"
	for name, c := range map[string]struct {
		harm     string
		hasFiles func([]string) bool
		paths    string // that are left; "-": it fails
	}{
		"a text is gone":                          {oneText, isNotThere, "b.md"},
		"postings are gone":                       {allSegments, isThere, ""},
		"postings are gone of what nobody sees":   {allSegments, isNotThere, "-"},
		"nothing is found to be damaged, for now": {"SELECT 1", isThere, "-"},
	} {
		t.Run(name, func(t *testing.T) {
			address := newDatabase(t)
			h := libraryOf(t, address, folder(t))
			opened := openedLibrary(t, h, "a.md", "b.md")
			execute(t, address, c.harm)
			var asked []string
			r, err := h.Repair(t.Context(), model, opened.Catalog, opened.Condition(), func(paths []string) bool {
				asked = slices.Sorted(slices.Values(paths))
				return c.hasFiles(paths)
			})
			if isAll := c.harm == allSegments; isAll != slices.Equal(asked, []string{"a.md", "b.md"}) || !isAll && asked != nil {
				t.Errorf("of the files %q it is asked whether they are there", asked)
			}
			if c.paths == "-" {
				if !errors.Is(err, catalog.ErrDamaged) || r.Catalog != nil {
					t.Errorf("it is repaired: %+v, %v", r, err)
				}
				return
			}
			must(t, err)
			defer r.Close()
			if mustHold(t, r, c.paths, 0); r.CopiedUpToChange != -1 || r.RebuildReason == "" || r.RepairReason != r.RebuildReason.String() {
				t.Errorf("it follows change %d: %s, %s", r.CopiedUpToChange, r.RepairReason, r.RebuildReason)
			}
		})
	}
}

// TestRepairOfOthers: whoever does not see the files removes nothing.
func TestRepairOfOthers(t *testing.T) {
	address := newDatabase(t)
	mine := openedLibrary(t, libraryOf(t, address, folder(t)), "a.md", "b.md")
	away := libraryOf(t, address, docs.NewRemote("notes"))
	opened := openedLibrary(t, away)
	execute(t, address, "DELETE FROM vademecum.texts WHERE text = 'text of a.md'::bytea")
	_, err := away.Repair(t.Context(), model, opened.Catalog, opened.Condition(), func([]string) bool { t.Error("it is asked for files that it does not see"); return true })
	if !errors.Is(err, catalog.ErrDamaged) {
		t.Errorf("it is repaired: %v", err)
	}
	mustHold(t, mine, "a.md b.md", 0)
}

// TestTablesAreMadeAgain: whoever sees the files has tables made again that are gone, and says
// so; who does not see them leaves that to others.
func TestTablesAreMadeAgain(t *testing.T) {
	address := newDatabase(t)
	openedLibrary(t, libraryOf(t, address, folder(t)), "a.md")
	execute(t, address, "DROP TABLE vademecum.requests")
	if _, err := libraryOf(t, address, docs.NewRemote("notes")).Open(t.Context(), model); !errors.Is(err, catalog.ErrSetupRequired) {
		t.Errorf("who sees no files opens it: %v", err)
	}
	again := openedLibrary(t, libraryOf(t, address, folder(t)))
	if mustHold(t, again, "a.md", 0); !strings.Contains(again.RebuildReason.String(), "requests") {
		t.Errorf("it is opened as %q", again.RebuildReason)
	}
}

// TestRestoreLibrary: tables that go while the database is open are made again, and are not
// looked for before anything was opened.
func TestRestoreLibrary(t *testing.T) {
	address := newDatabase(t)
	h := libraryOf(t, address, folder(t))
	if made, err := h.RestoreMissingParts(t.Context(), true); err != nil || made.RecreatedObjects != nil {
		t.Errorf("before it is open: %v, %v", made, err)
	}
	c := openedLibrary(t, h, "a.md")
	if made, err := h.RestoreMissingParts(t.Context(), true); err != nil || len(made.RecreatedObjects) > 0 {
		t.Errorf("where nothing is gone: %v, %v", made, err)
	}
	for table, lost := range map[string]bool{"requests": false, "refusals": true} {
		execute(t, address, "DROP TABLE vademecum."+table)
		made, err := h.RestoreMissingParts(t.Context(), false)
		if err != nil || made.LostVectorRecords != lost || !slices.ContainsFunc(made.RecreatedObjects, func(m string) bool { return strings.Contains(m, table) }) {
			t.Errorf("without %s it makes %+v, %v", table, made, err)
		}
	}
	mustHold(t, c, "a.md", 0)
}

// librariesIn returns the libraries of a database, until the end of the test.
func librariesIn(t *testing.T, address string) *LibraryStorages {
	t.Helper()
	all, err := NewLibraryStorages(address, []string{"notes"}, model, 0)
	must(t, err)
	t.Cleanup(func() { must(t, all.Close()) })
	return all
}

// TestTell: opened is called with each catalogue before it is used, by
// the number of its folder.
func TestTell(t *testing.T) {
	address := newDatabase(t)
	all := librariesIn(t, address)
	told := make(map[int]*postgres.Catalog)
	all.opened = func(folder int, c *postgres.Catalog) { told[folder] = c }
	h, err := all.StorageOf(folder(t), 0)
	must(t, err)
	t.Cleanup(func() { must(t, errors.Join(h.IndexingLease().Release(), h.EmbeddingLease().Release())) })
	if seen, err := h.OpenReadOnly(t.Context()); err != nil || seen.Catalog != nil || len(told) > 0 {
		t.Errorf("before there is one: %+v, %v, told of %v", seen, err, told)
	}
	c := openedLibrary(t, h, "a.md")
	if told[0] != c.Catalog {
		t.Errorf("it is told of %v", told)
	}
	seen, err := h.OpenReadOnly(t.Context())
	must(t, err)
	defer seen.Close()
	if told[0] != seen.Catalog || seen.Catalog == c.Catalog {
		t.Errorf("after a look it is told of %v", told)
	}
}

// TestKeepModels: who only asks leaves a library to the model that it is indexed with.
func TestKeepModels(t *testing.T) {
	address := newDatabase(t)
	openedLibrary(t, libraryOf(t, address, folder(t)), "a.md")
	all := librariesIn(t, address)
	all.KeepLibraryModels()
	h, err := all.StorageOf(docs.NewRemote("notes"), 0)
	must(t, err)
	t.Cleanup(func() { must(t, errors.Join(h.IndexingLease().Release(), h.EmbeddingLease().Release())) })
	c, err := h.OpenEphemeral(t.Context(), "test/another")
	must(t, err)
	defer c.Close()
	if c.PreviousModel != model || c.KeptModel != model {
		t.Errorf("before it was that of %q, kept is %q", c.PreviousModel, c.KeptModel)
	}
	if again := openedLibrary(t, libraryOf(t, address, folder(t))); again.PreviousModel != "" {
		t.Errorf("it became that of another model: %q before", again.PreviousModel)
	}
}

// TestInspectLibraries: a database reports how it is, without its password, and how its
// replica is, if it has one.
func TestInspectLibraries(t *testing.T) {
	address := newDatabase(t)
	all := librariesIn(t, address)
	h, err := all.StorageOf(folder(t), 0)
	must(t, err)
	if _, is := all.ReplicaUse(); is || h.State().WriteRefusal != "" || h.State().MinLatency != 0 {
		t.Errorf("before it is open it refuses %q, is slow by %v, or has a replica: %t", h.State().WriteRefusal, h.State().MinLatency, is)
	}
	found, err := all.Inspect(t.Context())
	must(t, err)
	at, err := pgx.ParseConfig(address)
	must(t, err)
	if found.Address == "" || strings.Contains(found.Address, at.Password) || found.WriteRefusal != "" || found.Replica != nil {
		t.Errorf("it is %+v", found)
	}
	if _, is := all.ReplicaUse(); is || h.State().WriteRefusal != "" {
		t.Errorf("it refuses %q, or has a replica: %t", h.State().WriteRefusal, is)
	}
	of := librariesIn(t, address)
	must(t, of.UseReplica(address)) // which lacks nothing of itself
	if found, err = of.Inspect(t.Context()); err != nil || found.Replica == nil || found.Replica.Fault != "" || found.Replica.MissingCommits != 0 {
		t.Errorf("with a replica it is %+v, %v", found, err)
	}
	if use, is := of.ReplicaUse(); !is || use.AnsweredByReplica != 0 {
		t.Errorf("the replica is used as %+v: %t", use, is)
	}
	if err := of.UseReplica("postgres://["); err == nil {
		t.Error("what is no address is one of a replica")
	}
}

// TestNoDatabase: where there is none nothing is opened, seen or inspected.
func TestNoDatabase(t *testing.T) {
	if _, err := NewLibraryStorages("postgres://[", nil, model, 0); err == nil {
		t.Error("what is no address is one of a database")
	}
	address := newDatabase(t)
	at, err := pgx.ParseConfig(address)
	must(t, err)
	all := librariesIn(t, strings.Replace(address, at.Database, "vademecum_test_of_nobody", 1))
	h, err := all.StorageOf(folder(t), 0)
	must(t, err)
	if _, err := h.Open(t.Context(), model); err == nil {
		t.Error("it is opened")
	}
	if _, err := h.OpenReadOnly(t.Context()); err == nil {
		t.Error("it is seen")
	}
	if found, err := all.Inspect(t.Context()); err == nil || found != nil {
		t.Errorf("it is inspected: %+v", found)
	}
}
