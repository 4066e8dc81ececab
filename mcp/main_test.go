package mcp

import (
	"os"
	"testing"

	"vademecum/docs/formats"
)

func TestMain(m *testing.M) {
	formats.RunIfChild()
	os.Exit(m.Run())
}
