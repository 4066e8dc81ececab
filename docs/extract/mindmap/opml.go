package mindmap

import (
	"bytes"
	"cmp"
	"errors"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// IsOPML tells whether a file begins as an outline in OPML does.
func IsOPML(start []byte) bool { return bytes.HasPrefix(afterDeclaration(start), []byte("<opml")) }

// ReadOPML reads an outline (OPML 2.0, http://opml.org/spec2.opml), which lists of
// subscriptions are too.
func ReadOPML(raw []byte, _ extract.Progress) (extract.Content, error) {
	var f file
	err := zipxml.Walk(bytes.NewReader(raw), func(x *zipxml.Reader) {
		x.EachChild(func(e zipxml.Element) {
			if e.Name == "opml" {
				x.StopWith(f.outline(x))
			}
		}, nil)
	})
	if len(f.sheets) == 0 && (err == nil || !extract.IsLimit(err)) {
		err = errOutline
	}
	if len(f.sheets) > 0 {
		f.sheets[0].promote()
	}
	c, err := f.content(err)
	if errors.Is(err, errDamaged) {
		err = errOutline
	}
	return c, err
}

// outline reads an outline, as a map whose root has the title of the file.
func (f *file) outline(x *zipxml.Reader) error {
	s, err := f.sheet()
	if err != nil {
		return err
	}
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "head":
			s.root.title = titleIn(x)
		case "body":
			f.readOutlines(x, &s.root)
		}
	}, nil)
	return nil
}

func (f *file) readOutlines(x *zipxml.Reader, within *topic) {
	x.EachChild(func(e zipxml.Element) {
		if e.Name != "outline" {
			return
		}
		t, err := f.begin(within)
		if err != nil {
			x.StopWith(err)
			return
		}
		t.title = markdown.OneLine(plain(cmp.Or(e.Attribute("text"), e.Attribute("title"))))
		t.note(plain(e.Attribute("_note"))) // of OmniOutliner, WorkFlowy, Dynalist and others
		t.note(plain(e.Attribute("description")))
		t.link(cmp.Or(e.Attribute("url"), e.Attribute("htmlUrl"), e.Attribute("xmlUrl")))
		x.StopWith(f.hold(t))
		f.readOutlines(x, t)
	}, nil)
}

// promote makes the only item of the first level the root, as it is in outlines
// that were a mind map, unless the title says something else.
func (s *sheet) promote() {
	if len(s.root.below) != 1 {
		return
	}
	if only := s.root.below[0]; s.root.title == "" || s.root.title == only.title {
		s.root = *only
	}
}
