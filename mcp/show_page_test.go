package mcp

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs/extract/extracttest"
	"vademecum/index/operations"
)

// TestLook checks that the page of a scan is shown to the model, and that the reason is given if
// that is not possible.
func TestLook(t *testing.T) {
	t.Parallel()
	var photo bytes.Buffer
	if err := png.Encode(&photo, image.NewGray(image.Rect(0, 0, 40, 30))); err != nil {
		t.Fatal(err)
	}
	scan := string(extracttest.PDF("", "0 0 1 rg 100 500 300 200 re f", "1 0 0 rg 100 500 300 200 re f"))
	c := connect(t, serve(t, folder(t, map[string]string{"a.md": "# A\n\nText.\n", "scan.pdf": scan, "photo.png": photo.String(), "broken.pdf": "%PDF-1.4 broken"}), Options{}), "test")
	c.call("index_docs", `{}`)
	for arguments, want := range map[string]string{
		`{"path": "scan.pdf", "as": "image"}`:                            "scan.pdf, page 1, as an image.",
		`{"path": "scan.pdf#page=2", "as": "image"}`:                     "scan.pdf, page 2, as an image.",
		`{"path": "scan.pdf, page 2", "as": "image"}`:                    "scan.pdf, page 2, as an image.",
		`{"path": "scan.pdf, pages 2-3", "as": "image"}`:                 "scan.pdf, page 2, as an image.",
		`{"path": "scan.pdf", "area": "0,50,100,100"}`:                   "scan.pdf, page 1, as an image.",
		`{"path": "scan.pdf", "as": "Image", "area": [0, 50, 100, 100]}`: "scan.pdf, page 1, as an image.",
		`{"path": "photo.png", "as": "image", "area": ""}`:               "photo.png, as an image.",
	} {
		r := c.call("read_doc", arguments)
		if r.IsError || len(r.Content) != 2 || !strings.HasPrefix(firstText(r), want) {
			t.Errorf("%s: %s", arguments, firstText(r))
			continue
		}
		picture, ok := r.Content[1].(*mcp.ImageContent)
		if !ok || picture.MIMEType != "image/jpeg" || len(picture.Data) > operations.MaxPictureBytes {
			t.Errorf("%s: %T", arguments, r.Content[1])
			continue
		}
		if _, err := jpeg.Decode(bytes.NewReader(picture.Data)); err != nil {
			t.Errorf("%s: %v", arguments, err)
		}
	}
	for arguments, want := range map[string]string{
		`{"path": "a.md", "as": "image"}`:                               "a.md: it has no pages that can be shown as images: read it as text",
		`{"path": "scan.pdf#page=9999", "as": "image"}`:                 "there is no page 9999: it has 2",
		`{"path": "scan.pdf#page=0", "as": "image"}`:                    "scan.pdf: there is no page 0",
		`{"path": "photo.png#page=2", "as": "image"}`:                   "photo.png: there is no page 2: it has 1",
		`{"path": "scan.pdf", "area": "NaN,0,100,100"}`:                 "area must be left,top,right,bottom in percent",
		`{"path": "scan.pdf", "area": [0, 0, 100, 0.001]}`:              "area must be left,top,right,bottom in percent",
		`{"path": "scan.pdf", "as": "image", "start_line": 5}`:          "#L5 is not a page of the document",
		`{"path": "none.pdf", "as": "image"}`:                           "no such document: none.pdf",
		`{"path": "scan.pdf", "as": "video"}`:                           "as must be text or image",
		`{"path": "scan.pdf", "as": "image", "area": "half"}`:           "area must be left,top,right,bottom in percent",
		`{"path": "scan.pdf", "as": "image", "area": [0, 90, 100, 10]}`: "area must be left,top,right,bottom in percent",
		`{"path": "scan.pdf", "as": "image", "area": 5}`:                "area must be left,top,right,bottom in percent",
		`{"path": "scan.pdf"}`:                                          "(read_doc with as image shows it)",
	} {
		if r := c.call("read_doc", arguments); !r.IsError || !strings.Contains(firstText(r), want) {
			t.Errorf("%s: %s, want %s", arguments, firstText(r), want)
		}
	}
	for _, arguments := range []string{`{"path": "broken.pdf"}`, `{"path": "scan.pdf#page=9999"}`, `{"path": "none.pdf"}`} {
		if r := c.call("read_doc", arguments); !r.IsError || strings.Contains(firstText(r), "as image") {
			t.Errorf("%s: %s, of which there is no image", arguments, firstText(r))
		}
	}
	if text := allText(c.call("retrieve_docs", `{"query": "what does broken.pdf say?"}`)); strings.Contains(text, "as image") || !strings.Contains(text, "broken.pdf exists") {
		t.Errorf("who asks for a damaged file is told: %s", text)
	}
	if text := allText(c.call("retrieve_docs", `{"query": "what does scan.pdf say?"}`)); !strings.Contains(text, "read_doc with as image shows scan.pdf as an image.") {
		t.Errorf("who asks for a scan is told: %s", text)
	}
}
