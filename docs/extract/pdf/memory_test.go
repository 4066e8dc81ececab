package pdf

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

func TestEngineMemory(t *testing.T) {
	m := allocateMemory(0, 1<<20)
	m.Reallocate(1000)[999] = 1
	grown := m.Reallocate(5000)
	if len(grown) != 5000 || grown[999] != 1 || slices.Max(grown[1000:]) != 0 {
		t.Error("growing does not keep the content, or adds other than zeros")
	}
	grown[4999] = 1
	m.Free()
	again := allocateMemory(0, 1<<20).Reallocate(6000)
	if len(again) != 6000 || slices.Max(again) != 0 {
		t.Error("the next instance sees the memory of the previous one")
	}
}

func TestNothingLeftInMemory(t *testing.T) {
	const secret = "Bluebottle"
	c, err := Read(extracttest.PDF("", extracttest.PDFLines(secret)), extract.NoProgress)
	if err != nil || !strings.Contains(c.Text, secret) {
		t.Fatalf("%q %v", c.Text, err)
	}
	m := keptMemory.Load()
	if m == nil {
		t.Fatal("no memory is kept")
	}
	if bytes.Contains(m.bytes[:cap(m.bytes)], []byte(secret)) {
		t.Error("text of the file is in the memory of the engine")
	}
}
