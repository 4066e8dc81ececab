package schema

import (
	"encoding/base64"
	stdhtml "html"
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
	"vademecum/internal/base/lazyregexp"
)

var anyTag = lazyregexp.New(`<[^<>]*>`)

// readNarrative reads the human-readable text of a section.
func (r *xmlReader) readNarrative(e zipxml.Element) {
	before := r.html.Len()
	r.readInside(e)
	if n := len(r.open); n > 0 && strings.TrimSpace(anyTag.ReplaceAllString(r.html.String()[before:], "")) != "" {
		r.open[n-1].hasNarrative = true
	}
	r.html.WriteString("<p></p>")
}

// readPatient writes the name of the patient after the title. It becomes a part of the title, so
// that all passages of the document contain it.
func (r *xmlReader) readPatient() {
	name := ""
	r.x.EachDescendant(func(e zipxml.Element) bool {
		if e.Name != "patient" {
			return false
		}
		r.x.EachChild(func(e zipxml.Element) {
			if e.Name == "name" && name == "" {
				name = r.readWords(" ")
			}
		}, nil)
		return true
	})
	switch before, isTitle := strings.CutSuffix(strings.TrimSpace(r.html.String()), "</h1>"); {
	case name == "":
	case isTitle && len(r.title)+len(name) <= markdown.MaxHeadingCharacters:
		r.html.Reset()
		r.html.WriteString(before + ": " + stdhtml.EscapeString(name) + "</h1>")
		r.title += ": " + name
	default:
		r.writeParagraph("Patient: " + name)
	}
}

// readData reads text that may be a whole file in Base64 (C-CDA R2.1, "Unstructured Document").
func (r *xmlReader) readData(e zipxml.Element) {
	mediaType := e.Attribute("mediaType")
	if e.Attribute("representation") != "B64" {
		r.readInside(e)
		return
	}
	raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(r.x.ReadText()), ""))
	switch {
	case err != nil || !strings.HasPrefix(mediaType, "text/"):
		_, kind, _ := strings.Cut(mediaType, "/")
		r.attached = append(r.attached, "document."+kind)
	case mediaType == "text/html":
		r.html.WriteString(strings.ToValidUTF8(string(raw), "\uFFFD"))
	default:
		for text := range strings.Lines(strings.ToValidUTF8(string(raw), "\uFFFD")) {
			r.writeParagraph(text)
		}
	}
}

// readEntries reads the machine-readable entries of a section, unless it has a narrative.
func (r *xmlReader) readEntries(e zipxml.Element) {
	if n := len(r.open); n > 0 && r.open[n-1].hasNarrative {
		return
	}
	r.readEntry(e)
	r.flushPieces()
}

// readEntry collects the texts in an element of a machine-readable entry.
func (r *xmlReader) readEntry(e zipxml.Element) {
	isAct := hasWord(hl7Acts, e.Name)
	if isAct {
		r.flushPieces()
	}
	if e.Attribute("negationInd") == "true" {
		r.addPiece("negated")
	}
	if code := e.Attribute("code"); e.Name == "statusCode" && code != "active" && code != "completed" {
		r.addPiece(code)
	}
	r.addPiece(e.Attribute("displayName"))
	switch value, unit := e.Attribute("value"), e.Attribute("unit"); {
	case e.Name == "translation":
		return
	case e.Name == "name" || e.Name == "addr":
		r.addPiece(r.readWords(" "))
		return
	case e.Name == "telecom":
		r.addPiece(strings.TrimPrefix(strings.TrimPrefix(value, "tel:"), "mailto:"))
	case unit != "" && unit != "1":
		r.addPiece(limitSign(e) + value + " " + unit)
	case e.Name == "value":
		r.addPiece(value)
	case (e.Name == "low" || e.Name == "high") && dayOf(value) == "" && value != "":
		r.addPiece(limitSign(e) + value)
	case slices.Contains([]string{"effectiveTime", "low", "high", "time", "birthTime"}, e.Name):
		r.addPiece(dayOf(value))
	}
	r.x.EachChild(r.readEntry, func(b []byte) { r.addPiece(string(b)) })
	if isAct {
		r.flushPieces()
	}
}

// limitSign returns the sign before a limit of an interval of quantities (IVL_PQ).
func limitSign(e zipxml.Element) string {
	signs := map[string]string{"low": "≥ ", "high": "≤ "}
	if e.Attribute("inclusive") == "false" {
		signs = map[string]string{"low": "> ", "high": "< "}
	}
	return signs[e.Name]
}

// addPiece adds a text to the paragraph for an entry, unless it contains the text already.
func (r *xmlReader) addPiece(text string) {
	if text = markdown.OneLine(text); text != "" && !slices.Contains(r.pieces, text) {
		r.x.CountBytes(len(text) + extract.CellOverheadBytes)
		r.pieces = append(r.pieces, text)
	}
	if len(r.pieces) >= extract.MaxNestingDepth {
		r.flushPieces()
	}
}

func (r *xmlReader) flushPieces() {
	if len(r.pieces) > 0 {
		r.writeParagraph(strings.Join(r.pieces, ", "))
		r.pieces = nil
	}
}
