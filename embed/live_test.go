package embed

import (
	"os"
	"testing"
)

// TestLive runs the suite against a real server, named as in --embed:
//
//	VADEMECUM_TEST_EMBED=ollama:bge-m3 go test ./embed -run Live
//
// It sends about 2 MB of text.
func TestLive(t *testing.T) {
	spec := os.Getenv("VADEMECUM_TEST_EMBED")
	if spec == "" {
		t.Skip("VADEMECUM_TEST_EMBED names no provider")
	}
	e, err := New(spec)
	if err != nil {
		t.Fatal(err)
	}
	testEmbedder(t, e)
}
