package index

import (
	"context"
	"crypto/sha256"
	"encoding/binary"

	"vademecum/docs"
	"vademecum/index/search"
)

// DocumentFingerprint identifies the state of a document. It is short because the fingerprints of all documents,
// perhaps a million, are listed after each change.
type DocumentFingerprint struct {
	URIHash     uint64 // HashURI of its URI
	ContentHash uint64 // first 8 bytes of the SHA-256 of its bytes on disk
}

// HashURI returns the first 8 bytes of the SHA-256 of a URI.
func HashURI[T []byte | string](uri T) uint64 {
	sum := sha256.Sum256([]byte(uri))
	return HashPrefix(sum)
}

// HashPrefix returns the first 8 bytes of a SHA-256, as in DocumentFingerprint.
func HashPrefix(hash [32]byte) uint64 { return binary.LittleEndian.Uint64(hash[:]) }

// ChangeNumber returns a number that changes whenever a document may have been added, removed or
// changed.
func (ix *Index) ChangeNumber() uint64 { return ix.store.ChangeNumber() }

// DocumentFingerprints lists the fingerprints of the searchable documents, in no order.
func (ix *Index) DocumentFingerprints(ctx context.Context) ([]DocumentFingerprint, error) {
	all, folders := ix.store.All(), ix.folders.FolderURIs()
	fingerprints := make([]DocumentFingerprint, 0, len(all))
	var uri []byte
	for _, d := range all {
		if d.SkipReason != "" {
			continue
		}
		if uri = append(uri[:0], d.Path...); d.Folder != search.NoFolder {
			uri = docs.AppendFileURI(uri[:0], folders[d.Folder], d.Path)
		}
		fingerprints = append(fingerprints, DocumentFingerprint{HashURI(uri), HashPrefix(d.Hash)})
	}
	return fingerprints, ctx.Err()
}
