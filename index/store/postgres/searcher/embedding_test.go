package searcher

import (
	"crypto/rand"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/live/livetest"
)

// TestEmbedding runs the suite of vectors that come and go.
func TestEmbedding(t *testing.T) {
	db, name := database(t), rand.Text()
	livetest.TestEmbedding(t, func() *live.Store { return loaded(t, db, indextest.NewCountingModel(t), name) })
}
