package docs

import (
	"testing"

	"vademecum/docs/formats"
)

// TestMain has the test binary read documents as a child, as the program does.
func TestMain(m *testing.M) {
	formats.RunChild()
	m.Run()
}
