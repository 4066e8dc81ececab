package index

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/formats"
	"vademecum/docs/text"
	"vademecum/index/recovery"
	"vademecum/index/search"
	"vademecum/internal/message"
	"vademecum/internal/present"
)

// LookQuery is a page, or a picture, that somebody wants to see.
type LookQuery struct {
	Ref  string       // of the document, as Reading.Ref; its fragment chooses the page
	Area extract.Area // of the page
	Most int          // bytes of the picture
}

// Look is a page as it looks, or a picture.
type Look struct {
	Path  string // as shown
	Place message.Message
	JPEG  []byte
}

// Look shows a page of a document as it looks, or a file that is a picture, be it indexed or
// not. The error matches ErrNotFound when there is none.
func (ix *Index) Look(ctx context.Context, q LookQuery) (Look, error) {
	return recovery.Read(ctx, ix.engine.Recovery, func() (Look, error) {
		d, fragment, err := ix.named(ctx, q.Ref)
		if err != nil {
			return Look{}, err
		}
		look, err := ix.look(ctx, d, fragment, q)
		if err != nil {
			return Look{}, message.Errorf("%s: %v", "%s：%v", present.Name(ix.folders.Show(d.At())), err)
		}
		return look, nil
	})
}

func (ix *Index) look(ctx context.Context, d *search.Document, fragment string, q LookQuery) (Look, error) {
	isDeck := formats.HasSlidePictures(d.Path)
	if d.Folder == search.NoFolder || !formats.HasLook(d.Path) && !isDeck {
		if d.Skip != "" {
			return Look{}, message.Errorf("it cannot be shown: %v", "无法显示：%v", d.Skip)
		}
		return Look{}, message.Errorf("it has no pages that could be shown: read it as text", "它没有可以显示的页面：请以文字读取")
	}
	look := Look{Path: ix.folders.Show(d.At())}
	what := extract.Drawing{Page: 1, Area: q.Area, Most: q.Most}
	if formats.IsPicture(d.Path) {
		if fragment != "" && fragment != "page=1" {
			return Look{}, message.Errorf("there is no #%s: it is one picture", "没有 #%s：这是一张图片", present.Name(fragment))
		}
	} else {
		page, err := ix.pageOf(ctx, d, fragment)
		if err != nil {
			return Look{}, err
		}
		what.Page, look.Place = page, message.New("page %d", "第 %d 页", page)
		if isDeck {
			look.Place = message.New("slide %d", "第 %d 张幻灯片", page)
		}
	}
	raw, err := ix.folders[d.Folder].LoadPicture(ctx, d.Path)
	if err != nil {
		return Look{}, err
	}
	look.JPEG, err = ix.pictures.of(ctx, pictureKey{raw.Hash, fmt.Sprint(what)}, func() ([]byte, error) { return raw.Draw(ctx, what) })
	if skipped := new(extract.SkipError); errors.As(err, &skipped) {
		return Look{}, skipped // the file is named once
	}
	return look, err
}

// sparse is how many characters of text a page has that is mostly a picture, at most.
const sparse = 300

// isSparse tells whether a span begins on a page that has little text.
func isSparse(d Document, body text.Body, span text.Span) bool {
	if !HasLook(d.Path) || len(body.Parts) == 0 {
		return false
	}
	return utf8.RuneCountInString(strings.TrimSpace(body.PartText(body.PartOf(span)))) < sparse
}

// HasLook tells whether a document of that name can be shown as it looks.
func HasLook(name string) bool { return formats.HasLook(name) }

// pageOf is the page that a fragment means, the first for none. One that is named need have
// no text.
func (ix *Index) pageOf(ctx context.Context, d *search.Document, fragment string) (int, error) {
	if fragment == "" {
		return 1, nil
	}
	unit, number, _ := strings.Cut(fragment, "=")
	if unit == "page" || unit == "slide" {
		number, _, _ = strings.Cut(number, "&")
		if page, err := strconv.Atoi(number); err == nil && page > 0 {
			return page, nil
		}
		return 0, message.Errorf("there is no %s %s", "没有 %s %s", unit, present.Name(number))
	}
	if d.Skip != "" {
		return 0, message.Errorf("#%s is no page of it: give one, such as #page=3", "#%s 不是其中的一页：请给出页码，例如 #page=3", present.Name(fragment))
	}
	body, ok, err := ix.store.Body(ctx, d)
	if err != nil || !ok {
		return 0, errors.Join(err, errChanged)
	}
	span, err := Reading{}.span(d, body, fragment)
	if err != nil {
		return 0, err
	}
	return max(1, body.PartOf(span)), nil
}
