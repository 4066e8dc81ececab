package mcp

import (
	"os"
	"testing"

	"vademecum/docs/extract"
)

func TestMain(m *testing.M) {
	extract.RunChild()
	os.Exit(m.Run())
}
