package drawing

import (
	"cmp"
	"encoding/json"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// An element is one of an Excalidraw scene
// (https://docs.excalidraw.com/docs/codebase/json-schema).
type element struct {
	ID, Type            string
	X, Y, Width, Height float64
	Text, OriginalText  string // as it is shown, and before lines were broken
	ContainerID         string // of a text: the shape or arrow that it is of
	FrameID, Name       string
	IsDeleted           bool
	StartBinding        binding
	EndBinding          binding
}

type binding struct{ ElementID string }

// ReadExcalidraw reads a drawing of Excalidraw: its texts, those of each frame
// together, and what its arrows say.
func ReadExcalidraw(raw []byte, _ extract.Progress) (extract.Content, error) {
	s := scene{plane: newPlane(), in: make(map[int]string)}
	err := readArrays(raw, array{"elements", func(d *json.Decoder) error {
		var e element
		err := syntax(d.Decode(&e))
		if err == nil && !e.IsDeleted {
			err = s.take(&e)
		}
		return err
	}})
	s.join()
	var w markdown.Writer
	if full := s.write(&w, 2); full != nil {
		return extract.Content{}, full
	}
	return content(&w, err)
}

// A scene is a plane whose texts are elements of their own, before or after the
// shapes and arrows that they belong to.
type scene struct {
	*plane
	in map[int]string // the shape or arrow that a text is in, by the index of the text
}

func (s *scene) take(e *element) error {
	f := figure{box: box{e.X, e.Y, e.Width, e.Height}, id: e.ID, within: e.FrameID}
	switch e.Type {
	case "text":
		f.text = cmp.Or(e.OriginalText, e.Text)
		if e.ContainerID != "" {
			s.in[len(s.figures)] = e.ContainerID
		}
	case "arrow", "line":
		return s.connect(arrow{e.ID, e.StartBinding.ElementID, e.EndBinding.ElementID, ""})
	case "frame", "magicframe":
		f.text, f.frame = markdown.OneLine(e.Name), true
	case "freedraw", "selection":
		return nil
	}
	return s.add(f)
}

// join gives shapes and arrows the texts that are in them.
func (s *scene) join() {
	arrows := make(map[string]*arrow)
	for i := range s.arrows {
		arrows[s.arrows[i].id] = &s.arrows[i]
	}
	for i := range s.figures {
		text := &s.figures[i].text
		if a := arrows[s.in[i]]; a != nil && a.label == "" {
			a.label, *text = *text, ""
		} else if f := s.find(s.in[i]); f != nil && f.text == "" {
			f.text, *text = *text, ""
		}
	}
}
