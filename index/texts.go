package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"vademecum/docs"
)

// textScheme begins the URI of a text that a client sent.
const textScheme = "vademecum:text/"

// maxTexts bounds what clients may send, in bytes of all texts held.
const maxTexts = 64 << 20

// AddTexts makes texts searchable for as long as the Index lives; they are not
// saved. A text that equals a document is that document already. It returns
// how many of the texts can be found now, and how many of those were not there
// before.
func (ix *Index) AddTexts(ctx context.Context, texts []string) (found, added int, err error) {
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			return 0, 0, fmt.Errorf("docs[%d] is empty: send the text of a document", i)
		}
	}
	defer func() {
		if added > 0 {
			ix.wantVectors()
			ix.progress.signal()
		}
	}()
	have := ix.textHashes()
	for i, text := range texts {
		d := textDocument(text)
		if !have[d.textHash] {
			if err := ix.addText(ctx, d); err != nil {
				return found, added, fmt.Errorf("docs[%d]: %w", i, err)
			}
			have[d.textHash] = true
			added++
		}
		found++
	}
	return found, added, nil
}

// textHashes collects the hashes of all texts that are searchable.
func (ix *Index) textHashes() map[[32]byte]bool {
	ix.store.mu.RLock()
	defer ix.store.mu.RUnlock()
	have := make(map[[32]byte]bool, len(ix.store.documents))
	for _, d := range ix.store.documents {
		if d.skip == "" {
			have[d.textHash] = true
		}
	}
	return have
}

func textDocument(text string) prepared {
	text = strings.ToValidUTF8(text, "\uFFFD")
	sum := sha256.Sum256([]byte(text))
	d := docs.New(textScheme+hex.EncodeToString(sum[:8]), text)
	p := prepared{record: record{path: d.Path, hash: sum, size: int64(len(text)), modified: time.Now()}}
	p.fill(d)
	if p.title == name(d.Path) {
		p.title = beginning(text)
	}
	return p
}

// beginning is the first words of a text, to call it by.
func beginning(text string) string {
	const most = 60 // characters
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(line); len(r) > most {
		return string(r[:most]) + "…"
	}
	return line
}

func (ix *Index) addText(ctx context.Context, p prepared) error {
	held := int64(0)
	for _, d := range ix.store.documentsIn(noFolder) {
		held += d.size
	}
	if held+p.size > maxTexts {
		return errors.New("too much text sent: put the documents into the folder instead")
	}
	return ix.store.put(ctx, noFolder, p.record, p.body, nil)
}
