package e2e

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// damage is one way of damaging the files of an index. A seed determines which way, and where.
type damage struct {
	kind, what string
	do         func(t *testing.T, file string) error
}

// pageSize is the size of a page of SQLite in bytes.
const pageSize = 4096

// newDamage returns the damage of a seed, in which all kinds have their share.
func newDamage(seed int) damage {
	rng := rand.New(rand.NewPCG(uint64(seed), 28))
	kinds := []func(*rand.Rand) damage{ofRows, ofRows, ofRows, ofPages, ofPages, ofPages, byCut, byNoise, byThing, byThing}
	return kinds[seed%len(kinds)](rng)
}

func (d damage) String() string { return d.kind + ": " + d.what }

func pick[T any](rng *rand.Rand, of ...T) T { return of[rng.IntN(len(of))] }

// ofRows returns a damage to rows, as by a user or a fault: %[1]d is a small number.
func ofRows(rng *rand.Rand) damage {
	table := pick(rng, "texts", "texts", "chunks", "documents")
	key := map[string]string{"documents": "id"}[table]
	if key == "" {
		key = "document"
	}
	n := rng.IntN(60)
	one := fmt.Sprintf("%s = (SELECT %s FROM %s ORDER BY %s LIMIT 1 OFFSET %d)", key, key, table, key, n)
	text := fmt.Sprintf("document = (SELECT document FROM texts ORDER BY document LIMIT 1 OFFSET %d)", n)
	statement := pick(rng,
		fmt.Sprintf("DELETE FROM %s WHERE %s", table, one),
		fmt.Sprintf("DELETE FROM %s WHERE %s", table, one),
		fmt.Sprintf("DELETE FROM %s WHERE %s > %d", table, key, n),
		fmt.Sprintf("DELETE FROM %s", table),
		fmt.Sprintf("UPDATE %s SET %s = %s + 1000 WHERE %s", table, key, key, one),
		fmt.Sprintf("UPDATE %s SET checksum = checksum + 1 WHERE %s", table, one),
		fmt.Sprintf("DELETE FROM documents WHERE id = (SELECT max(id) - %d FROM documents); DELETE FROM texts WHERE document = (SELECT max(document) - %d FROM texts)", n, n),
		"UPDATE texts SET text = upper(text) WHERE "+text,
		"UPDATE texts SET text = '' WHERE "+text,
		"UPDATE texts SET parts = x'ff00ff' WHERE "+text,
		"UPDATE texts SET text = x'ff00ff' WHERE "+text,
		fmt.Sprintf("UPDATE chunks SET chunks = zeroblob(length(chunks)) WHERE document %% 7 = %d", n%7),
		fmt.Sprintf("UPDATE chunks SET count = count + 1 WHERE document %% 7 = %d", n%7),
		fmt.Sprintf("UPDATE documents SET path = path || 'x' WHERE id %% 50 = %d", n%50),
		fmt.Sprintf("UPDATE documents SET hash = zeroblob(32) WHERE id %% 7 = %d", n%7),
		fmt.Sprintf("UPDATE documents SET skip = 'no' WHERE id %% 7 = %d", n%7),
		fmt.Sprintf("UPDATE documents SET size = size + 1, modified = 0 WHERE id %% 7 = %d", n%7),
		fmt.Sprintf("UPDATE documents SET title = NULLIF(title, title) || 'x', meta = x'ff' WHERE id %% 7 = %d", n%7),
		fmt.Sprintf("DELETE FROM meta WHERE key = (SELECT key FROM meta ORDER BY key LIMIT 1 OFFSET %d)", n%6),
		fmt.Sprintf("UPDATE meta SET value = 'x' WHERE key = (SELECT key FROM meta ORDER BY key LIMIT 1 OFFSET %d)", n%6),
		"DELETE FROM meta", "DELETE FROM models", "DELETE FROM changes", "DELETE FROM sqlite_sequence",
		"UPDATE sqlite_sequence SET seq = 1", "UPDATE models SET name = 'x'", "UPDATE changes SET document = 1",
		"INSERT INTO meta VALUES ('request/1', 'garbage')", "INSERT INTO changes (document) VALUES (1)",
		"DROP TABLE "+table, "DROP TABLE "+pick(rng, "meta", "models", "changes", "vectors"),
		fmt.Sprintf("ALTER TABLE %s RENAME TO %s_before", table, table),
		"CREATE VIEW v AS SELECT 1", "CREATE TRIGGER t BEFORE INSERT ON documents BEGIN SELECT RAISE(ABORT, 'no'); END",
	)
	return damage{"rows", statement, func(t *testing.T, file string) error {
		db := openBeside(t, file)
		defer db.Close()
		_, _ = db.Exec(statement) // some rows cannot be changed in this way
		return nil
	}}
}

// ofPages returns a damage to a page of a file: it is copied over another, swapped with another,
// zeroed or filled with noise.
func ofPages(rng *rand.Rand) damage {
	how, from, to, seed := pick(rng, "copied", "copied", "swapped", "zeroed", "noise"), rng.Float64(), rng.Float64(), rng.Uint64()
	suffix, head, size := "", 0, pageSize
	if rng.IntN(4) == 0 { // frames of the write-ahead log
		suffix, head, size = "-wal", 32, pageSize+24
	}
	return damage{"pages", fmt.Sprintf("%s, %.3f to %.3f of %q", how, from, to, suffix), func(_ *testing.T, file string) error {
		return edit(file+suffix, func(f *os.File, content []byte) error {
			pages := (len(content) - head) / size
			if pages < 2 {
				return nil
			}
			page := func(at float64) []byte { n := head + int(at*float64(pages))*size; return content[n : n+size] }
			a, b := append([]byte(nil), page(from)...), append([]byte(nil), page(to)...)
			put := func(at float64, page []byte) error {
				_, err := f.WriteAt(page, int64(head+int(at*float64(pages))*size))
				return err
			}
			switch how {
			case "swapped":
				if err := put(from, b); err != nil {
					return err
				}
			case "zeroed":
				clear(a)
			case "noise":
				fill(a, seed)
			}
			return put(to, a)
		})
	}}
}

// fill fills bytes with noise.
func fill(b []byte, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
}

// edit changes a file in place while others have it open.
func edit(file string, f func(f *os.File, content []byte) error) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil // there is none
	}
	out, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer out.Close()
	return f(out, content)
}

// held are the suffixes of the files that hold an index.
var held = []string{"", "-wal", "-shm", ".snapshot"}

func byCut(rng *rand.Rand) damage {
	suffix, to := pick(rng, held...), pick(rng, 0, 0.0001, rng.Float64(), rng.Float64(), 0.9999)
	return damage{"cut", fmt.Sprintf("%q to %.4f", suffix, to), func(_ *testing.T, file string) error {
		return edit(file+suffix, func(f *os.File, content []byte) error { return f.Truncate(int64(to * float64(len(content)))) })
	}}
}

func byNoise(rng *rand.Rand) damage {
	suffix, at, length, seed := pick(rng, held...), rng.Float64(), pick(rng, 1, 16, 300, pageSize, 1<<30), rng.Uint64()
	if length == 1<<30 {
		at = 0
	}
	return damage{"noise", fmt.Sprintf("%d bytes at %.4f of %q", length, at, suffix), func(_ *testing.T, file string) error {
		return edit(file+suffix, func(f *os.File, content []byte) error {
			part := content[int(at*float64(len(content))):]
			part = part[:min(len(part), length)]
			fill(part, seed)
			_, err := f.WriteAt(part, int64(at*float64(len(content))))
			return err
		})
	}}
}

// things are what may take the place of a file.
var things = []struct {
	name string
	put  func(file string) error
}{
	{"nothing", func(string) error { return nil }},
	{"an empty file", func(file string) error { return os.WriteFile(file, nil, 0o600) }},
	{"a folder", func(file string) error { return os.Mkdir(file, 0o700) }},
	{"a folder with a file", func(file string) error {
		if err := os.Mkdir(file, 0o700); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(file, "x"), nil, 0o600)
	}},
	{"a link to nothing", func(file string) error { return os.Symlink(file+".none", file) }},
	{"a link into nothing", func(file string) error { return os.Symlink(filepath.Join(file+".none", "x"), file) }},
	{"a link to itself", func(file string) error { return os.Symlink(file, file) }},
	{"a link to a folder", func(file string) error { return os.Symlink(filepath.Dir(file), file) }},
	{"a link to a file", func(file string) error {
		if err := os.WriteFile(file+".other", []byte("Somebody keeps this."), 0o600); err != nil {
			return err
		}
		return os.Symlink(file+".other", file)
	}},
	{"a pipe", func(file string) error { return syscall.Mkfifo(file, 0o600) }},
	{"a socket", func(file string) error {
		dir, err := os.MkdirTemp("", "socket") // its path may be long
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		l, err := net.Listen("unix", filepath.Join(dir, "x"))
		if err != nil {
			return err
		}
		l.(*net.UnixListener).SetUnlinkOnClose(false)
		_ = l.Close()
		return os.Rename(filepath.Join(dir, "x"), file)
	}},
}

func byThing(rng *rand.Rand) damage {
	suffix, thing := pick(rng, append([]string{".lock", ".lock", ".open.lock"}, held...)...), pick(rng, things...)
	return damage{"thing", fmt.Sprintf("%s in the place of %q", thing.name, suffix), func(_ *testing.T, file string) error {
		if err := os.RemoveAll(file + suffix); err != nil {
			return err
		}
		return thing.put(file + suffix)
	}}
}
