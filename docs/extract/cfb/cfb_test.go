package cfb

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// tree returns the paths of all streams under a storage with their contents.
func tree(t testing.TB, s *Storage) []string {
	t.Helper()
	var all []string
	for name := range s.streams {
		content, err := s.ReadStream(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, name, string(content))
	}
	for _, inner := range s.Storages {
		for i, name := range tree(t, inner) {
			if i%2 == 0 {
				name = inner.Name + "/" + name
			}
			all = append(all, name)
		}
	}
	return all
}

func TestOpen(t *testing.T) {
	large := strings.Repeat("large ", 3<<20) // the header has no room for the whole FAT
	files := []string{"small", "one", "empty", "", "exact", strings.Repeat("x", 64), "large", large, "ärger", "umlaut", "a/b/deep", "inner", "a/b/more", large[:5000], "a/flat", "two"}
	f, err := Open(extracttest.CompoundFile(files...))
	if err != nil {
		t.Fatal(err)
	}
	got := tree(t, f.Root)
	for i := 0; i < len(files); i += 2 {
		if at := slices.Index(got, files[i]); at < 0 || got[at+1] != files[i+1] {
			t.Errorf("%s is not there", files[i])
		}
	}
	if len(got) != len(files) || !f.Root.HasStream("small") || !f.Root.HasStream("Small") || f.Root.Child("A") == nil || f.Root.HasStream("a") || f.Root.Child("a") == nil || f.Root.Child("small") != nil {
		t.Errorf("got %.300q", got)
	}
	if content, err := f.Root.ReadStream("none"); content != nil || err != nil {
		t.Errorf("a stream that is not there: %q, %v", content, err)
	}
}

// TestCutOff checks that what is left of a truncated file can be read, wherever it ends.
func TestCutOff(t *testing.T) {
	raw := extracttest.CompoundFile("small", "one", "large", strings.Repeat("large ", 2000), "a/b", "two")
	opened := 0
	for length := 0; length < len(raw); length += 97 {
		if f, err := Open(raw[:length]); err == nil {
			tree(t, f.Root)
			opened++
		} else if !errors.Is(err, errDamaged) {
			t.Fatalf("%d bytes: %v", length, err)
		}
	}
	if opened == 0 {
		t.Error("no file that is cut off can be opened")
	}
}

// TestHostile checks that reading ends for tables with cycles, storages that contain themselves,
// and streams that share sectors.
func TestHostile(t *testing.T) {
	for name, raw := range map[string][]byte{
		"empty":       nil,
		"header only": append([]byte(Signature), make([]byte, headerSize)...),
	} {
		if _, err := Open(raw); !errors.Is(err, errDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}

	deep := extracttest.CompoundFile(strings.Repeat("a/", extract.MaxNestingDepth+2)+"b", "deep")
	if _, err := Open(deep); !errors.Is(err, extract.ErrNestedTooDeeply) {
		t.Errorf("deep: %v", err)
	}

	raw := extracttest.CompoundFile("large", strings.Repeat("large ", 2000), "small", "one")
	for at := len(raw) - sectorBytes; at < len(raw); at += 4 { // in the FAT, each sector follows itself
		binary.LittleEndian.PutUint32(raw[at:], uint32((at-len(raw)+sectorBytes)/4))
	}
	if f, err := Open(raw); err != nil {
		t.Errorf("sectors that follow themselves: %v", err)
	} else if content, err := f.Root.ReadStream("large"); err != nil || len(content) > len(raw) {
		t.Errorf("sectors that follow themselves: %d bytes, %v", len(content), err)
	}

	raw = append(extracttest.CompoundFile("small", "one")[:headerSize:headerSize], make([]byte, sectorBytes+1)...)
	binary.LittleEndian.PutUint32(raw[68:], 0) // the list of FAT sectors is in sector 0, which follows itself
	for at := 76; at < headerSize+sectorBytes-4; at += 4 {
		binary.LittleEndian.PutUint32(raw[at:], 1) // the stream that is truncated after a byte
	}
	if _, err := Open(raw); err == nil {
		t.Error("a list that leads back into itself is taken")
	}

	var many []string
	for i := range 400 {
		many = append(many, fmt.Sprint("stream", i), "")
	}
	raw = extracttest.CompoundFile(append(many, "large", strings.Repeat("x", 1<<20))...)
	f, err := Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	for name := range f.Root.streams {
		f.Root.streams[name] = f.Root.streams["large"]
	}
	for name := range f.Root.streams {
		if _, err = f.Root.ReadStream(name); err != nil {
			break
		}
	}
	if !errors.Is(err, extract.ErrUnpackedTooLarge) {
		t.Errorf("streams that share their sectors: %v", err)
	}
}

const sectorBytes = 512

func FuzzOpen(f *testing.F) {
	f.Add(extracttest.CompoundFile("small", "one", "a/b", "two"))
	f.Add(extracttest.CompoundFile("large", strings.Repeat("x", 5000)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		file, err := Open(raw)
		if err != nil {
			if !errors.As(err, new(*extract.SkipError)) {
				t.Fatal(err)
			}
			return
		}
		var read func(*Storage)
		read = func(s *Storage) {
			for name := range s.streams {
				content, err := s.ReadStream(name)
				if err != nil && !errors.Is(err, extract.ErrUnpackedTooLarge) || len(content) > len(raw) && !bytes.Contains(raw, []byte(Signature)) {
					t.Fatalf("%s: %d bytes, %v", name, len(content), err)
				}
			}
			for _, inner := range s.Storages {
				read(inner)
			}
		}
		read(file.Root)
	})
}
