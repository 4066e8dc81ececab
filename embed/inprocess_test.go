package embed

import (
	"testing"

	"vademecum/embed/local/localtest"
)

func TestInProcess(t *testing.T) {
	for _, architecture := range localtest.Architectures {
		t.Run(architecture, func(t *testing.T) {
			e, err := New("local:" + localtest.Write(t, architecture, localtest.Small))
			if err != nil {
				t.Fatal(err)
			}
			testEmbedder(t, e)
		})
	}
}
