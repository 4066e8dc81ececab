package mindmap

import (
	"bytes"
	"cmp"
	"errors"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// IsOPML reports whether a file begins like an OPML outline.
func IsOPML(start []byte) bool { return bytes.HasPrefix(zipxml.SkipProlog(start), []byte("<opml")) }

// ReadOPML reads an outline (OPML 2.0, http://opml.org/spec2.opml). Lists of subscriptions are
// outlines, too.
func ReadOPML(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	var f mapFile
	err := zipxml.ReadXML(bytes.NewReader(raw), func(x *zipxml.Reader) {
		x.EachChild(func(e zipxml.Element) {
			if e.Name == "opml" {
				x.StopWith(f.readOutline(x))
			}
		}, nil)
	})
	if len(f.sheets) == 0 && (err == nil || !extract.IsLimitError(err)) {
		err = errOutline
	}
	if len(f.sheets) > 0 {
		f.sheets[0].promoteLoneTopic()
	}
	c, err := f.contentUntilError(err)
	if errors.Is(err, errDamaged) {
		err = errOutline
	}
	return c, err
}

// readOutline reads an outline as a map whose root has the title of the file.
func (f *mapFile) readOutline(x *zipxml.Reader) error {
	s, err := f.beginSheet()
	if err != nil {
		return err
	}
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "head":
			s.root.title = readTitle(x)
		case "body":
			f.readOutlines(x, &s.root)
		}
	}, nil)
	return nil
}

func (f *mapFile) readOutlines(x *zipxml.Reader, within *topic) {
	x.EachChild(func(e zipxml.Element) {
		if e.Name != "outline" {
			return
		}
		t, err := f.beginTopic(within)
		if err != nil {
			x.StopWith(err)
			return
		}
		t.title = markdown.OneLine(plainText(cmp.Or(e.Attribute("text"), e.Attribute("title"))))
		t.addNote(plainText(e.Attribute("_note"))) // notes of OmniOutliner, WorkFlowy, Dynalist and others
		t.addNote(plainText(e.Attribute("description")))
		t.addLink(cmp.Or(e.Attribute("url"), e.Attribute("htmlUrl"), e.Attribute("xmlUrl")))
		x.StopWith(f.countHeldText(t))
		f.readOutlines(x, t)
	}, nil)
}

// promoteLoneTopic makes a single top-level item the root, as in outlines made from mind maps,
// unless the file has a different title.
func (s *sheet) promoteLoneTopic() {
	if len(s.root.children) != 1 {
		return
	}
	if only := s.root.children[0]; s.root.title == "" || s.root.title == only.title {
		s.root = *only
	}
}
