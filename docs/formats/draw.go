package formats

import (
	"context"
	"io"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/picture"
	"vademecum/docs/formats/child"
	"vademecum/internal/base/message"
)

// pictureFormat is the format in which a child is asked to draw a picture.
const pictureFormat = "picture"

// pictures maps the extensions of pictures to their media types. Pictures can be shown; they have
// text only after OCR.
var pictures = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".bmp": "image/bmp", ".tif": "image/tiff", ".tiff": "image/tiff", ".webp": "image/webp",
	".heic": "image/heic", ".heif": "image/heif",
}

// IsPicture reports whether files with that name are pictures that can be shown.
func IsPicture(name string) bool { return pictures[Extension(name)] != "" }

// IsBrowserPicture reports whether files with that name are pictures that browsers can show.
func IsBrowserPicture(name string) bool {
	switch ext := Extension(name); ext {
	case ".svg", ".avif":
		return true
	case ".tif", ".tiff", ".heic", ".heif":
		return false
	}
	return IsPicture(name)
}

// isHEIC reports whether files with that name are HEIC pictures, which another program has to
// convert.
func isHEIC(name string) bool {
	ext := Extension(name)
	return ext == ".heic" || ext == ".heif"
}

// ErrMissingConverter reports that a picture cannot be shown because no converter is installed.
var ErrMissingConverter = picture.ErrNoHEICConverter

// codeUnconverted is the message code of the reason to skip a picture for which no converter is
// installed.
const codeUnconverted = "unconverted"

// reasonUnconverted is the reason to skip a picture for which no converter is installed.
var reasonUnconverted = message.FromError(ErrMissingConverter).WithCode(codeUnconverted)

// IsMissingConverterSkip reports whether a file was skipped because no converter for it is
// installed, given the reason.
func IsMissingConverterSkip(reason message.Message) bool { return reason.Code() == codeUnconverted }

// browserPictures are the first bytes of the picture formats that browsers can show.
var browserPictures = []struct{ mime, with, at8 string }{
	{"image/png", "\x89PNG\r\n\x1a\n", ""}, {"image/jpeg", "\xff\xd8\xff", ""}, {"image/gif", "GIF8", ""}, {"image/bmp", "BM", ""}, {"image/webp", "RIFF", "WEBP"}, {"image/avif", "", "avif"},
}

// BrowserPictureType returns the media type of a picture that browsers can show, otherwise "". The name must
// be that of such a picture; the type is that of the first bytes, as the name may be that of another type.
func BrowserPictureType(name string, raw []byte) string {
	if !IsBrowserPicture(name) {
		return ""
	}
	for _, p := range browserPictures {
		if len(raw) > 12 && strings.HasPrefix(string(raw[:8]), p.with) && strings.HasPrefix(string(raw[8:12]), p.at8) {
			return p.mime
		}
	}
	if Extension(name) == ".svg" && strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(string(raw[:min(len(raw), 100)]), "\uFEFF"), " \t\r\n"), "<") {
		return "image/svg+xml"
	}
	return ""
}

// pictureContent returns the content of a picture before OCR: no text, and one page that needs OCR,
// or several for a TIFF.
func pictureContent(name string, raw []byte) extract.Content {
	scans := extract.UnrecognisedPages{MissingPagesNote: unreadFormats()[Extension(name)]}
	for i := range picture.CountPages(raw) {
		scans.Pages = append(scans.Pages, i+1)
	}
	c := extract.Content{MIME: pictures[Extension(name)], UnrecognisedPages: scans}
	if n := len(scans.Pages); picture.HasMissingTIFFPages(raw) {
		c.ExtractionNote = message.New("the picture is damaged: what comes after page %d is missing", n)
	}
	return c
}

// CheckNeedsOCR checks whether a picture may contain text for OCR, by the header of its file. If
// not, the error is a *extract.SkipError; any other error is a read error of the file.
func CheckNeedsOCR(name string, file io.Reader) error {
	if isHEIC(name) {
		return nil // only the converter can read its header
	}
	return picture.CheckHeaderForOCR(file) // its reason alone: pictures are read, so the format is none
}

// CanDrawPages reports whether pages of files with that name can be drawn.
func CanDrawPages(name string) bool {
	f := formatOfExtension(Extension(name))
	return IsPicture(name) || f.draw != nil && !f.drawsPicture
}

// CanDrawSlidePictures reports whether the pictures on slides of files with that name can be drawn.
func CanDrawSlidePictures(name string) bool { return formatOfExtension(Extension(name)).drawsPicture }

// Draw draws a page of the file called name, or a picture, as PNG or JPEG. If nothing can be drawn,
// the error is a *extract.SkipError; any other error, such as that of ctx, is not the fault of the
// file.
func Draw(ctx context.Context, name string, raw []byte, request extract.DrawingRequest) ([]byte, error) {
	if IsPicture(name) {
		if isHEIC(name) && picture.IsHEIC(raw) { // some files with such a name are JPEGs
			var err error
			if raw, err = picture.HEICToJPEG(ctx, raw); err != nil {
				return nil, err
			}
		}
		return child.Draw(ctx, pictureFormat, raw, request)
	}
	f, err := formatFor(name, raw)
	if err != nil {
		return nil, err
	}
	if f.draw == nil {
		return nil, extract.Skip("its pages cannot be shown as images")
	}
	return child.Draw(ctx, f.name(), raw, request)
}

// drawers are the drawers of formats that have no reader.
var drawers = map[string]extract.Drawer{pictureFormat: picture.Draw}
