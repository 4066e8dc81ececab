// This file makes texts sent by clients searchable for the lifetime of the process.

package sync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"vademecum/docs"
	"vademecum/index/ingest"
)

// Limits of the texts sent by clients, which are held in memory.
const (
	MaxClientTexts     = 10_000   // number of texts
	MaxClientTextBytes = 16 << 20 // bytes per text
	maxSize            = 64 << 20 // bytes of all texts
)

const inFolder = "put the documents into the folder instead"

// AddTexts makes texts searchable until the Syncer is closed; they are not saved. A text that is already
// stored is not added again, and an empty one not at all. It returns how many of the texts can be found
// now, and how many of these are new. If a limit is exceeded, it adds nothing. If ctx ends, the texts
// added so far stay. If progress is not nil, it receives the number of texts that can be found, as that
// grows.
func (s *Syncer) AddTexts(ctx context.Context, texts []string, progress chan<- int) (found, added int, err error) {
	if err := CheckTextSizes(texts); err != nil {
		return 0, 0, err
	}
	if err := s.adding.Acquire(ctx, 1); err != nil {
		return 0, 0, err
	}
	defer s.adding.Release(1)
	fresh, err := s.freshTexts(ctx, texts)
	if err != nil {
		return 0, 0, err
	}
	defer func() {
		if added > 0 {
			s.Embedding.Wake()
			s.FreshnessPublisher.SignalDocumentChange()
		}
	}()
	for i, d := range fresh {
		if IsEmptyText(texts[i]) {
			continue
		}
		if d != nil {
			if err := s.addText(ctx, *d); err != nil {
				return found, added, fmt.Errorf("docs[%d], after %d of %d texts, which can be found: %w", i, found, len(texts), err)
			}
			added++
		}
		if found++; progress != nil {
			select {
			case progress <- found:
			case <-ctx.Done():
			}
		}
	}
	return found, added, nil
}

// CheckTextSizes returns an error for texts that AddTexts would always reject, no matter which texts are
// already stored. It needs no Syncer.
func CheckTextSizes(texts []string) error {
	if len(texts) > MaxClientTexts {
		return fmt.Errorf("docs holds %d texts: at most %d, %s", len(texts), MaxClientTexts, inFolder)
	}
	for i, text := range texts {
		if len(text) > MaxClientTextBytes {
			return fmt.Errorf("docs[%d] is longer than %s: %s", i, formatMegabytes(MaxClientTextBytes), inFolder)
		}
	}
	if len(texts) > 0 && !slices.ContainsFunc(texts, func(text string) bool { return !IsEmptyText(text) }) {
		return errors.New("docs[0] is empty: send the text of a document")
	}
	return nil
}

// IsEmptyText reports whether a text has nothing to find, so that AddTexts leaves it out.
func IsEmptyText(text string) bool { return strings.TrimSpace(text) == "" }

// AreDocumentTexts reports, for each text, whether it is the exact text of a stored document.
func (s *Syncer) AreDocumentTexts(ctx context.Context, texts []string) ([]bool, error) {
	have, _, _ := s.Store.TextHashes()
	said := make([]bool, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d := ingest.DocumentOfClientText(text)
		said[i] = have[d.TextHash()]
	}
	return said, nil
}

// freshTexts returns documents made of the texts, nil for texts that are already stored
// or empty.
func (s *Syncer) freshTexts(ctx context.Context, texts []string) ([]*docs.Document, error) {
	have, held, size := s.Store.TextHashes()
	fresh := make([]*docs.Document, len(texts))
	count, total := held, size
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if IsEmptyText(text) {
			continue
		}
		d := ingest.DocumentOfClientText(text)
		hash := d.TextHash()
		if have[hash] {
			continue
		}
		have[hash] = true
		fresh[i] = &d
		count, total = count+1, total+len(text)
	}
	if count > MaxClientTexts {
		return nil, fmt.Errorf("docs and the %d texts sent before are %d: at most %d, %s", held, count, MaxClientTexts, inFolder)
	}
	if total > maxSize {
		return nil, fmt.Errorf("docs and the texts sent before have %s: at most %s, %s", formatMegabytes(total), formatMegabytes(maxSize), inFolder)
	}
	return fresh, nil
}

func formatMegabytes(n int) string { return fmt.Sprintf("%.1f MB", float64(n)/(1<<20)) }

func (s *Syncer) addText(ctx context.Context, d docs.Document) error {
	p, err := ingest.PrepareClientText(ctx, d)
	if err != nil {
		return err
	}
	return s.Store.PutClientText(ctx, p.RecordWithBody)
}
