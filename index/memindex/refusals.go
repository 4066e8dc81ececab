package memindex

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"vademecum/index/live"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// The texts that the model refuses are values of the catalogue: the key is refusalKeys and the key of
// the text in hexadecimal digits, and the value is the time in seconds since 1970, a space, and the
// reason.

// refusalKeys returns the prefix of the keys of the texts that the model in use refuses.
func refusalKeys(f *live.Follower) string { return f.Describe().ModelScopedKey("refusal") + "/" }

// followRefusals loads which texts the model refuses, including what other processes have recorded or
// removed.
func (ix *Index) followRefusals(ctx context.Context, folder int, f *live.Follower) error {
	prefix := refusalKeys(f)
	saved, err := f.Values(ctx, prefix)
	if err != nil {
		return fmt.Errorf("read what the model refuses: %w", err)
	}
	reasons := make(map[catalog.EmbeddingKey]string, len(saved))
	for name, value := range saved {
		key, err := hex.DecodeString(name[len(prefix):])
		at, reason, _ := strings.Cut(value, " ")
		seconds, notOne := strconv.ParseInt(at, 10, 64)
		if err != nil || notOne != nil || len(key) != len(catalog.EmbeddingKey{}) {
			continue // the text is sent to the model once more, which overwrites it
		}
		if time.Since(time.Unix(seconds, 0)) < live.RefusalTTL {
			reasons[catalog.EmbeddingKey(key)] = reason
		}
	}
	ix.refusals.Replace(folder, reasons)
	return nil
}

// EmbeddingRefusal implements live.ChunkIndex.
func (ix *Index) EmbeddingRefusal(d *search.Document, number int) string {
	if c := ix.chunkOf(d, number); c != nil {
		return ix.refusals.Reason(d.Folder, c.Key)
	}
	return ""
}

// RecordRefusals implements live.ChunkIndex. It records the reasons by the keys of the texts,
// regardless of the chunks.
func (ix *Index) RecordRefusals(ctx context.Context, folder int, _ []live.UnembeddedChunk, reasons map[catalog.EmbeddingKey]string) error {
	for key, reason := range reasons {
		ix.refusals.Add(folder, key, reason)
	}
	if folder == search.NoFolder {
		return nil
	}
	f, now := ix.store.Follower(folder), strconv.FormatInt(time.Now().Unix(), 10)
	for key, reason := range reasons {
		if err := f.SetValue(ctx, refusalKeys(f)+hex.EncodeToString(key[:]), now+" "+reason); err != nil {
			return fmt.Errorf("note what the model refuses: %w", err)
		}
	}
	return nil
}

// ClearRefusals implements live.ChunkIndex.
func (ix *Index) ClearRefusals(ctx context.Context, folder int) error {
	ix.refusals.Replace(folder, nil)
	f := ix.store.Follower(folder)
	saved, err := f.Values(ctx, refusalKeys(f))
	for key := range saved {
		if err == nil {
			err = f.SetValue(ctx, key, "")
		}
	}
	return err
}
