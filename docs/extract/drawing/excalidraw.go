package drawing

import (
	"cmp"
	"encoding/json"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// An excalidrawElement is an element of an Excalidraw scene
// (https://docs.excalidraw.com/docs/codebase/json-schema).
type excalidrawElement struct {
	ID, Type            string
	X, Y, Width, Height float64
	Text, OriginalText  string // text as displayed, and without the line breaks that were inserted for display
	ContainerID         string // for a text: id of the shape or arrow that contains it
	FrameID, Name       string
	IsDeleted           bool
	StartBinding        arrowBinding
	EndBinding          arrowBinding
}

type arrowBinding struct{ ElementID string }

// ReadExcalidraw reads an Excalidraw drawing: its texts, grouped by frame, and the labels of its
// arrows.
func ReadExcalidraw(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	s := excalidrawScene{drawingPage: newDrawingPage(), containerOf: make(map[int]string)}
	err := readArrays(raw, arrayReader{"elements", func(d *json.Decoder) error {
		var e excalidrawElement
		err := syntaxError(d.Decode(&e))
		if err == nil && !e.IsDeleted {
			err = s.addElement(&e)
		}
		return err
	}})
	s.attachTexts()
	var w markdown.Writer
	if full := s.writePage(&w, 2); full != nil {
		return extract.Content{}, full
	}
	return contentUntilError(&w, err)
}

// An excalidrawScene is a page whose texts are separate elements, which may come before or after
// the shapes and arrows that contain them.
type excalidrawScene struct {
	*drawingPage
	containerOf map[int]string // id of the shape or arrow that contains a text, by the index of the text in figures
}

func (s *excalidrawScene) addElement(e *excalidrawElement) error {
	f := figure{box: box{e.X, e.Y, e.Width, e.Height}, id: e.ID, parentID: e.FrameID}
	switch e.Type {
	case "text":
		f.text = cmp.Or(e.OriginalText, e.Text)
		if e.ContainerID != "" {
			s.containerOf[len(s.figures)] = e.ContainerID
		}
	case "arrow", "line":
		return s.addArrow(arrow{e.ID, e.StartBinding.ElementID, e.EndBinding.ElementID, ""})
	case "frame", "magicframe":
		f.text, f.isFrame = markdown.OneLine(e.Name), true
	case "freedraw", "selection":
		return nil
	}
	return s.addFigure(f)
}

// attachTexts moves texts to the shapes and arrows that contain them.
func (s *excalidrawScene) attachTexts() {
	arrows := make(map[string]*arrow)
	for i := range s.arrows {
		arrows[s.arrows[i].id] = &s.arrows[i]
	}
	for i := range s.figures {
		text := &s.figures[i].text
		if a := arrows[s.containerOf[i]]; a != nil && a.label == "" {
			a.label, *text = *text, ""
		} else if f := s.findFigure(s.containerOf[i]); f != nil && f.text == "" {
			f.text, *text = *text, ""
		}
	}
}
