package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vademecum/docs"
	"vademecum/docs/meta"
	"vademecum/index/store/catalog"
)

// ClientTextURIPrefix is the prefix of the URI of a text sent by a client.
const ClientTextURIPrefix = "vademecum:text/"

// DocumentOfClientText returns a document for a text sent by a client, with a hash of the text in its path.
func DocumentOfClientText(text string) docs.Document {
	text = strings.ToValidUTF8(text, "\uFFFD")
	sum := sha256.Sum256([]byte(text))
	return docs.NewTextDocument(ClientTextURIPrefix+hex.EncodeToString(sum[:8]), text)
}

// PrepareClientText chunks and analyses the document of a text sent by a client.
func PrepareClientText(ctx context.Context, d docs.Document) (PreparedDocument, error) {
	p := PreparedDocument{RecordWithBody: catalog.RecordWithBody{Record: catalog.Record{Path: d.Path, Hash: d.Hash, Size: d.Size, Modified: time.Now()}}}
	if err := p.fillFrom(ctx, d); err != nil {
		return p, err
	}
	if p.Title == NameWithoutExtension(d.Path) {
		p.Title = firstWords(d.Text)
	}
	return p, nil
}

// firstWords returns the beginning of a text for use as its title. It skips front matter and rules,
// unless there is nothing else.
func firstWords(text string) string {
	const most = 60 // characters
	if body := strings.TrimSpace(text[meta.FrontMatterLength(text):]); body != "" {
		text = body
	}
	line := strings.TrimSpace(text)
	if at := strings.IndexFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }); at >= 0 {
		line = line[strings.LastIndexByte(line[:at], '\n')+1:]
	}
	line, _, _ = strings.Cut(line, "\n")
	line = strings.ToValidUTF8(line[:min(len(line), utf8.UTFMax*(most+1))], "")
	if r := []rune(line); len(r) > most {
		return string(r[:most]) + "…"
	}
	return line
}
