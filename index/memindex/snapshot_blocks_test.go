package memindex

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"vademecum/index/blob"
)

// readBack returns the content of a stored section.
func readBack(stored []byte) ([]byte, error) {
	f := bytes.NewReader(stored)
	at, end, err := locateSection(f, 0, f.Size())
	if err != nil {
		return nil, err
	}
	if end != f.Size() {
		return nil, errNoSnapshot
	}
	content := make([]byte, at.length)
	return content, readSection(f, at, content)
}

func storedSection(t *testing.T, content []byte) []byte {
	t.Helper()
	var stored bytes.Buffer
	must(t, writeSection(&stored, blob.SectionOfBytes(content)))
	return stored.Bytes()
}

// TestSectionsAreReadAsWritten: sections of any length, of which blocks are compressed that become
// shorter, and others stored as they are.
func TestSectionsAreReadAsWritten(t *testing.T) {
	noise := make([]byte, 2*blockBytes+7)
	rand.NewChaCha8([32]byte{1}).Read(noise)
	words := bytes.Repeat([]byte("cardiology/"), blockBytes/10)
	for name, c := range map[string]struct {
		content []byte
		most    int // bytes stored
	}{
		"nothing":         {nil, lengthBytes},
		"a byte":          {[]byte{7}, lengthBytes + storedBytes + 1 + checksumBytes},
		"noise":           {noise, len(noise) + lengthBytes + 3*(storedBytes+checksumBytes)},
		"a whole block":   {noise[:blockBytes], blockBytes + lengthBytes + storedBytes + checksumBytes},
		"words":           {words, len(words) / 100},
		"words and noise": {append(bytes.Clone(words[:blockBytes]), noise...), len(noise) + blockBytes/100},
	} {
		stored := storedSection(t, c.content)
		if got, err := readBack(stored); err != nil || !bytes.Equal(got, c.content) {
			t.Errorf("%s: read %d bytes, want %d, error %v", name, len(got), len(c.content), err)
		}
		if len(stored) > c.most {
			t.Errorf("%s: %d bytes take %d, want at most %d", name, len(c.content), len(stored), c.most)
		}
	}
}

// TestDamagedSectionsAreRefused: no byte may change, none may be missing, and no length makes memory
// be allocated that the file does not account for.
func TestDamagedSectionsAreRefused(t *testing.T) {
	stored := storedSection(t, bytes.Repeat([]byte("warfarin "), 500))
	for at := range stored {
		for _, bit := range []byte{1, 0x80} {
			damaged := bytes.Clone(stored)
			damaged[at] ^= bit
			if _, err := readBack(damaged); !errors.Is(err, errNoSnapshot) {
				t.Errorf("bit %#x of byte %d changed: error %v", bit, at, err)
			}
		}
		if _, err := readBack(stored[:at]); !errors.Is(err, errNoSnapshot) {
			t.Errorf("only %d of %d bytes: error %v", at, len(stored), err)
		}
	}
	huge := bytes.Clone(stored)
	binary.LittleEndian.PutUint64(huge, 1<<40)
	if at, _, err := locateSection(bytes.NewReader(huge), 0, int64(len(huge))); !errors.Is(err, errNoSnapshot) {
		t.Errorf("a section of %d bytes is in a file of %d, error %v", at.length, len(huge), err)
	}
}
