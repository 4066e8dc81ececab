package index

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"vademecum/docs/formats"
	"vademecum/docs/text"
	"vademecum/index/search"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// errMemberNotIndexed is matched by errors about files in archives that are not indexed.
var errMemberNotIndexed = message.Errorf("it is in the archive and not indexed")

// findMember finds the chapters of an archive that hold one of its files. The reference is a path
// that leads into the archive, such as "old/backup.zip/letters/may.doc". If there is no such file,
// the error is whyNot.
func (ix *Index) findMember(ctx context.Context, ref string, whyNot error) (*search.Document, string, error) {
	for at := strings.IndexByte(ref, '/'); at >= 0; {
		if file, member := ref[:at], ref[at+1:]; formats.IsArchiveName(file) {
			if d, _, err := ix.findByPath(file); err == nil {
				fragment, err := ix.memberFragment(ctx, d, member, whyNot)
				return d, fragment, err
			}
		}
		next := strings.IndexByte(ref[at+1:], '/')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return nil, "", whyNot
}

// memberFragment returns the part of the archive d that holds the text of the member name, as a URI fragment
// such as chapter=3-4. It returns "" if the archive is not indexed at all, an error with the reason if the
// member was not read, and whyNot if there is no such member.
func (ix *Index) memberFragment(ctx context.Context, d *search.Document, name string, whyNot error) (string, error) {
	for _, m := range formats.UnreadMembers(cmp.Or(d.SkipReason, d.ExtractionNote)) {
		if foldedPath(m.Name) == foldedPath(name) {
			return "", message.Errorf("%s/%s: %v: %v", present.CleanLine(ix.folders.ShownPath(d.Location())), m.Name, errMemberNotIndexed, m.Reason)
		}
	}
	if d.SkipReason != "" {
		return "", nil // the caller reports why the archive is not indexed at all
	}
	body, ok, err := ix.store.Body(ctx, d)
	if err != nil {
		return "", err
	}
	first, last := memberChapters(body, name)
	if !ok || first == 0 {
		return "", whyNot
	}
	return fmt.Sprintf("chapter=%d-%d", first, last), nil
}

// memberChapters returns the numbers of the first and the last chapter of an archive that hold a
// file, or the part of it that the name includes ("talks/tides.pptx#slide=2"); 0 if there are none.
func memberChapters(body text.Body, name string) (first, last int) {
	for _, p := range body.Parts {
		if foldedPath(p.Name) != foldedPath(name) && foldedPath(memberName(p.Name)) != foldedPath(name) {
			continue
		}
		first, last = cmp.Or(first, p.Number), p.Number
	}
	return first, last
}

// memberName returns the name of the file in an archive that a chapter belongs to.
func memberName(chapter string) string {
	if at := strings.LastIndexByte(chapter, '#'); at >= 0 && text.IsPositionFragment(chapter[at+1:]) {
		return chapter[:at]
	}
	return chapter
}

// findMembers lists the files in an archive that a name may mean, whether they were read or not. A
// match in the path of the archive itself does not count.
func (ix *Index) findMembers(ctx context.Context, m soughtName, d *search.Document) (all []File, err error) {
	shown := ix.folders.ShownPath(d.Location())
	add := func(name string, f File) {
		f.Path = shown + "/" + name
		isKnown := len(all) > 0 && all[len(all)-1].Path == f.Path // added for the previous part
		if m.matches(f.Path) && !m.matches(shown) && !isKnown {
			all = append(all, f)
		}
	}
	for _, unread := range formats.UnreadMembers(cmp.Or(d.SkipReason, d.ExtractionNote)) {
		add(unread.Name, File{SkipReason: unread.Reason})
	}
	if d.SkipReason != "" || !formats.IsArchiveName(d.Path) {
		return all, nil
	}
	body, _, err := ix.store.Body(ctx, d)
	if err != nil {
		return nil, err
	}
	for _, p := range body.Parts {
		add(memberName(p.Name), File{IsSearchable: true})
	}
	return all, nil
}
