package library

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/pgtest"
	"vademecum/index/store/postgres/schema"
)

// server is the database of the tests.
var server = pgtest.New(func(ctx context.Context, address, role string) error {
	at, err := db.ParseAddress(address)
	if err != nil {
		return err
	}
	_, err = schema.Migrate(ctx, at, role)
	return err
})

func TestMain(m *testing.M) { server.RunTests(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// patience is the patience of tests in which nothing holds up the database.
const patience = 10 * time.Second

// connected is the database as a process that serves has it open, until the end of the test.
func connected(t *testing.T) *db.DB {
	t.Helper()
	at, err := db.ParseAddress(server.ServingAddress(t))
	must(t, err)
	d, err := db.Open(t.Context(), at, patience)
	must(t, err)
	t.Cleanup(func() { must(t, d.Close()) })
	return d
}

// anyName is a name of a library that no other test uses.
func anyName() string { return "library " + rand.Text() }

func opened(t *testing.T, d *db.DB, name, model string, keep bool) *Library {
	t.Helper()
	l, err := Open(t.Context(), d, name, model, keep)
	must(t, err)
	return l
}

// TestModelOfLibrary: a library is that of the model that it was opened with last, unless
// who opens it is to keep the one before.
func TestModelOfLibrary(t *testing.T) {
	d, name := connected(t), anyName()
	if l, err := OpenReadOnly(t.Context(), d, name); l != nil || err != nil {
		t.Fatalf("before there is one: %v, %v", l, err)
	}
	first := opened(t, d, name, "test/a", false)
	for _, step := range []struct {
		model        string
		keep         bool
		before, kept string
		inUse, after string // by this process, and by whoever opens the library next
	}{
		{"test/a", false, "", "", "test/a", "test/a"},
		{"", false, "", "", "test/a", "test/a"},
		{"test/b", true, "test/a", "test/a", "test/b", "test/a"},
		{"test/b", false, "test/a", "", "test/b", "test/b"},
		{"test/\x00", false, "test/b", "", "test/\x00", "test/\x00"}, // which PostgreSQL has no text for
	} {
		l := opened(t, d, name, step.model, step.keep)
		if l.ID != first.ID || l.TableIdentity != first.TableIdentity {
			t.Errorf("opened with %q it is another library", step.model)
		}
		if l.PreviousModel != step.before || l.KeptModel != step.kept || l.ModelName != step.inUse {
			t.Errorf("opened with %q: before %q, kept %q, in use %q", step.model, l.PreviousModel, l.KeptModel, l.ModelName)
		}
		seen, err := OpenReadOnly(t.Context(), d, name)
		must(t, err)
		if seen.ModelName != step.after || seen.ID != first.ID {
			t.Errorf("after it was opened with %q it is seen with %q", step.model, seen.ModelName)
		}
		if (seen.ModelID == l.ModelID) != (step.kept == "") {
			t.Errorf("opened with %q it has model %d, seen with %d", step.model, l.ModelID, seen.ModelID)
		}
	}
}

func TestNamesThatFitNoIndex(t *testing.T) {
	d := connected(t)
	for name, names := range map[string][2]string{
		"a long name":     {strings.Repeat("x", longestName+1), "m"},
		"a long model":    {anyName(), strings.Repeat("x", longestName+1)},
		"no UTF-8":        {"a\xff", "m"},
		"no UTF-8, model": {anyName(), "a\xff"},
	} {
		if _, err := Open(t.Context(), d, names[0], names[1], false); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	opened(t, d, anyName()+strings.Repeat("x", longestName-50), "m", false)
}

// TestValues: what one process sets another gets, each library for itself.
func TestValues(t *testing.T) {
	d, name := connected(t), anyName()
	mine, theirs, other := opened(t, d, name, "m", false), opened(t, d, name, "m", false), opened(t, d, anyName(), "m", false)
	for _, value := range []string{"one", "two\x00\\", ""} {
		must(t, mine.SetValue(t.Context(), "key\x00", value))
		if got, err := theirs.Value(t.Context(), "key\x00"); err != nil || got != value {
			t.Errorf("set to %q it is %q, %v", value, got, err)
		}
	}
	must(t, mine.SetValue(t.Context(), "key", "mine"))
	if got, err := other.Value(t.Context(), "key"); err != nil || got != "" {
		t.Errorf("another library has %q, %v", got, err)
	}
}

// TestTransact: what fails leaves nothing, and what passes is done once more.
func TestTransact(t *testing.T) {
	l := opened(t, connected(t), anyName(), "m", false)
	broken, tries := errors.New("broken"), 0
	set := func(ctx context.Context, tx *WriteTx, value string) error {
		_, err := tx.Exec(ctx, "INSERT INTO vademecum.settings (library, key, value) VALUES ($1, 'key', $2)", l.ID, value)
		return err
	}
	is := func(want string) {
		t.Helper()
		if got, err := l.Value(t.Context(), "key"); err != nil || got != want {
			t.Errorf("it is %q, %v, want %q", got, err, want)
		}
	}
	_, err := l.Transact(t.Context(), func(ctx context.Context, tx *WriteTx) error {
		tries++
		return errors.Join(set(ctx, tx, "lost"), broken)
	})
	if is(""); !errors.Is(err, broken) || tries != 1 {
		t.Errorf("after %d tries: %v", tries, err)
	}
	written, err := l.Transact(t.Context(), func(ctx context.Context, tx *WriteTx) error {
		if tries++; tries == 2 {
			_, err := tx.Exec(ctx, "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'deadlock_detected'; END $$")
			return err
		}
		tx.FirstChange, tx.LastChange = 3, 4
		return set(ctx, tx, "kept")
	})
	if is("kept"); err != nil || tries != 3 || written.FirstChange != 3 || written.LastChange != 4 {
		t.Errorf("after %d tries: %+v, %v", tries, written, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := l.Transact(ended, func(context.Context, *WriteTx) error { t.Error("it begins after its end"); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v", err)
	}
}

// TestUnlocked: who leaves alone what others look for waits for no writer, and is not seen
// as one.
func TestUnlocked(t *testing.T) {
	d, name := connected(t), anyName()
	l, other := opened(t, d, name, "m", false), opened(t, d, name, "m", false)
	before, err := l.ForeignVersion(t.Context())
	must(t, err)
	_, err = other.Transact(t.Context(), func(context.Context, *WriteTx) error {
		return l.TransactUnlocked(t.Context(), func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, "INSERT INTO vademecum.settings (library, key, value) VALUES ($1, 'key', 'x')", l.ID)
			return err
		})
	})
	must(t, err)
	if got, err := l.Value(t.Context(), "key"); err != nil || got != "x" {
		t.Errorf("it is %q, %v", got, err)
	}
	if now, err := l.ForeignVersion(t.Context()); err != nil || now != before+1 { // that of the other
		t.Errorf("from version %d to %d, %v", before, now, err)
	}
}

// TestVersion: a library is another version to those who have not changed it, and to whoever
// looks at its own change as if another had made it.
func TestVersion(t *testing.T) {
	d, name := connected(t), anyName()
	mine, theirs := opened(t, d, name, "m", false), opened(t, d, name, "m", false)
	version := func(l *Library) int64 {
		t.Helper()
		v, err := l.ForeignVersion(t.Context())
		must(t, err)
		return v
	}
	myFirst, theirFirst := version(mine), version(theirs)
	must(t, mine.SetValue(t.Context(), "key", "x"))
	if version(mine) != myFirst || version(theirs) != theirFirst+1 {
		t.Errorf("after a change of its own it is from %d to %d, for another from %d to %d", myFirst, version(mine), theirFirst, version(theirs))
	}
	_, err := mine.Transact(t.Context(), func(_ context.Context, tx *WriteTx) error { tx.CountsAsForeign = true; return nil })
	must(t, err)
	if version(mine) != myFirst+1 {
		t.Error("a change is not seen that is looked at as if another had made it")
	}
	var known int64
	must(t, mine.QueryRow(t.Context(), "SELECT version FROM vademecum.libraries WHERE id = $1", []any{mine.ID}, &known))
	if mine.IsOutdated(known) || !mine.IsOutdated(known-1) {
		t.Errorf("it does not know of version %d", known)
	}
	mine.RecordSeenVersion(known + 5)
	mine.RecordSeenVersion(known + 2) // told late
	if !mine.IsOutdated(known + 4) {
		t.Error("it forgot the last version that it was told of")
	}
}

// TestAwait: who waits is told when another commits, and no sooner.
func TestAwait(t *testing.T) {
	d, name := connected(t), anyName()
	mine, theirs := opened(t, d, name, "m", false), opened(t, d, name, "m", false)
	version, err := mine.ForeignVersion(t.Context())
	must(t, err)
	if now, err := mine.WaitVersionChange(t.Context(), version-1); err != nil || now != version {
		t.Errorf("of a version that has passed: %d, %v", now, err)
	}
	came := make(chan error, 1)
	go func() {
		now, err := mine.WaitVersionChange(t.Context(), version)
		if err == nil && now != version+1 {
			err = fmt.Errorf("it is version %d, was %d", now, version)
		}
		came <- err
	}()
	must(t, theirs.SetValue(t.Context(), "key", "x"))
	must(t, <-came)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := theirs.WaitVersionChange(ended, -1<<62); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v", err)
	}
}

// TestRemovedLibrary: nobody writes to, or reads the version of, a library that is gone,
// although another of the same name is there.
func TestRemovedLibrary(t *testing.T) {
	d, name := connected(t), anyName()
	l := opened(t, d, name, "m", false)
	must(t, l.TransactUnlocked(t.Context(), func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM vademecum.libraries WHERE id = $1", l.ID)
		return err
	}))
	again := opened(t, d, name, "m", false)
	if err := l.SetValue(t.Context(), "key", "x"); !errors.Is(err, catalog.ErrStorageRemoved) {
		t.Errorf("it is written to: %v", err)
	}
	if _, err := l.ForeignVersion(t.Context()); !errors.Is(err, catalog.ErrStorageRemoved) {
		t.Errorf("it has a version: %v", err)
	}
	if got, err := again.Value(t.Context(), "key"); err != nil || got != "" {
		t.Errorf("the other has %q, %v", got, err)
	}
}

// TestRestoredLibrary: in a database that was restored, or made anew, a library of the same
// number is another.
func TestRestoredLibrary(t *testing.T) {
	l := opened(t, connected(t), anyName(), "m", false)
	l.TableIdentity++
	if err := l.SetValue(t.Context(), "key", "x"); !errors.Is(err, catalog.ErrStorageRemoved) {
		t.Errorf("it is written to: %v", err)
	}
}

// TestSize: a library takes more with each text, and what another takes does not count.
func TestSize(t *testing.T) {
	d := connected(t)
	l, other := opened(t, d, anyName(), "m", false), opened(t, d, anyName(), "m", false)
	if bytes, err := l.Size(t.Context()); err != nil || bytes != 0 {
		t.Errorf("an empty one takes %d bytes, %v", bytes, err)
	}
	must(t, l.Exec(t.Context(), "INSERT INTO vademecum.vectors (model, text_key, vector, checksum) VALUES ($1, '\\x01', '{1,2}', 0)", l.ModelID))
	mine, err := l.Size(t.Context())
	must(t, err)
	if theirs, err := other.Size(t.Context()); err != nil || theirs != 0 || mine == 0 {
		t.Errorf("it takes %d bytes, another %d, %v", mine, theirs, err)
	}
	if with, err := l.WithModel(other.ModelID).Size(t.Context()); err != nil || with != 0 {
		t.Errorf("with another model it takes %d bytes, %v", with, err)
	}
}

// TestRows: rows that are read anew after the connection broke are read once.
func TestRows(t *testing.T) {
	l := opened(t, connected(t), anyName(), "m", false)
	var n, begun int
	var got []int
	err := l.QueryRows(t.Context(), "SELECT n FROM generate_series(1, $1::int) n", []any{5}, func() { begun++; got = nil }, func() error {
		if n == 3 && begun == 1 {
			return fmt.Errorf("read: %w", io.ErrUnexpectedEOF)
		}
		got = append(got, n)
		return nil
	}, &n)
	if err != nil || begun != 2 || fmt.Sprint(got) != "[1 2 3 4 5]" {
		t.Errorf("begun %d times it reads %v, %v", begun, got, err)
	}
}
