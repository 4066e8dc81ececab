package index

import (
	"context"
	"strings"

	"vademecum/docs/formats"
	"vademecum/docs/meta"
	"vademecum/index/search"
	"vademecum/index/sync"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// LinkTarget returns the path, as shown, of the target of a link in a document: another document,
// or a file that is not indexed; "" if there is none. link is as the author wrote it, without a
// fragment. isName means that it was written in double brackets, as the name of a note rather than
// the path of a file.
func (ix *Index) LinkTarget(fromPath, link string, isName bool) string {
	d, _, err := ix.findReference(fromPath)
	if err != nil || d.Folder == search.NoFolder {
		return ""
	}
	name := meta.ResolveLink(d.Path, link)
	if isName {
		name = meta.WikiLinkTarget(link)
	}
	if strings.Trim(name, "/") == "" {
		return ""
	}
	to := ix.store.LinkTarget(d, name)
	if to == nil {
		return ""
	}
	return ix.folders.ShownPath(to.Location())
}

// BrowserPicture is a picture in a format that browsers display.
type BrowserPicture struct {
	MIME    string
	Content []byte
}

// Picture returns a picture file, whether it is indexed or not. The error matches ErrNotFound if
// there is none.
func (ix *Index) Picture(ctx context.Context, ref string) (BrowserPicture, error) {
	return sync.ReadWithRepair(ctx, ix.syncer, func() (BrowserPicture, error) {
		d, _, err := ix.findReferenced(ctx, ref)
		if err != nil {
			return BrowserPicture{}, err
		}
		if d.Folder == search.NoFolder || !formats.IsBrowserPicture(d.Path) {
			return BrowserPicture{}, message.Errorf("%v: %s", ErrNotFound, present.QuoteName(ref))
		}
		raw, err := ix.folders[d.Folder].LoadPicture(ctx, d.Path)
		if err != nil {
			return BrowserPicture{}, err
		}
		content, mime := raw.BrowserPicture()
		if mime == "" {
			return BrowserPicture{}, message.Errorf("%v: %s", ErrNotFound, present.QuoteName(ref))
		}
		return BrowserPicture{mime, content}, nil
	})
}
