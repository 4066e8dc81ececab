package upkeep

import (
	"context"
	"fmt"
	"strings"

	"vademecum/docs"
	"vademecum/index/ingest"
)

// Limits of the texts that clients send, which are held in memory.
const (
	MaxTexts     = 10_000   // how many
	MaxTextBytes = 16 << 20 // of one
	maxTextsSize = 64 << 20 // bytes of all
)

const inFolder = "put the documents into the folder instead"

// AddTexts makes texts searchable for as long as the Index lives; they are not
// saved. A text that equals a document is that document already. It returns
// how many of the texts can be found now, and how many of those were not there
// before. Nothing is added when they are over a limit. When ctx ends, what was
// added stays. progress, unless nil, is sent how many can be found as it goes
// on.
func (k *Keeper) AddTexts(ctx context.Context, texts []string, progress chan<- int) (found, added int, err error) {
	if err := CheckTexts(texts); err != nil {
		return 0, 0, err
	}
	select {
	case k.adding <- struct{}{}:
		defer func() { <-k.adding }()
	case <-ctx.Done():
		return 0, 0, ctx.Err()
	}
	fresh, err := k.freshTexts(ctx, texts)
	if err != nil {
		return 0, 0, err
	}
	defer func() {
		if added > 0 {
			k.Embedding.Wake()
			k.fresh.Signal()
		}
	}()
	for i, d := range fresh {
		if d != nil {
			if err := k.addText(ctx, *d); err != nil {
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

// CheckTexts refuses what AddTexts would whatever is held already, at once: it
// needs no Index.
func CheckTexts(texts []string) error {
	if len(texts) > MaxTexts {
		return fmt.Errorf("docs holds %d texts: at most %d, %s", len(texts), MaxTexts, inFolder)
	}
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			return fmt.Errorf("docs[%d] is empty: send the text of a document", i)
		}
		if len(text) > MaxTextBytes {
			return fmt.Errorf("docs[%d] is longer than %s: %s", i, megabytes(MaxTextBytes), inFolder)
		}
	}
	return nil
}

// Says tells of each of some texts whether a document says just that.
func (k *Keeper) Says(ctx context.Context, texts []string) ([]bool, error) {
	have, _, _ := k.store.TextHashes()
	said := make([]bool, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d := ingest.OfText(text)
		said[i] = have[d.TextHash()]
	}
	return said, nil
}

// freshTexts makes documents of the texts, nil of those that are there already.
func (k *Keeper) freshTexts(ctx context.Context, texts []string) ([]*docs.Document, error) {
	have, held, size := k.store.TextHashes()
	fresh := make([]*docs.Document, len(texts))
	count, total := held, size
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d := ingest.OfText(text)
		hash := d.TextHash()
		if have[hash] {
			continue
		}
		have[hash] = true
		fresh[i] = &d
		count, total = count+1, total+len(text)
	}
	if count > MaxTexts {
		return nil, fmt.Errorf("docs and the %d texts sent before are %d: at most %d, %s", held, count, MaxTexts, inFolder)
	}
	if total > maxTextsSize {
		return nil, fmt.Errorf("docs and the texts sent before have %s: at most %s, %s", megabytes(total), megabytes(maxTextsSize), inFolder)
	}
	return fresh, nil
}

func megabytes(n int) string { return fmt.Sprintf("%.1f MB", float64(n)/(1<<20)) }

func (k *Keeper) addText(ctx context.Context, d docs.Document) error {
	p, err := ingest.Text(ctx, d)
	if err != nil {
		return err
	}
	return k.store.PutText(ctx, p.Entry)
}
